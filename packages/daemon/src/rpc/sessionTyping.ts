/** Typing into a session: what it is given, one Enter behind it, and what that produced. */
import { rpcError } from '@pidp10/protocol/errors';
import type { MethodParams } from '@pidp10/protocol/methods';
import type { SessionOutcome } from '@pidp10/protocol/sessionSchemas';
import { exitText } from '../core/sessionLife.ts';
import type { Ask, TimeLeft, Turns } from './asking.ts';
import type { ChannelService } from './channelService.ts';
import type { Call } from './session.ts';
import { hasExited, toSessionOutcome } from './sessionAnswers.ts';
import { attend, type SessionReading, toSessionExpectation, withLimit } from './sessionReading.ts';
import type { SessionService } from './sessionService.ts';

type SendParams = MethodParams<'session.send'>;

/** Enter of a terminal's keyboard: one CR, which the terminal makes a line end of (P12). On pipes a line ends in LF. */
const PTY_ENTER = '\r';
const PIPE_ENTER = '\n';

/** ^S: the terminal shows nothing more until ^Q, or any other key where it is set to that (P14). */
const STOP_OUTPUT = 0x13;
const STOPPED_HINT = 'That was ^S: the terminal may show nothing more until it gets ^Q (bytes [17]).';

export class SessionTyping {
  readonly #turnsOf: (channel: ChannelService) => Turns;
  readonly #reading: SessionReading;

  constructor(turnsOf: (channel: ChannelService) => Turns, reading: SessionReading) {
    this.#turnsOf = turnsOf;
    this.#reading = reading;
  }

  send(session: SessionService, params: SendParams, call: Call): Promise<SessionOutcome> {
    const bytes = toInputBytes(params, session.facts.isPty);
    toSessionExpectation(params); // refused before anything is done
    if (hasExited(session)) throw exited(session); // whoever has the floor
    attend(session.out, call);
    const turns = this.#turnsOf(session.out);
    const send = (ask: Ask, timeLeft: TimeLeft) => this.#send(session, params, bytes, ask, timeLeft);
    const turn = params.urgent ? turns.takeUrgently(call, params, send) : turns.takeFloor(call, params, send);
    const typed = turn.then((made) => {
      if (made === undefined && hasExited(session) && !call.signal.aborted) throw exited(session);
      return made;
    });
    return this.#reading.answer(session, 'out', call, typed);
  }

  async #send(
    session: SessionService,
    params: SendParams,
    bytes: Uint8Array,
    ask: Ask,
    timeLeft: TimeLeft,
  ): Promise<SessionOutcome> {
    const { isPty } = session.facts;
    const verdict = await session.checkInput(bytes);
    if (verdict.kind === 'lineTooLong') {
      const { lineBytes, limitBytes } = verdict;
      const detail = `A line of ${lineBytes} bytes is longer than the ${limitBytes} that the terminal of ${session.id} collects; it would drop the rest without a word. Nothing was sent.`;
      throw rpcError('terminal_line_too_long', detail, { lineBytes, limitBytes });
    }
    const echo = isPty ? await session.echoState() : 'off';
    const asked = ask({
      kind: 'send',
      bytes,
      isUrgent: params.urgent,
      isEchoed: echo !== 'off',
      // On a terminal only who asks for a secret takes lines without showing them.
      isSecret: isPty && echo === 'off',
      closesInput: params.closeInput,
      expectation: withLimit(toSessionExpectation(params), timeLeft),
    });
    const made = toSessionOutcome(session, 'out', await asked, params);
    const outcome = isPty && bytes.at(-1) === STOP_OUTPUT ? { ...made, hint: STOPPED_HINT } : made;
    const { toFile } = params;
    return toFile === undefined ? outcome : this.#reading.toFile(session, toFile, outcome);
  }
}

function exited({ facts }: SessionService): Error {
  const how = exitText(facts.exit ?? {});
  return rpcError('session_exited', `The program has exited (${how}); nothing was sent.`);
}

/** What is typed, Enter included. Throws `invalid_params` when there is nothing to do, or two things. */
export function toInputBytes(
  { input, bytes, enter, closeInput }: Pick<SendParams, 'input' | 'bytes' | 'enter' | 'closeInput'>,
  isPty: boolean,
): Uint8Array {
  if (input !== undefined && bytes !== undefined)
    throw rpcError('invalid_params', 'session.send: either input or bytes. Nothing was sent.');
  if (bytes !== undefined) return Uint8Array.from(bytes);
  if (input === undefined) {
    if (closeInput) return new Uint8Array(0);
    throw rpcError('invalid_params', 'session.send: input, bytes or closeInput is needed. Nothing was sent.');
  }
  return encoder.encode(enter ? `${input}${isPty ? PTY_ENTER : PIPE_ENTER}` : input);
}

const encoder = new TextEncoder();
