/** A daemon whose line nobody opens, and a client that runs commands on it. */

import { RpcError } from '@pidp10/protocol/errors';
import type { MethodInput, MethodResult } from '@pidp10/protocol/methods';
import type { DaemonClient } from '@pidp10/protocol/node/daemonClient';
import { type Program, Sandbox } from '../support/sandbox.ts';

type Outcome = MethodResult<'session.read'>;

/** Long enough for a busy machine; a test that waits so long has failed. */
export const PATIENCE_MS = 20_000;

export class SessionRig implements AsyncDisposable {
  readonly sandbox: Sandbox;
  readonly daemon: Program;
  readonly client: DaemonClient;

  private constructor(sandbox: Sandbox, daemon: Program, client: DaemonClient) {
    this.sandbox = sandbox;
    this.daemon = daemon;
    this.client = client;
  }

  static async start(args: readonly string[] = []): Promise<SessionRig> {
    const sandbox = await Sandbox.create();
    const daemon = await sandbox.daemon({ args: ['--host', '127.0.0.1', '--port', '1', ...args] });
    return new SessionRig(sandbox, daemon, await sandbox.connect());
  }

  /** Starts a command and returns its id. */
  async run(
    argv: readonly [string, ...string[]],
    options: Partial<MethodInput<'session.start'>> = {},
  ): Promise<string> {
    const [command, ...args] = argv;
    return (await this.client.request('session.start', { command, args, ...options })).session;
  }

  /** Reads until the text matches, or the command is over; everything that was read. */
  async until(session: string, expect: string): Promise<Outcome> {
    return await this.client.request('session.read', { session, expect, timeoutMs: PATIENCE_MS });
  }

  /** All that a command says until its output ends. */
  async all(session: string, stream: 'out' | 'err' = 'out'): Promise<string> {
    let text = '';
    for (;;) {
      const found = await this.client.request('session.read', {
        session,
        stream,
        timeoutMs: PATIENCE_MS,
        tidy: false,
      });
      text += found.output.text;
      if (found.reason === 'dead' && found.remaining === 0) return text;
      if (found.reason === 'timeout') throw new Error(`no end of output; so far: ${text}`);
    }
  }

  async ended(session: string): Promise<MethodResult<'session.wait'>> {
    return await this.client.request('session.wait', { session, until: 'end', timeoutMs: PATIENCE_MS });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.client.close();
    await this.sandbox[Symbol.asyncDispose]();
  }
}

/** Name of the error that the call rejects with. */
export async function nameOfError(call: Promise<unknown>): Promise<unknown> {
  return nameOf(await call.catch((reason: unknown) => reason));
}

export function nameOf(error: unknown): unknown {
  return error instanceof RpcError ? error.data['name'] : error;
}
