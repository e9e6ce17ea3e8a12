/**
 * Settings of a session's terminal, which only tcgetattr(3) tells: asked through stty(1), on the path of the terminal.
 *
 * Never with our descriptor as the child's standard input: libuv makes those block, for us too. A stty costs some
 * milliseconds, so it is asked only when something depends on the answer.
 */
import { execFile } from 'node:child_process';

export interface TtySettings {
  /** Input is collected into lines by the kernel. */
  readonly isCanonical: boolean;
  readonly echoes: boolean;
}

/**
 * Bytes of a line that the kernel keeps in canonical mode, its end not counted: N_TTY_BUF_SIZE of Linux less one, MAX_CANON of
 * macOS less one. What comes behind them is dropped without a word (P05).
 */
export function canonicalLineBytes(platform: NodeJS.Platform): number {
  return platform === 'darwin' ? 1_023 : 4_095;
}

/** Longest wait for stty, in ms. */
const STTY_TIMEOUT_MS = 2_000;

/** Undefined when nobody can tell: the terminal is gone, or there is no stty. */
export function readTtySettings(path: string): Promise<TtySettings | undefined> {
  const args = [process.platform === 'darwin' ? '-f' : '-F', path, '-a'];
  return new Promise((resolve) => {
    execFile('stty', args, { timeout: STTY_TIMEOUT_MS, env: sttyEnvironment() }, (error, stdout) => {
      resolve(error === null ? parseStty(stdout) : undefined);
    });
  });
}

/** What `stty -a` says; undefined when it does not say it. */
export function parseStty(text: string): TtySettings | undefined {
  const words = new Set(text.split(/[\s;]+/));
  const isCanonical = flag(words, 'icanon');
  const echoes = flag(words, 'echo');
  return isCanonical === undefined || echoes === undefined ? undefined : { isCanonical, echoes };
}

/**
 * Longest line in `bytes`, in bytes without its end; `before` of it were written earlier. `open` is what the last, unfinished one
 * has.
 */
export function measureLines(bytes: Uint8Array, before: number): { longest: number; open: number } {
  let open = before;
  let longest = 0;
  for (const byte of bytes) {
    if (LINE_ENDS.has(byte)) {
      open = 0;
      continue;
    }
    open += 1;
    if (open > longest) longest = open;
  }
  return { longest, open };
}

/** What hands a line over or throws it away, with the settings that terminals start with: ^C ^D LF CR ^U ^Z ^\. */
const LINE_ENDS: ReadonlySet<number> = new Set([0x03, 0x04, 0x0a, 0x0d, 0x15, 0x1a, 0x1c]);

function flag(words: ReadonlySet<string>, name: string): boolean | undefined {
  if (words.has(name)) return true;
  return words.has(`-${name}`) ? false : undefined;
}

function sttyEnvironment(): Record<string, string> {
  return { PATH: process.env['PATH'] ?? '/usr/bin:/bin', LC_ALL: 'C' };
}
