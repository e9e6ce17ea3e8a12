/**
 * Secrets that clients ask people for (I19). The value passes through here once, from whoever gives it to the far end: it is kept
 * nowhere, and no error has a word of it. Who asked gets the outcome, and never the value.
 */
import { RpcError, rpcError } from '@pidp10/protocol/errors';
import type { MethodParams, MethodResult } from '@pidp10/protocol/methods';
import type { Settlement } from '../core/events.ts';
import { readerOf, Turns } from './asking.ts';
import type { ChannelService } from './channelService.ts';
import { ownExpectation } from './expectation.ts';
import type { SecretTarget } from './secretTargets.ts';
import { authorOf, type Call, type Session } from './session.ts';
import { wallClock } from './wallClock.ts';

/** Secrets that are asked for at a time: more questions than one person answers. */
export const MAX_OPEN_SECRETS = 8;
/** Secrets whose ending is kept for who asked, the newest. */
export const MAX_KEPT_SECRETS = 32;
/** Longest time in which a given secret queues for the floor, in ms. */
const FLOOR_WAIT_MS = 30_000;
/** Who gave it is told so after this time at the latest, in ms; its outcome may take longer. */
const TELL_MS = 300;
/** The wait for what it produces: a login takes its time. */
const EXPECTATION = { quietMs: 1_000, timeoutMs: 10_000, autoMore: false, maxPages: 0, maxChars: 20_000 };

export type Given = MethodResult<'secret.give'>;

/** A question on its page. */
export interface PageSecret {
  readonly id: string;
  readonly client: string;
  readonly place: string;
  readonly message: string;
  readonly expiresAt: string;
  /** What stands there as the last words now. */
  lastLine(): string;
  /** Rejects with an RpcError whose message is for people. */
  give(value: string): Promise<Given>;
}

/** Where people give secrets, besides `secret.give`. */
export interface SecretPages {
  /** Resolves with the address. */
  publish(secret: PageSecret): Promise<string>;
  withdraw(id: string): void;
}

type Ending = Omit<MethodResult<'secret.wait'>, 'secret'>;

interface Typed {
  /** For who asked. */
  readonly ending: Ending;
  /** For who gave it. */
  readonly given: Given;
}

interface Asked {
  readonly id: string;
  readonly owner: Session;
  readonly target: SecretTarget;
  readonly params: MethodParams<'secret.request'>;
  readonly expiresAt: string;
  readonly giveUp: AbortController;
  /** `giving`: the value is on its way. */
  state: 'open' | 'giving' | 'over';
  ending: Ending;
  readonly listeners: Set<() => void>;
  timer: Disposable | undefined;
}

export class Secrets {
  readonly #pages: SecretPages;
  readonly #asked = new Map<string, Asked>();
  readonly #turns = new WeakMap<ChannelService, Turns>();
  #count = 0;

  constructor(pages: SecretPages) {
    this.#pages = pages;
  }

