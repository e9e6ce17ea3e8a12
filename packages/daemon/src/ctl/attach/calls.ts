/** The calls of an attached terminal that type, and what their answers mean for the typist. */
import type { ClientApi } from '@pidp10/protocol/clientApi';
import { RpcError, rpcErrorName } from '@pidp10/protocol/errors';
import type { AttachTarget } from './target.ts';
import { LEASE_MS, type Sent, type Step, type Typist } from './typist.ts';

type Call = Exclude<Step, { kind: 'say' }>;
type Target = Pick<AttachTarget, 'floorOf' | 'send'>;

/** What the answer means to the typist: to be called if the connection still is the same. */
export type Answered = (typist: Typist, nowMs: number) => readonly Step[];

/** Never rejects. */
export async function makeCall(client: ClientApi, target: Target, call: Call): Promise<Answered> {
  switch (call.kind) {
    case 'request':
      return await requestFloor(client, target, call.isForced);
    case 'send': {
      const sent = await target.send(client, call, call.token);
      return (typist, nowMs) => typist.handleSent(sent, nowMs);
    }
    case 'release':
      // The daemon tells it to everybody who watches; that it was no longer ours is no fault.
      await client.request('floor.release', { ...target.floorOf, token: call.token }).catch(() => {});
      return () => [];
    default:
      return call satisfies never;
  }
}

async function requestFloor(client: ClientApi, { floorOf }: Target, force: boolean): Promise<Answered> {
  try {
    const input = { ...floorOf, force, leaseMs: LEASE_MS, waitMs: 0 };
    const { token } = await client.request('floor.request', input);
    return (typist, nowMs) => typist.handleGranted(token, nowMs);
  } catch (error) {
    if (!isNamed(error, 'floor_held')) return (typist) => typist.handleRequestFailed(toText(error));
  }
  try {
    const floor = await client.request('floor.status', floorOf);
    return (typist, nowMs) => typist.handleHeld(floor, nowMs);
  } catch (error) {
    return (typist) => typist.handleRequestFailed(toText(error));
  }
}

/** Of a send that was refused. */
export function toRefused(error: unknown): Sent {
  if (isNamed(error, 'floor_lost') || isNamed(error, 'floor_held')) return { kind: 'floor_lost' };
  return { kind: 'failed', text: toText(error) };
}

export function isNamed(error: unknown, name: ReturnType<typeof rpcErrorName>): boolean {
  return error instanceof RpcError && rpcErrorName(error.code) === name;
}

export function toText(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
