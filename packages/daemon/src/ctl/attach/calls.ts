/** The calls of an attached terminal that type, and what their answers mean for the typist. */
import type { ClientApi } from '@pidp10/protocol/clientApi';
import { RpcError, rpcErrorName } from '@pidp10/protocol/errors';
import { toEscapes } from '@pidp10/protocol/escapes';
import type { Outcome } from '@pidp10/protocol/schemas';
import { describeLine } from '../render.ts';
import { LEASE_MS, type Sent, type Step, type Typist } from './typist.ts';

type Call = Exclude<Step, { kind: 'say' }>;

/** What the answer means to the typist: to be called if the connection still is the same. */
export type Answered = (typist: Typist, nowMs: number) => readonly Step[];

/** Never rejects. */
export async function makeCall(client: ClientApi, call: Call): Promise<Answered> {
  switch (call.kind) {
    case 'request':
      return await requestFloor(client, call.isForced);
    case 'send': {
      const sent = await send(client, call);
      return (typist, nowMs) => typist.handleSent(sent, nowMs);
    }
    case 'release':
      // The daemon tells it to everybody who watches; that it was no longer ours is no fault.
      await client.request('floor.release', { token: call.token }).catch(() => {});
      return () => [];
    default:
      return call satisfies never;
  }
}

async function requestFloor(client: ClientApi, force: boolean): Promise<Answered> {
  try {
    const { token } = await client.request('floor.request', { force, leaseMs: LEASE_MS, waitMs: 0 });
    return (typist, nowMs) => typist.handleGranted(token, nowMs);
  } catch (error) {
    if (!isNamed(error, 'floor_held')) return (typist) => typist.handleRequestFailed(toText(error));
  }
  try {
    const floor = await client.request('floor.status', {});
    return (typist, nowMs) => typist.handleHeld(floor, nowMs);
  } catch (error) {
    return (typist) => typist.handleRequestFailed(toText(error));
  }
}

async function send(
  client: ClientApi,
  { text, token, isPaste, isUrgent }: Extract<Call, { kind: 'send' }>,
): Promise<Sent> {
  try {
    const outcome = await client.request('line.send', {
      input: toEscapes(Buffer.from(text, 'latin1')),
      raw: true,
      timeoutMs: 0,
      echo: 'keep',
      autoMore: false,
      floor: 'fail',
      token,
      paste: isPaste,
      urgent: isUrgent,
    });
    return 'dryRun' in outcome ? { kind: 'sent' } : toSent(outcome);
  } catch (error) {
    if (isNamed(error, 'floor_lost') || isNamed(error, 'floor_held')) return { kind: 'floor_lost' };
    return { kind: 'failed', text: toText(error) };
  }
}

/** What did not go out, or not arrive, is told; all else is on the screen. */
function toSent({ reason, accepted = 0, sent = accepted, overflow, lineState }: Outcome): Sent {
  if (lineState.state !== 'open') return { kind: 'failed', text: describeLine(lineState) };
  if (overflow !== undefined) {
    return {
      kind: 'failed',
      text: `ITS was not reading: input was lost from character ${overflow.offset} on`,
    };
  }
  if (sent >= accepted) return { kind: 'sent' };
  return { kind: 'failed', text: `only ${sent} of ${accepted} characters were sent (${reason})` };
}

export function isNamed(error: unknown, name: ReturnType<typeof rpcErrorName>): boolean {
  return error instanceof RpcError && rpcErrorName(error.code) === name;
}

export function toText(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