  async request(
    target: SecretTarget,
    params: MethodParams<'secret.request'>,
    call: Call,
  ): Promise<MethodResult<'secret.request'>> {
    target.assertOpen();
    if ([...this.#asked.values()].filter(({ state }) => state !== 'over').length >= MAX_OPEN_SECRETS)
      throw rpcError('too_many_secrets');
    target.attend(call);
    const { channel } = target;
    this.#count += 1;
    const asked: Asked = {
      id: `k${this.#count}`,
      owner: call.session,
      target,
      params,
      expiresAt: wallClock(channel, channel.nowMs() + params.timeoutMs),
      giveUp: new AbortController(),
      state: 'open',
      ending: { state: 'pending' },
      listeners: new Set(),
      timer: undefined,
    };
    this.#asked.set(asked.id, asked);
    this.#forgetOld();
    asked.timer = channel.every(params.timeoutMs, () => {
      if (asked.state === 'open') this.#end(asked, { state: 'expired' });
    });
    try {
      const url = await this.#pages.publish(this.#toPage(asked));
      // Its owner may have gone meanwhile.
      if (asked.state === 'over') this.#pages.withdraw(asked.id);
      return { secret: asked.id, url, expiresAt: asked.expiresAt };
    } catch (error) {
      this.#end(asked, { state: 'cancelled' });
      throw error;
    }
  }

  /** Types it, if what it is typed into does not show it. Resolves once it is out, or refused. */
  async give({ secret, value }: MethodParams<'secret.give'>): Promise<Given> {
    const asked = this.#find(secret);
    if (asked.state !== 'open') throw rpcError('secret_over');
    const bytes = asked.target.encode(value, asked.params.enter);
    asked.state = 'giving';
    return await new Promise<Given>((resolve, reject) => {
      const settle = ({ ending, given }: Typed) => {
        this.#end(asked, ending);
        resolve(given);
      };
      const fail = (error: unknown) => {
        this.#end(asked, { state: 'cancelled' });
        reject(error);
      };
      this.#type(asked, bytes, () => resolve({ state: 'sent' }))
        .finally(() => bytes.fill(0))
        .then(settle, fail);
    });
  }

  async wait(
    { secret, returnAfterMs, progressEveryMs }: MethodParams<'secret.wait'>,
    call: Call,
  ): Promise<MethodResult<'secret.wait'>> {
    const asked = this.#find(secret, call);
    const { channel } = asked.target;
    const bornMs = channel.nowMs();
    const tell = () => call.sendProgress({ elapsedMs: Math.round(channel.nowMs() - bornMs), bytes: 0 });
    using _progress = progressEveryMs === undefined ? undefined : channel.every(progressEveryMs, tell);
    await over(asked, returnAfterMs, call.signal);
    const { ending } = asked;
    const { outcome } = ending;
    if (outcome !== undefined && call.session.commit === 'auto') {
      call.afterSend(() => {
        channel.conversation.readers.commit(readerOf(call), outcome.output.end);
        channel.readersChanged();
      });
    }
    return { secret, ...ending };
  }

  cancel({ secret }: MethodParams<'secret.cancel'>, call: Call): Record<string, never> {
    const asked = this.#find(secret, call);
    if (asked.state === 'open') this.#end(asked, { state: 'cancelled' });
    asked.giveUp.abort();
    return {};
  }

  list(): MethodResult<'secret.list'> {
    const open = [...this.#asked.values()].filter(({ state }) => state === 'open');
    return {
      secrets: open.map(({ id, owner, target, params, expiresAt }) => ({
        secret: id,
        client: authorOf(owner).client,
        ...(target.session !== undefined && { session: target.session }),
        message: params.message,
        lastLine: lastLineOf(target),
        expiresAt,
      })),
    };
  }

  /** The connection is gone, and nobody waits for what it asked for. */
  forget(session: Session): void {
    for (const asked of this.#asked.values()) {
      if (asked.owner !== session) continue;
      asked.giveUp.abort();
      if (asked.state === 'open') this.#end(asked, { state: 'cancelled' });
    }
  }

  async #type(asked: Asked, bytes: Uint8Array, onSent: () => void): Promise<Typed> {
    const { target, owner, params, giveUp } = asked;
    const { channel } = target;
    const call: Call = {
      id: 0,
      signal: giveUp.signal,
      session: owner,
      sendProgress: () => undefined,
      afterSend: () => undefined,
    };
    const refused = (why: string) =>
      ({ ending: { state: 'refused', why }, given: { state: 'refused', why } }) as const;
    try {
      const options = { floor: 'wait', floorWaitMs: FLOOR_WAIT_MS } as const;
      const made = await this.#turnsOf(channel).takeFloor(call, options, async (ask) => {
        const why = await target.refusal(bytes, params.expect);
        if (why !== undefined) return refused(why);
        const before = channel.conversation.mask.maskedBytes;
        const asking = ask({
          kind: 'send',
          bytes,
          isSecret: true,
          isMasked: true,
          expectation: ownExpectation(EXPECTATION),
        });
        const settlement = await tellIn(channel, asking, onSent);
        const masked = channel.conversation.mask.maskedBytes - before;
        return { ending: toEnding(target, settlement, masked), given: { state: 'sent' } as const };
      });
      return (
        made ?? { ...refused('Whoever asked is gone. Nothing was sent.'), ending: { state: 'cancelled' } }
      );
    } catch (error) {
      if (error instanceof RpcError) return refused(error.message);
      throw error;
    }
  }

  #toPage(asked: Asked): PageSecret {
    const { id, owner, target, params, expiresAt } = asked;
    return {
      id,
      client: authorOf(owner).client,
      place: target.place,
      message: params.message,
      expiresAt,
      lastLine: () => lastLineOf(target),
      give: (value) => this.give({ secret: id, value }),
    };
  }

  /** Throws `secret_unknown`. With a call: only what its reader asked for. */
  #find(secret: string, call?: Call): Asked {
    const asked = this.#asked.get(secret);
    const isTheirs =
      asked !== undefined && (call === undefined || authorOf(asked.owner).reader === readerOf(call));
    if (!isTheirs) throw rpcError('secret_unknown', `There is no secret ${JSON.stringify(secret)}.`);
    return asked;
  }

  #end(asked: Asked, ending: Ending): void {
    if (asked.state === 'over') return;
    asked.state = 'over';
    asked.ending = ending;
    asked.timer?.[Symbol.dispose]();
    this.#pages.withdraw(asked.id);
    for (const listener of asked.listeners) listener();
  }

  #forgetOld(): void {
    for (const [id, { state }] of this.#asked) {
      if (this.#asked.size <= MAX_KEPT_SECRETS) return;
      if (state === 'over') this.#asked.delete(id);
    }
  }

  #turnsOf(channel: ChannelService): Turns {
    const known = this.#turns.get(channel) ?? new Turns(channel);
    this.#turns.set(channel, known);
    return known;
  }
}

/** Resolves when it is over, when so much time has passed, or when nobody waits for it any more. */
async function over(asked: Asked, patienceMs: number | undefined, signal: AbortSignal): Promise<void> {
  if (asked.state === 'over' || signal.aborted) return;
  let go = (): void => undefined;
  const gone = new Promise<void>((resolve) => {
    go = resolve;
  });
  asked.listeners.add(go);
  signal.addEventListener('abort', go, { once: true });
  using _patience = patienceMs === undefined ? undefined : asked.target.channel.every(patienceMs, go);
  try {
    await gone;
  } finally {
    asked.listeners.delete(go);
    signal.removeEventListener('abort', go);
  }
}

function lastLineOf({ channel }: SecretTarget): string {
  return channel.conversation.scrollback.lastLine().line;
}

function toEnding(target: SecretTarget, settlement: Settlement, masked: number): Ending {
  const outcome = target.toOutcome(settlement);
  return {
    state: 'sent',
    outcome,
    ...(masked > 0 && {
      masked,
      hint: `It was echoed all the same: ${masked} bytes of it were masked in the output. Whatever reads it there shows passwords.`,
    }),
  };
}

/** Calls `onSoon` when it has not been refused for a moment. */
async function tellIn<T>(channel: ChannelService, asking: Promise<T>, onSoon: () => void): Promise<T> {
  using _timer = channel.every(TELL_MS, onSoon);
  return await asking;
}
