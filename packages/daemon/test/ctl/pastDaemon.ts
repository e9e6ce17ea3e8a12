/** A daemon of a few lines with some output behind it: searches tell where it begins and ends, watches tell it. */
import type { Socket } from 'node:net';
import { Ctl, FACTS } from './runCtl.ts';

export const AT = '2031-01-01T00:00:00.000Z';
export type Note = readonly [method: string, params: object];

export const output = (start: number, text: string, at = AT): Note => [
  'line.output',
  { start, end: start + text.length, text, at },
];
export const typed: Note = [
  'line.input',
  { author: { client: 'claude', reader: 'agent' }, text: '~z', bytes: 1, masked: false },
];
export const marked: Note = ['line.mark', { text: 'here\x1b[2J', author: { client: 'claude' } }];
export const END: Note = ['line.watchEnded', {}];

export interface PastOptions {
  readonly oldest?: number;
  readonly end?: number;
  /** What each watch tells, one after the other. */
  readonly watches?: readonly (readonly Note[])[];
  readonly paint?: string;
}

export function startPast({ oldest = 0, end = 100, watches = [], paint }: PastOptions): Promise<Ctl> {
  let number = 0;
  return Ctl.start(({ id, method, params }, socket) => {
    if (method === 'line.unwatch') return { result: {} };
    if (method === 'line.search') {
      const from = Math.max(Number(params['from'] ?? 0), oldest);
      const match = { start: end - 7 * Number(params['limit']), end, line: 'x' };
      return { result: { matches: [match], searched: { from, to: end }, isComplete: true } };
    }
    if (method !== 'line.watch') return undefined;
    const notes = watches[number] ?? [];
    number += 1;
    const size = { rows: 24, columns: 80 };
    const floor = { state: 'free', waiting: 0 };
    const result = { watch: number, offset: params['from'], truncated: false, size, floor, ...FACTS };
    write(socket, { id, result: { ...result, ...(paint !== undefined && { paint }) } });
    for (const [name, facts] of notes) {
      write(socket, { method: name, params: { watch: number, offset: 10, at: AT, ...facts } });
    }
    return 'silence';
  });
}

function write(socket: Socket, message: object): void {
  socket.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
}
