/** A daemon in a sandbox with one client, set up for a line at some local port. The far end is the test's business. */
import { RpcError } from '@pidp10/protocol/errors';
import type { MethodInput, MethodName } from '@pidp10/protocol/methods';
import type { DaemonClient } from '@pidp10/protocol/node/daemonClient';
import type { Outcome } from '@pidp10/protocol/schemas';
import { type Program, type RunOptions, Sandbox } from './sandbox.ts';

/** `pnpm soak`: the whole of a case instead of a slice. */
export const IS_SOAK = process.env['PIDP10_SOAK'] === '1';

export interface RigOptions extends RunOptions {
  readonly port: number;
}

export class LineRig implements AsyncDisposable {
  readonly sandbox: Sandbox;
  readonly daemon: Program;
  client: DaemonClient;

  private constructor(sandbox: Sandbox, daemon: Program, client: DaemonClient) {
    this.sandbox = sandbox;
    this.daemon = daemon;
    this.client = client;
  }

  static async start({ port, args = [], ...options }: RigOptions): Promise<LineRig> {
    const sandbox = await Sandbox.create();
    try {
      const daemon = await sandbox.daemon({
        ...options,
        args: ['--host', '127.0.0.1', '--port', String(port), ...args],
      });
      return new LineRig(sandbox, daemon, await sandbox.connect());
    } catch (error) {
      await sandbox[Symbol.asyncDispose]();
      throw error;
    }
  }

  /** A new client in place of the one that has lost its daemon. */
  async reconnect(): Promise<void> {
    await this.client.close();
    this.client = await this.sandbox.connect();
  }

  /** Name and message of the error that the request must end with. */
  async failure<M extends MethodName>(
    method: M,
    input: MethodInput<M>,
  ): Promise<{ readonly name: unknown; readonly message: string }> {
    const error = await this.client.request(method, input).then(
      (result) => new Error(`${method} was answered with ${JSON.stringify(result)}`),
      (reason: unknown) => reason,
    );
    if (!(error instanceof RpcError)) throw error;
    return { name: error.data['name'], message: error.message };
  }

  async open(input: MethodInput<'line.open'> = {}): Promise<Outcome> {
    return this.client.request('line.open', input);
  }

  async send(input: string, options: Partial<MethodInput<'line.send'>> = {}): Promise<Outcome> {
    const result = await this.client.request('line.send', { ...options, input });
    if ('dryRun' in result) throw new Error('a dry run');
    return result;
  }

  /** Waits for the line to reach a state; asks again and again, because nothing announces it. */
  async untilState(state: Outcome['lineState']['state']): Promise<Outcome['lineState']> {
    for (;;) {
      const { lineState } = await this.client.request('line.status', {});
      if (lineState.state === state) return lineState;
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.client.close();
    await this.sandbox[Symbol.asyncDispose]();
  }
}
