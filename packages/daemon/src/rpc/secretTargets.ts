/** Where a secret can go: the line, or a session. What must hold there when it is typed, and how it is typed. */
import { rpcError } from '@pidp10/protocol/errors';
import type { MethodResult } from '@pidp10/protocol/methods';
import type { Settlement } from '../core/events.ts';
import { standsAtSecretPrompt } from '../core/secretPrompt.ts';
import type { ChannelService } from './channelService.ts';
import { hintFor } from './hints.ts';
import type { LineService } from './lineService.ts';
import { toOutcome } from './outcome.ts';
import type { Call } from './session.ts';
import { toSessionOutcome } from './sessionAnswers.ts';
import { attend } from './sessionReading.ts';
import type { SessionService } from './sessionService.ts';

type Outcome = NonNullable<MethodResult<'secret.wait'>['outcome']>;

export interface SecretTarget {
  readonly channel: ChannelService;
  /** Undefined: the line. */
  readonly session: string | undefined;
  /** For people. */
  readonly place: string;
  /** Throws when nothing can be typed there at all. */
  assertOpen(): void;
  /** Before the caller gets anything of its output. */
  attend(call: Call): void;
  /** Throws `secret_unfit`, without a word of it. */
  encode(value: string, hasEnter: boolean): Uint8Array;
  /** Why it must not be typed now; undefined: it may. */
  refusal(bytes: Uint8Array, expect: string | undefined): Promise<string | undefined>;
  toOutcome(settlement: Settlement): Outcome;
}

const CR = 0x0d;
const LF = 0x0a;
const ANSWER = { tidy: true, echo: 'keep', maxChars: 20_000 } as const;
const SHOWN =
  'What is typed there would be shown: echo is not off, and the last words ask for no secret. Nothing was sent.';

export function lineTarget(line: LineService, bits: 7 | 8): SecretTarget {
  return {
    channel: line,
    session: undefined,
    place: 'the terminal line of the PiDP-10',
    assertOpen: () => {
      const { state } = line.channel.facts;
      if (state !== 'open') throw rpcError('line_not_open', `The line is ${state}. Nothing was asked for.`);
    },
    attend: () => undefined,
    encode: (value, hasEnter) => {
      const limit = bits === 7 ? 0x7e : 0xff;
      const codes = Array.from(value, (character) => character.codePointAt(0) ?? 0);
      if (codes.some((code) => code > limit)) {
        throw rpcError('secret_unfit', 'The line carries plain ASCII letters, digits and signs only.');
      }
      return Uint8Array.from(hasEnter ? [...codes, CR] : codes);
    },
    refusal: async (_bytes, expect) => {
      const { activity, echo, transcript } = line.conversation;
      if (standsAtSecretPrompt(transcript, expect)) return undefined;
      // DDT shows what it is told; that a program before it did not says nothing any more.
      return echo === 'off' && activity.kind !== 'ddt' ? undefined : SHOWN;
    },
    toOutcome: (settlement) => {
      const outcome = toOutcome(line, settlement, ANSWER);
      const hint = hintFor(line, outcome);
      return { ...outcome, ...(hint !== undefined && { hint }) };
    },
  };
}

export function sessionTarget(session: SessionService): SecretTarget {
  const { isPty, name } = session.facts;
  return {
    channel: session.out,
    session: session.id,
    place: `the command session ${session.id}${name === undefined ? '' : ` (${name})`}`,
    assertOpen: () => {
      const { state } = session.facts;
      if (state === 'exited' || state === 'lost')
        throw rpcError('session_exited', `${session.id} has exited. Nothing was asked for.`);
    },
    attend: (call) => attend(session.out, call),
    encode: (value, hasEnter) => {
      const bytes = new TextEncoder().encode(value);
      return hasEnter ? Uint8Array.of(...bytes, isPty ? CR : LF) : bytes;
    },
    refusal: async (bytes, expect) => {
      const verdict = await session.checkInput(bytes);
      if (verdict.kind === 'lineTooLong') return 'The terminal would drop the end of it. Nothing was sent.';
      if (standsAtSecretPrompt(session.out.conversation.transcript, expect)) return undefined;
      return (await session.echoState()) === 'off' ? undefined : SHOWN;
    },
    toOutcome: (settlement) => toSessionOutcome(session, 'out', settlement, { ...ANSWER, stripAnsi: true }),
  };
}
