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
}

export class Ctl implements AsyncDisposable {
  readonly folder: string;
  readonly #temporary: TemporaryFolder;
  readonly #server: ScriptedServer;
  stdout = '';
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
    const { stdin = '', signal = new AbortController().signal, isTTY = false, rows } = options;
    this.stdout = '';
    this.stderr = '';
    return run(argv, {
      env: { PIDP10D_SOCKET: join(this.folder, 's'), PIDP10_STATE_DIR: this.folder, PATH: '' },
      platform: 'linux',
      homedir: this.folder,
      uid: 1,
      stdin: Readable.from([Buffer.from(stdin)]),
      stdout: { write: (text: string) => (this.stdout += text), isTTY, rows },
      stderr: { write: (text: string) => (this.stderr += text), isTTY },
      signal,
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#server[Symbol.asyncDispose]();
    this.#temporary[Symbol.dispose]();
  }
}
