/** A daemon on a fake ITS with two clients, Anna and Bob, neither of whom has the floor. */
import { type Fakeline, startFakeline } from '@pidp10/fakeline';
import { RpcError } from '@pidp10/protocol/errors';
import { DaemonClient } from '@pidp10/protocol/node/daemonClient';
import type { Outcome } from '@pidp10/protocol/schemas';
import { proseOf, startLoggedIn } from '../support/itsRig.ts';
import type { LineRig } from '../support/lineRig.ts';
import { eventually } from '../support/processes.ts';

/** A wait that ends only by what the test does. */
export const FOR_EVER = { expect: 'never comes', timeoutMs: 60_000, until: 'prompt' } as const;
/** A paste that takes seconds at this pace of the line. */
export const SLOW = { inputCps: 400 } as const;
export const LONG = `${proseOf(3_000).trimEnd()}~-`;

type SendOptions = Partial<Parameters<typeof DaemonClient.prototype.request<'line.send'>>[1]>;

export async function send(client: DaemonClient, input: string, options: SendOptions = {}): Promise<Outcome> {
  const outcome = await client.request('line.send', { ...options, input });
  if ('dryRun' in outcome) throw new Error('a dry run');
  return outcome;
}

/** The error that a call ends with. */
export async function refusal(call: Promise<unknown>): Promise<RpcError> {
  const error: unknown = await call.then(
    (result) => new Error(`not refused: ${JSON.stringify(result)}`),
    (reason: unknown) => reason,
  );
  if (!(error instanceof RpcError)) throw error;
  return error;
}

export class Clients implements AsyncDisposable {
  readonly a: DaemonClient;
  readonly b: DaemonClient;
  readonly line: Fakeline;
  readonly rig: LineRig;

  private constructor(rig: LineRig, line: Fakeline, [a, b]: readonly [DaemonClient, DaemonClient]) {
    this.rig = rig;
    this.line = line;
    this.a = a;
    this.b = b;
  }

  static async start(options: Parameters<typeof startFakeline>[0] = {}): Promise<Clients> {
    const line = await startFakeline(options);
    const rig = await startLoggedIn(line);
    await rig.client.request('floor.release', {});
    const connect = (name: string) =>
      DaemonClient.connect({ socket: rig.sandbox.socket(), client: { name, version: '1' }, reader: name });
    return new Clients(rig, line, [await connect('anna'), await connect('bob')]);
  }

  /** Brings the line to a program that takes text, and gives the floor back. */
  async creating(): Promise<void> {
    await send(this.a, ':create rms;both text', { expect: 'Type \\^C to end input' });
    await this.a.request('floor.release', {});
  }

  /** Waits until somebody queues for the floor. */
  async queued(): Promise<void> {
    await eventually(
      'somebody queues for the floor',
      async () => (await this.a.request('floor.status', {})).waiting > 0,
    );
  }

  async typing(from: number): Promise<void> {
    await this.line.waitFor(() => this.line.receivedBytes().length > from, {
      what: 'the first of the input',
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.a.close();
    await this.b.close();
    await this.rig[Symbol.asyncDispose]();
    await this.line.close();
  }
}
