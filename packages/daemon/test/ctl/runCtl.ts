/** pidp10ctl in this process, against a daemon of a few lines. */
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { type TemporaryFolder, temporaryFolder } from '../../../protocol/test/support/folder.ts';
import {
  type Script,
  type ScriptedServer,
  startServer,
} from '../../../protocol/test/support/scriptedServer.ts';
import { run } from '../../src/ctl/run.ts';

export const FACTS = {
  lineState: { state: 'open', host: 'pi', port: 10_018, codec: 'telnet' },
  activity: { kind: 'ddt' },
  echo: 'on',
  epoch: 'e1',
} as const;

export interface CtlOptions {
  readonly stdin?: string | Uint8Array;
  readonly signal?: AbortSignal;
  readonly isTTY?: boolean;
  readonly rows?: number;
  readonly columns?: number;
  /** Standard output cannot be written any more after so many writes: EPIPE. */
  readonly breaksAfter?: number;
}

export class Ctl implements AsyncDisposable {
  readonly folder: string;
  readonly #temporary: TemporaryFolder;
  readonly #server: ScriptedServer;
  stdout = '';
  stdoutBytes = Buffer.alloc(0);
  stderr = '';

  private constructor(temporary: TemporaryFolder, server: ScriptedServer) {
    this.folder = temporary.path;
    this.#temporary = temporary;
    this.#server = server;
  }

  static async start(script: Script): Promise<Ctl> {
    const temporary = temporaryFolder();
    return new Ctl(temporary, await startServer(join(temporary.path, 's'), script));
  }

  /** Parameters of the requests of this method, in order. */
  paramsOf(method: string): readonly Record<string, unknown>[] {
    return this.#server.received.filter((message) => message.method === method).map(({ params }) => params);
  }

  /** Exit code; what was written is in `stdout` and `stderr`. */
  run(argv: readonly string[], options: CtlOptions = {}): Promise<number> {
    const {
      stdin = '',
      signal = new AbortController().signal,
      isTTY = false,
      rows,
      columns,
      breaksAfter,
    } = options;
    this.stdout = '';
    this.stdoutBytes = Buffer.alloc(0);
    this.stderr = '';
    return run(argv, {
      env: { PIDP10D_SOCKET: join(this.folder, 's'), PIDP10_STATE_DIR: this.folder, PATH: '' },
      cwd: this.folder,
      platform: 'linux',
      homedir: this.folder,
      uid: 1,
      stdin: Readable.from([Buffer.from(stdin)]),
      stdout: Object.assign(this.#stdout(breaksAfter), { isTTY, rows, columns }),
      stderr: { write: (text) => (this.stderr += String(text)), isTTY },
      signal,
    });
  }

  #stdout(breaksAfter = Number.POSITIVE_INFINITY) {
    const listeners: (() => void)[] = [];
    let writes = 0;
    return {
      write: (text: string | Uint8Array) => {
        writes += 1;
        if (writes >= breaksAfter) for (const listener of listeners) listener();
        this.stdout += String(text);
        this.stdoutBytes = Buffer.concat([this.stdoutBytes, Buffer.from(text)]);
      },
      once: (_event: 'error', listener: () => void) => void listeners.push(listener),
    };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#server[Symbol.asyncDispose]();
    this.#temporary[Symbol.dispose]();
  }
}
