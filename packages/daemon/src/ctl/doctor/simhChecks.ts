/** The simulator's start file: which ports are lines of the multiplexer (MTY), and what must be known about each. */
import { type Check, ok, warn } from './check.ts';

export interface MtyLine {
  readonly line: number;
  readonly port: number;
  /** No telnet on it: it greets with nothing. */
  readonly isRaw: boolean;
}

export interface BootFile {
  readonly path: string;
  readonly mtyLines: readonly MtyLine[];
  /** Port of the pool of the remaining lines. */
  readonly poolPort: number | undefined;
  readonly consolePort: number | undefined;
  /** Bytes of old output that a buffered console replays at each connect. */
  readonly consoleBuffered: number | undefined;
}

/** simh takes any case, `set`/`attach`/`at`, and `;` or `#` in front of a comment. */
export function parseBootFile(path: string, text: string): BootFile {
  const mtyLines: MtyLine[] = [];
  let poolPort: number | undefined;
  let consolePort: number | undefined;
  let consoleBuffered: number | undefined;
  for (const row of text.split('\n')) {
    const line = row.trim().toLowerCase();
    if (/^[;#]/.test(line)) continue;
    const mty = /^at(?:tach)?\s+(?:-\w+\s+)*mty\s+(.*)$/.exec(line)?.[1];
    if (mty !== undefined) {
      const [, number, port] = /\bline=(\d+),(?:[\w.]+:)?(\d+)/.exec(mty) ?? [];
      if (number === undefined) poolPort = toPort(/^(?:[\w.]+:)?(\d+)/.exec(mty)?.[1]) ?? poolPort;
      else mtyLines.push({ line: Number(number), port: Number(port), isRaw: mty.includes('notelnet') });
    }
    const set = /^set\s+cons(?:ole)?\s+.*telnet=(.*)$/.exec(line)?.[1];
    if (set === undefined) continue;
    consolePort = toPort(/^(?:[\w.]+:)?(\d+)/.exec(set)?.[1]) ?? consolePort;
    consoleBuffered = toPort(/\bbuffered=(\d+)/.exec(set)?.[1]) ?? consoleBuffered;
  }
  return { path, mtyLines, poolPort, consolePort, consoleBuffered };
}

export interface BootFacts {
  /** The configured port, if the simulator runs on this machine; undefined when it is another's. */
  readonly port: number | undefined;
  readonly telnet: string | undefined;
}

export function checkBootFile(boot: BootFile, { port, telnet }: BootFacts): Check[] {
  const { path, mtyLines, poolPort, consolePort, consoleBuffered } = boot;
  const lines = mtyLines.map(
    ({ line, port: at, isRaw }) => `${at} line ${line}${isRaw ? ' (notelnet)' : ''}`,
  );
  if (port === undefined) return [ok('simh', `${path}: ${lines.join(', ') || 'no line of the MTY'}`)];
  const found = mtyLines.find((mty) => mty.port === port);
  if (found !== undefined) {
    const text = `${path}: port ${port} is line ${found.line} of the MTY${found.isRaw ? ', notelnet' : ''}`;
    return [
      found.isRaw && telnet !== 'off'
        ? warn('simh', `${text}: it greets with nothing`, 'Give the daemon --telnet off (PIDP10_TELNET=off).')
        : ok('simh', text),
    ];
  }
  if (port === poolPort) {
    const remedy = 'Another line, another job, at each opening. Take a port of its own: ';
    return [
      warn(
        'simh',
        `${path}: port ${port} is the pool of the remaining lines`,
        `${remedy}${lines.join(', ')}`,
      ),
    ];
  }
  if (port === consolePort) {
    const replay =
      consoleBuffered === undefined ? '' : `; it replays ${consoleBuffered} bytes at each connect`;
    return [
      warn(
        'simh',
        `${path}: port ${port} is the console, not a terminal line${replay}`,
        `Lines: ${lines.join(', ')}`,
      ),
    ];
  }
  return [warn('simh', `${path} has no line on port ${port}`, `It has: ${lines.join(', ') || 'none'}`)];
}

function toPort(text: string | undefined): number | undefined {
  return text === undefined ? undefined : Number(text);
}
