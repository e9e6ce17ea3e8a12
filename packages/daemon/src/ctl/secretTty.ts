/**
 * Reads a secret from the controlling terminal, without echo. The terminal is as before on every way out: Enter, ^C, a signal, a
 * hang-up, and whatever ends the process by running any code at all.
 */
import { closeSync, openSync } from 'node:fs';
import { ReadStream } from 'node:tty';

const ENDS: ReadonlySet<number> = new Set([0x0a, 0x0d]);
/** ^C, ^D, ^\: to give it up. */
const GIVES_UP: ReadonlySet<number> = new Set([0x03, 0x04, 0x1c]);
const ERASES: ReadonlySet<number> = new Set([0x08, 0x7f]);
const KILL = 0x15;
const END_SIGNALS = ['SIGTERM', 'SIGHUP', 'SIGQUIT'] as const;

/** What of a terminal is needed. */
export interface SecretInput {
  setRawMode(isRaw: boolean): unknown;
  on(event: 'data', listener: (chunk: Uint8Array) => void): unknown;
  on(event: 'end' | 'error', listener: () => void): unknown;
  destroy(): unknown;
}

/** The terminal of this process, wherever its standard input comes from; undefined where it has none. */
export function openTerminal(): SecretInput | undefined {
  let fd: number;
  try {
    fd = openSync('/dev/tty', 'r+');
  } catch {
    return undefined;
  }
  try {
    return new ReadStream(fd);
  } catch {
    closeSync(fd);
    return undefined;
  }
}

export interface ReadSecretOptions {
  readonly input: SecretInput;
  readonly signals: Pick<NodeJS.Process, 'on' | 'off' | 'kill' | 'pid'>;
  readonly signal: AbortSignal;
}

/** Undefined when it was given up. Rubout and ^U correct it. */
export function readSecret({ input, signals, signal }: ReadSecretOptions): Promise<string | undefined> {
  return new Promise((resolve) => {
    let bytes: number[] = [];
    const restore = (): void => {
      try {
        input.setRawMode(false);
      } catch {
        // EIO: hung up
      }
    };
    const leave = (secret?: string): void => {
      restore();
      input.destroy();
      bytes.fill(0);
      signal.removeEventListener('abort', giveUp);
      signals.off('exit', restore);
      for (const name of END_SIGNALS) signals.off(name, handleSignal);
      resolve(secret);
    };
    const giveUp = (): void => leave();
    const handleSignal = (name: NodeJS.Signals): void => {
      leave();
      // Its default: to end.
      signals.kill(signals.pid, name);
    };
    const take = (byte: number): boolean => {
      if (ENDS.has(byte)) leave(new TextDecoder().decode(Uint8Array.from(bytes)));
      else if (GIVES_UP.has(byte)) leave();
      else if (byte === KILL) bytes = [];
      else if (ERASES.has(byte)) bytes = withoutLast(bytes);
      else bytes.push(byte);
      return ENDS.has(byte) || GIVES_UP.has(byte);
    };
    signals.on('exit', restore);
    for (const name of END_SIGNALS) signals.on(name, handleSignal);
    signal.addEventListener('abort', giveUp, { once: true });
    input.on('end', giveUp);
    input.on('error', giveUp);
    input.setRawMode(true);
    input.on('data', (chunk) => {
      for (const byte of chunk) if (take(byte)) return;
    });
    if (signal.aborted) giveUp();
  });
}

/** Without the last character, which in UTF-8 may be several bytes. */
function withoutLast(bytes: readonly number[]): number[] {
  const start = bytes.findLastIndex((byte) => (byte & 0xc0) !== 0x80);
  return bytes.slice(0, Math.max(start, 0));
}
