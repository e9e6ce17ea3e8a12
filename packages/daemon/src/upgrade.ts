/** Upgrading without hanging up: the running daemon's side, and what a successor takes over (io/handover.ts). */
import { rpcError } from '@pidp10/protocol/errors';
import type { MethodResult } from '@pidp10/protocol/methods';
import * as z from 'zod';
import type { ChannelDriver, HandoverState } from './channelDriver.ts';
import { descriptorOf, type Inherited, type Successor, startSuccessor } from './io/handover.ts';

/** Time for the successor to come up, and to take everything over, in ms: a Pi with a full ring. */
const PATIENCE_MS = 15_000;
/** Time for the calls under way to be answered, and for what was written to be taken, in ms. */
const SETTLE_MS = 1_000;

/** `begins`: it will say `going` when it begins. An older one says nothing more. */
const readyMessage = z.object({
  ready: z.object({ pid: z.int(), version: z.string(), begins: z.boolean().default(false) }),
});
const takenMessage = z.object({ taken: z.object({ end: z.int(), epoch: z.string() }) });
const goMessage = z.object({ go: z.literal(true) });
const goingMessage = z.object({ going: z.literal(true) });
/** The state is ours, of this version or an older one; its parts are checked by whoever restores them. */
const stateMessage = z.object({
  state: z.object({
    epoch: z.string(),
    channel: z.looseObject({}),
    bytesIn: z.int(),
    nextWait: z.int(),
    hasLine: z.boolean(),
    lost: z.array(z.object({ start: z.int(), end: z.int() })).default([]),
  }),
});

export interface UpgradeOptions {
  readonly driver: ChannelDriver;
  readonly lockFd: number;
  readonly listenerFd: number | undefined;
  readonly command: readonly [string, ...string[]];
  readonly env: NodeJS.ProcessEnv;
  /** Calls that are not answered yet, besides the one that asks for this. */
  readonly callsUnderWay: () => number;
  /** Closes the journal, so that the successor can open it; `reopen` undoes it. */
  readonly closeJournal: () => Promise<void>;
  readonly reopenJournal: () => Promise<void>;
}

/**
 * Resolves when the successor has begun: this process has nothing left, and has to end. Rejects with `upgrade_failed`, and
 * then everything is as it was.
 */
export async function upgrade(options: UpgradeOptions): Promise<MethodResult<'daemon.upgrade'>> {
  const { driver, lockFd, listenerFd, command, env } = options;
  if (listenerFd === undefined) {
    throw rpcError('upgrade_failed', 'This Node does not tell the descriptor of its listening socket.');
  }
  let successor: Successor | undefined;
  let undo: () => Promise<void> = async () => undefined;
  try {
    const lineFd = driver.socket && descriptorOf(driver.socket);
    if (driver.socket !== undefined && lineFd === undefined) throw new Error('the line has no descriptor');
    successor = startSuccessor({ lockFd, listenerFd, lineFd, command, env });
    const { ready } = readyMessage.parse(await successor.control.next(PATIENCE_MS));
    await driver.suspend(SETTLE_MS);
    undo = async () => driver.resume();
    await settled(options.callsUnderWay);
    await options.closeJournal();
    undo = async () => {
      await options.reopenJournal();
      driver.resume();
    };
    const state = driver.handover();
    await successor.control.send({ state });
    const { taken } = takenMessage.parse(await successor.control.next(PATIENCE_MS));
    const { end } = driver.channel.conversation.scrollback;
    if (taken.end !== end || taken.epoch !== driver.epoch) {
      throw new Error(`it counts ${taken.end} bytes of ${taken.epoch}, not ${end} of ${driver.epoch}`);
    }
    // A successor that dies before it has begun has touched nothing: line, lock and socket are still ours, too.
    await successor.control.send({ go: true });
    if (ready.begins) goingMessage.parse(await successor.control.next(PATIENCE_MS));
    return { pid: ready.pid, version: ready.version, end };
  } catch (error) {
    successor?.kill();
    await undo();
    const why = error instanceof Error ? error.message : String(error);
    throw rpcError('upgrade_failed', `The successor did not take over: ${why}.`);
  }
}

/** What a successor tells its predecessor, and is told. */
export class Takeover {
  readonly #inherited: Inherited;

  constructor(inherited: Inherited) {
    this.#inherited = inherited;
  }

  get lockFd(): number {
    return this.#inherited.lockFd;
  }

  get listenerFd(): number {
    return this.#inherited.listenerFd;
  }

  get lineFd(): number {
    return this.#inherited.lineFd;
  }

  /** Says that we have come up; resolves with the state once the predecessor stands still. */
  async receive(pid: number, version: string): Promise<HandoverState> {
    await this.#inherited.control.send({ ready: { pid, version, begins: true } });
    const { state } = stateMessage.parse(await this.#inherited.control.next(PATIENCE_MS));
    return state as unknown as HandoverState;
  }

  /** Says what we have taken over; resolves when the predecessor has let go, and knows that we begin. */
  async confirm(taken: { readonly end: number; readonly epoch: string }): Promise<void> {
    await this.#inherited.control.send({ taken });
    goMessage.parse(await this.#inherited.control.next(PATIENCE_MS));
    // One of an older version has ended by now.
    await this.#inherited.control.send({ going: true }).catch(() => undefined);
    this.#inherited.control.close();
  }
}

/** Waits until the calls that were given up have been answered. */
async function settled(callsUnderWay: () => number): Promise<void> {
  const deadline = Date.now() + SETTLE_MS;
  while (callsUnderWay() > 0 && Date.now() < deadline) {
    await new Promise((resolve) => {
      setTimeout(resolve, 2);
    });
  }
}
