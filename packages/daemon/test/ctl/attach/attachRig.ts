/** An attached terminal in this process: a scripted daemon, a terminal that only remembers, signals that hit nobody. */
import { EventEmitter } from 'node:events';
import type { Socket } from 'node:net';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { eventually } from '../../../../../test/support/processes.ts';
import { type TemporaryFolder, temporaryFolder } from '../../../../protocol/test/support/folder.ts';
import {
  type Script,
  type ScriptedServer,
  startServer,
} from '../../../../protocol/test/support/scriptedServer.ts';
import type { AttachEnd } from '../../../src/ctl/attach/attachment.ts';
import { LineTarget } from '../../../src/ctl/attach/lineTarget.ts';
import { attach } from '../../../src/ctl/attach/session.ts';
import type { AttachTarget } from '../../../src/ctl/attach/target.ts';
import { Arguments } from '../../../src/ctl/command.ts';
import { DaemonAccess } from '../../../src/ctl/daemonAccess.ts';

export const FREE = { state: 'free', waiting: 0 };
export const MINE = toFloor({ client: 'pidp10ctl', isYou: true });
export const THEIRS = toFloor({ client: 'claude', reader: 'agent', isYou: false });

function toFloor(holder: object) {
  return { state: 'held', holder: { kind: 'asked', since: '2031-01-01T00:00:00Z', ...holder }, waiting: 0 };
}

export const FACTS = {
  lineState: { state: 'open', codec: 'telnet' },
  activity: { kind: 'ddt' },
  echo: 'on',
  epoch: 'e1',
};
/** A program on a terminal of its own. */
export const PROGRAM = {
  session: 's3',
  name: 'edit',
  state: 'running',
  isPty: true,
  outputState: 'open',
  epoch: 'e1',
} as const;
const SLICE = { start: 0, end: 0, text: '', truncated: false, lines: 0 };

class FakeInput extends PassThrough {
  readonly isTTY = true;
  readonly modes: boolean[] = [];
  setRawMode(isRaw: boolean): void {
    this.modes.push(isRaw);
  }
}

class FakeOutput extends EventEmitter {
  readonly isTTY = true;
  rows: number;
  columns: number;
  text = '';
  constructor(rows: number, columns: number) {
    super();
    this.rows = rows;
    this.columns = columns;
  }
  write(text: string | Uint8Array): void {
    this.text += String(text);
  }
}

class FakeSignals extends EventEmitter {
  readonly pid = 1;
  readonly killed: string[] = [];
  kill(_pid: number, signal: string): true {
    this.killed.push(signal);
    return true;
  }
}

export interface RigOptions {
  readonly rows?: number;
  readonly columns?: number;
  readonly access?: 'full' | 'read';
  /** Before the usual answers. */
  readonly script?: Script;
  readonly floor?: object;
  readonly target?: AttachTarget;
}

export class AttachRig implements AsyncDisposable {
  readonly input = new FakeInput();
  readonly output: FakeOutput;
  readonly signals = new FakeSignals();
  readonly interrupt = new AbortController();
  readonly ended: Promise<AttachEnd>;
  readonly #temporary: TemporaryFolder;
  readonly #script: Script;
  #server: ScriptedServer;
  #watch = 0;
  /** Of the program's terminal. */
  #size: object;
  #tokens = 4;

