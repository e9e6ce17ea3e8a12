/**
 * A server that replays a recording (shared/traces: one JSON object a line, `t` seconds, `dir`, `hex`) to every client
 * that connects. At each `out` it waits until the client has sent as many bytes. Bytes that differ are reported and the
 * replay goes on (it is tolerant): the recording's answer is still the best there is. A client's own end is an end.
 */

import { readFileSync } from 'node:fs';
import { EventLog, type LineEvent, type WaitOptions } from './events.ts';
import { type ScriptedConnection, startScripted } from './scripted.ts';

export interface TraceEntry {
  /** Seconds since connect. */
  readonly t: number;
  readonly dir: 'in' | 'out' | 'eof' | 'rst' | 'out-close' | 'out-rst';
  readonly bytes: Buffer;
}

export interface TraceMismatch {
  readonly connection: number;
  /** Line of the recording, from 1. */
  readonly line: number;
  /** Position in everything the client sent. */
  readonly offset: number;
  readonly expected: Buffer;
  readonly found: Buffer;
}

export interface TraceOptions {
  readonly entries: readonly TraceEntry[];
  readonly host?: string;
  readonly port?: number;
  /** Sends each `in` as late as it was recorded, counted from the entry before; default at once. */
  readonly hasTiming?: boolean;
  readonly onMismatch?: (mismatch: TraceMismatch) => void;
  readonly onEvent?: (event: LineEvent) => void;
}

export interface TraceServer extends AsyncDisposable {
  readonly host: string;
  readonly port: number;
  readonly events: readonly LineEvent[];
  readonly mismatches: readonly TraceMismatch[];
  /** Replays carried out to the last entry. */
  readonly completed: number;
  waitFor(predicate: (events: readonly LineEvent[]) => boolean, options: WaitOptions): Promise<void>;
  close(): Promise<void>;
}

const DIRECTIONS: ReadonlySet<string> = new Set(['in', 'out', 'eof', 'rst', 'out-close', 'out-rst']);

/** Throws with the line's number when the text is no recording. */
export function parseTrace(text: string): readonly TraceEntry[] {
  return text
    .split('\n')
    .map((line, i) => ({ line: line.trim(), number: i + 1 }))
    .filter(({ line }) => line !== '')
    .map(({ line, number }) => parseEntry(line, number));
}

/** Reads a recording from a file. */
export function readTrace(path: string): readonly TraceEntry[] {
  return parseTrace(readFileSync(path, 'utf8'));
}

/** Serves the recording on a port until closed. */
export async function startTrace(options: TraceOptions): Promise<TraceServer> {
  const log = new EventLog();
  log.onEvent = options.onEvent;
  const mismatches: TraceMismatch[] = [];
  const timers = new Set<NodeJS.Timeout>();
  let completed = 0;
  const pause = (seconds: number): Promise<void> =>
    new Promise((resolve) => {
      const timer = setTimeout(() => {
        timers.delete(timer);
        resolve();
      }, seconds * 1000);
      timers.add(timer);
    });
  const server = await startScripted({
    ...(options.host === undefined ? {} : { host: options.host }),
    ...(options.port === undefined ? {} : { port: options.port }),
    log,
    onConnect: async (connection) => {
      let expectedEnd = 0;
      let lastSeconds = 0;
      for (const [i, entry] of options.entries.entries()) {
        if (entry.dir === 'out') {
          const from = expectedEnd;
          expectedEnd += entry.bytes.length;
          await connection.waitForBytes(expectedEnd);
          const found = connection.received.subarray(from, expectedEnd);
          if (!found.equals(entry.bytes)) {
            const at = { connection: connection.id, line: i + 1, offset: from };
            const mismatch = { ...at, expected: entry.bytes, found: Buffer.from(found) };
            mismatches.push(mismatch);
            options.onMismatch?.(mismatch);
          }
        } else {
          if (options.hasTiming === true) await pause(Math.max(0, entry.t - lastSeconds));
          carryOut(entry, connection);
        }
        lastSeconds = entry.t;
      }
      completed += 1;
      log.wake();
    },
  });
  const close = async (): Promise<void> => {
    for (const timer of timers) clearTimeout(timer);
    await server.close();
    log.close();
  };
  return {
    host: server.host,
    port: server.port,
    events: log.events,
    mismatches,
    get completed() {
      return completed;
    },
    waitFor: (predicate, waitOptions) => log.waitFor(predicate, waitOptions),
    close,
    [Symbol.asyncDispose]: close,
  };
}

function carryOut(entry: TraceEntry, connection: Pick<ScriptedConnection, 'write' | 'end' | 'reset'>): void {
  if (entry.dir === 'in') connection.write(entry.bytes);
  else if (entry.dir === 'eof') connection.end();
  else if (entry.dir === 'rst') connection.reset();
  // How the recording's client ended says nothing about the line.
}

function parseEntry(line: string, number: number): TraceEntry {
  const entry: unknown = JSON.parse(line);
  if (typeof entry !== 'object' || entry === null)
    throw new Error(`line ${number} of the recording is no object`);
  const { t, dir, hex } = entry as { t?: unknown; dir?: unknown; hex?: unknown };
  if (typeof t !== 'number' || !isDirection(dir)) {
    throw new Error(`line ${number} of the recording: expected t and dir, found ${line.slice(0, 60)}`);
  }
  return { t, dir, bytes: Buffer.from(typeof hex === 'string' ? hex : '', 'hex') };
}

function isDirection(value: unknown): value is TraceEntry['dir'] {
  return typeof value === 'string' && DIRECTIONS.has(value);
}
