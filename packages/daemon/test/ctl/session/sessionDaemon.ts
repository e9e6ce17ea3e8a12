/** A daemon of a few lines with command sessions, for commands about them. */
import type { Socket } from 'node:net';
import type { Script } from '../../../../protocol/test/support/scriptedServer.ts';
import { Ctl } from '../runCtl.ts';

export const RUNNING = {
  session: 's3',
  name: 'build',
  state: 'running',
  isPty: false,
  outputState: 'open',
  epoch: 'e1',
} as const;
export const EXITED = {
  ...RUNNING,
  state: 'exited',
  outputState: 'ended',
  exit: { code: 7, status: 7 },
} as const;
export const KILLED = { ...EXITED, exit: { signal: 'SIGTERM', status: 143 } } as const;
export const SLICE = { start: 0, end: 0, text: '', truncated: false, lines: 0 };
export const STATUS = {
  ...RUNNING,
  command: 'make',
  cwd: '/home/anna',
  pid: 4711,
  splitStderr: false,
  startedAt: '2031-01-01T00:00:00.000Z',
  startedBy: 'pidp10ctl',
  end: 100,
  oldest: 0,
  unread: 0,
  pendingBytes: 0,
  echo: 'off',
} as const;

export type Note = readonly [method: string, params: object];

export const output = (start: number, text: string): Note => [
  'session.output',
  { start, end: start + text.length, text },
];
export const END: Note = ['session.watchEnded', {}];

export interface SessionDaemonOptions {
  /** Before the usual answers. */
  readonly script?: Script;
  /** What a watch of this stream tells, one watch after the other. */
  readonly out?: readonly (readonly Note[])[];
  readonly err?: readonly (readonly Note[])[];
}

/** What it does not know is answered with nothing, but watches, searches and unwatching. */
export function startSessions({ script, out = [], err = [] }: SessionDaemonOptions = {}): Promise<Ctl> {
  let number = 0;
  const told = { out: [...out], err: [...err] };
  return Ctl.start((message, socket) => {
    const answer = script?.(message, socket);
    if (answer !== undefined) return answer;
    const { id, method, params } = message;
    if (method === 'session.unwatch') return { result: {} };
    if (method === 'session.search') {
      const match = { start: 100 - 7 * Number(params['limit']), end: 100, line: 'x' };
      return { result: { matches: [match], searched: { from: 0, to: 100 }, isComplete: true } };
    }
    if (method !== 'session.watch') return undefined;
    number += 1;
    const floor = { state: 'free', waiting: 0 };
    const result = { watch: number, offset: params['from'] ?? 0, truncated: false, floor, ...RUNNING };
    write(socket, { id, result });
    const notes = told[params['stream'] === 'err' ? 'err' : 'out'].shift() ?? [];
    for (const [name, facts] of notes) {
      const about = { watch: number, offset: 0, at: '2031-01-01T00:00:00.000Z' };
      write(socket, { method: name, params: { ...about, ...facts } });
    }
    return 'silence';
  });
}

/** Answers this one method. */
export function answering(method: string, result: object): Script {
  return (message) => (message.method === method ? { result } : undefined);
}

export function refusing(method: string, code: number, message: string): Script {
  return (asked) => (asked.method === method ? { error: { code, message, data: {} } } : undefined);
}

function write(socket: Socket, message: object): void {
  socket.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
}