  private constructor(temporary: TemporaryFolder, options: RigOptions) {
    const { rows = 30, columns = 90, access = 'full', script, floor = FREE } = options;
    const { target = new LineTarget() } = options;
    let current: object = floor;
    this.#temporary = temporary;
    this.#size = { rows, columns };
    this.output = new FakeOutput(rows, columns);
    this.#server = { received: [], sockets: new Set(), [Symbol.asyncDispose]: async () => {} };
    this.#script = (message, socket) => {
      const answer = script?.(message, socket);
      if (answer !== undefined) return answer;
      switch (message.method) {
        case 'line.watch':
          this.#watch += 1;
          return {
            result: {
              watch: this.#watch,
              offset: 0,
              truncated: false,
              paint: `<paint ${this.#watch}>`,
              size: { rows: 24, columns: 80 },
              floor: current,
              ...FACTS,
            },
          };
        case 'floor.request':
          this.#tokens += 1;
          current = MINE;
          return { result: { token: this.#tokens, floor: MINE } };
        case 'line.send':
          return { result: { reason: 'timeout', output: SLICE, accepted: 1, sent: 1, ...FACTS } };
        case 'session.watch':
          this.#watch += 1;
          return { result: { watch: this.#watch, offset: 9, truncated: false, floor: current, ...PROGRAM } };
        case 'session.screen':
          return {
            result: {
              rows: [`screen ${this.#watch + 1}`],
              cursor: { row: 0, column: 3 },
              isAlternate: false,
              size: this.#size,
              offset: 9,
              ...PROGRAM,
            },
          };
        case 'session.send':
          return {
            result: { reason: 'timeout', stream: 'out', output: SLICE, accepted: 1, sent: 1, ...PROGRAM },
          };
        case 'session.resize':
          this.#size = { rows: message.params['rows'], columns: message.params['columns'] };
          return { result: PROGRAM };
        case 'session.unwatch':
          return { result: {} };
        case 'floor.release':
          current = FREE;
          return { result: FREE };
        case 'line.unwatch':
          return { result: {} };
        default:
          return undefined;
      }
    };
    const daemon = new DaemonAccess({
      args: new Arguments([], {}),
      env: { PIDP10D_SOCKET: join(temporary.path, 's'), PIDP10_STATE_DIR: temporary.path },
      platform: 'linux',
      homedir: temporary.path,
      uid: 1,
      signal: this.interrupt.signal,
      note: () => {},
    });
    const { input, output, signals, interrupt } = this;
    const fake: unknown = signals;
    this.ended = this.#listen().then(() =>
      attach({
        daemon,
        target,
        input,
        output,
        signals: fake as NodeJS.Process,
        access,
        escapeKey: 5,
        signal: interrupt.signal,
      }),
    );
    this.ended.catch(() => {});
  }

  /** Attached, with the first painting on the terminal. */
  static async start(options: RigOptions = {}): Promise<AttachRig> {
    const rig = new AttachRig(temporaryFolder(), options);
    // The status line comes last, where there is one.
    const painted = options.target === undefined ? '\x1b7' : 'screen 1';
    await Promise.race([rig.ended, rig.until('the first watch', () => rig.output.text.includes(painted))]);
    return rig;
  }

  until(what: string, isThere: () => boolean): Promise<void> {
    return eventually(`${what} in ${JSON.stringify(this.output.text.slice(-600))}`, isThere, 8_000);
  }

  untilShown(text: string): Promise<void> {
    return this.until(`"${text}"`, () => this.output.text.includes(text));
  }

  type(text: string): void {
    this.input.write(Buffer.from(text));
  }

  paramsOf(method: string): readonly Record<string, unknown>[] {
    return this.#server.received.filter((message) => message.method === method).map(({ params }) => params);
  }

  async untilCalled(method: string, times = 1): Promise<Record<string, unknown>> {
    await this.until(`call ${times} of ${method}`, () => this.paramsOf(method).length >= times);
    return this.paramsOf(method)[times - 1] ?? {};
  }

  /** Sends a notification of the newest watch. */
  notify(method: string, params: object): void {
    const facts = { watch: this.#watch, offset: 0, at: '2031-01-01T00:00:00Z', ...params };
    for (const socket of this.#server.sockets) write(socket, { method, params: facts });
  }

  hear(text: string): void {
    this.notify('line.output', { start: 0, end: 1, text });
  }

  /** The daemon ends; another one may come in its place. */
  async endDaemon(): Promise<void> {
    await this.#server[Symbol.asyncDispose]();
  }

  async startDaemon(): Promise<void> {
    await this.#listen();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.interrupt.abort();
    await this.ended.catch(() => {});
    await this.#server[Symbol.asyncDispose]();
    this.#temporary[Symbol.dispose]();
  }

  async #listen(): Promise<void> {
    this.#server = await startServer(join(this.#temporary.path, 's'), this.#script);
  }
}

function write(socket: Socket, message: object): void {
  socket.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
}
