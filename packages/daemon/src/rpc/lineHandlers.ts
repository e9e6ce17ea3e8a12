/** Handlers of the line. */
import { rpcError } from '@pidp10/protocol/errors';
import { expandEscapes } from '@pidp10/protocol/escapes';
import type { MethodParams, MethodResult } from '@pidp10/protocol/methods';
import type { Outcome } from '@pidp10/protocol/schemas';
import { PAGER_FLUSH } from '../core/its/pager.ts';
import { type Ask, notBegun, readerOf, type TimeLeft, Turns, type TypingOptions } from './asking.ts';
import { splitCommands } from './commands.ts';
import type { Handlers } from './dispatch.ts';
import { ownExpectation, toExpectation } from './expectation.ts';
import { getFile, putFile } from './files.ts';
import { floorError, toFloor } from './floorFacts.ts';
import { hintFor } from './hints.ts';
import type { LineService } from './lineService.ts';
import { logIn } from './login.ts';
import type { Mailboxes } from './mailboxes.ts';
import { type AnswerOptions, newest, noticesIn, toFacts, toOutcome, toSlice } from './outcome.ts';
import { isPast, peekPast, readPast } from './pastOutput.ts';
import { changedRows } from './screenText.ts';
import { isStopKey, sendAll } from './sending.ts';
import type { Call } from './session.ts';
import { statusOf } from './status.ts';

export interface LineDefaults {
  readonly host: string;
  readonly port: number;
  readonly bits: 7 | 8;
}

type LineMethod = Exclude<
  Extract<keyof Handlers, `line.${string}`>,
  'line.watch' | 'line.unwatch' | 'line.history' | 'line.search' | 'line.mark' | 'line.say'
>;

const UNTOUCHED: AnswerOptions = { tidy: true, echo: 'keep', maxChars: 20_000 };
const FLUSH_LINE = 0x04;
const RUBOUT = 0x7f;
/** What goes to a file is the answer as it came, without our own words. */
const INTO_FILE = { tidy: false, echo: 'strip' } as const;
/** Characters of a text that went to a file which the answer shows all the same. */
const FILE_PREVIEW_CHARS = 1_000;

export function createLineHandlers(
  line: LineService,
  defaults: LineDefaults,
  mailboxes: Mailboxes,
): Pick<Handlers, LineMethod> {
  const turns = new Turns(line);

  /** What was made in the caller's turn, with what he should know beside it. */
  const answer = async (call: Call, turn: Promise<Outcome | undefined>): Promise<Outcome> => {
    const made = await turn;
    if (made === undefined) return { ...notBegun(line, call), ...toFacts(line) };
    const reader = readerOf(call);
    if (call.session.commit === 'auto') {
      call.afterSend(() => {
        line.conversation.readers.commit(reader, made.output.end);
        line.readersChanged();
      });
    }
    const hint = made.hint ?? hintFor(line, made);
    const floor = toFloor(line, reader);
    return {
      ...made,
      ...(isWorthTelling(floor) && { floor }),
      // Who gave the call up does not read its answer, and is told with the next one.
      ...(call.signal.aborted ? {} : mailboxes.take(reader)),
      ...(hint !== undefined && { hint }),
    };
  };

  /** The whole text into a file, its beginning into the answer. A prompt behind it is DDT's, not the text's. */
  const intoFile = async (name: string, { commands: _commands, ...outcome }: Outcome): Promise<Outcome> => {
    const text = outcome.reason === 'prompt' ? outcome.output.text.replace(/\*$/, '') : outcome.output.text;
    const file = await line.saveText(name, text);
    const lines = text.split('\n').length - 1;
    return {
      ...outcome,
      file,
      output: { ...outcome.output, text: text.slice(0, FILE_PREVIEW_CHARS), lines },
    };
  };

  /** A dialogue of our own with DDT: its caller gets the result, and need not read how it came about. */
  const dialogue = async <T>(
    call: Call,
    options: TypingOptions,
    act: (ask: Ask) => Promise<T>,
  ): Promise<T> => {
    const { readers, scrollback } = line.conversation;
    const reader = readerOf(call);
    const made = await turns.takeFloor(call, options, async (ask) => {
      const hadRead = (readers.cursor(reader) ?? 0) >= scrollback.safeEnd;
      try {
        return { result: await act(ask) };
      } finally {
        const { safeEnd } = scrollback;
        readers.hand(reader, safeEnd);
        if (hadRead) readers.commit(reader, safeEnd);
      }
    });
    if (made === undefined) throw rpcError('call_cancelled');
    return made.result;
  };

  return {
    'line.open': (params, call) => {
      const { host = defaults.host, port = defaults.port, timeoutMs } = params;
      const open = async (ask: Ask) =>
        toOutcome(line, await ask({ kind: 'open', host, port, timeoutMs }), UNTOUCHED);
      if (params.login === undefined && params.terminal === undefined) {
        return answer(call, turns.take(call, {}, open));
      }
      const openAndLogIn = async (ask: Ask): Promise<Outcome> => {
        const opened = await open(ask);
        const { login, hint } = await logIn(line, ask, params);
        const { safeEnd } = line.conversation.scrollback;
        const span = { start: opened.output.start, end: Math.max(safeEnd, opened.output.end) };
        line.conversation.readers.hand(readerOf(call), span.end);
        const notices = noticesIn(line, span);
        const { kind } = line.conversation.activity;
        return {
          ...opened,
          ...((kind === 'question' || kind === 'pager') && { reason: kind }),
          output: toSlice(line, { span, isCut: false }, true),
          ...notices,
          login,
          ...(hint !== undefined && { hint }),
          ...toFacts(line),
        };
      };
      return answer(call, turns.takeFloor(call, params, openAndLogIn));
    },

    'line.send': async (params, call) => {
      const expansion = expandEscapes(params.input, { bits: defaults.bits, raw: params.raw });
      if (expansion.kind === 'refused') {
        throw rpcError(expansion.error, `${expansion.message} Nothing was sent.`, {
          position: expansion.position,
        });
      }
      const expectation = toExpectation(params);
      const { bytes } = expansion;
      if (params.dryRun) return dryRun(line, bytes);
      const { toFile } = params;
      const isUrgent = params.urgent ?? isStopKey(bytes);
      const send = async (ask: Ask, timeLeft: TimeLeft) => {
        if (!params.confirm) await assertHarmless(line, ask, bytes);
        const own = toFile === undefined ? params : { ...params, ...INTO_FILE };
        const outcome = await sendAll(line, ask, timeLeft, { bytes, expectation, params: own, isUrgent });
        return toFile === undefined ? outcome : intoFile(toFile, outcome);
      };
      const turn = isUrgent ? turns.takeUrgently(call, params, send) : turns.takeFloor(call, params, send);
      return answer(call, turn);
    },

    'line.read': async (params, call) => {
      const isSpy = call.session.access === 'read';
      const expectation = { ...toExpectation(params), ...(isSpy && { autoMore: false }) };
      const { from, flush, toFile } = params;
      if (flush && isSpy) throw rpcError('read_only');
      const options = { ...params, tidy: params.tidy && toFile === undefined, echo: 'keep' } as const;
      const read = async (ask: Ask, timeLeft: TimeLeft) => {
        const { readers } = line.conversation;
        const start = from ?? readers.cursor(readerOf(call));
        if (!flush && start !== undefined && isPast(line, start)) {
          const { maxChars } = params;
          const answered = await readPast(line, { start, maxChars, tidy: options.tidy });
          const past = { ...answered, ...toFacts(line) };
          if (from === undefined) readers.hand(readerOf(call), past.output.end);
          return toFile === undefined ? past : intoFile(toFile, past);
        }
        const returnAfterMs = timeLeft();
        const own = { ...expectation, ...(returnAfterMs !== undefined && { returnAfterMs }) };
        const settlement = flush
          ? await ask({ kind: 'send', bytes: flushKey(line), expectation: own })
          : await ask({ kind: 'read', expectation: own, ...(from !== undefined && { from }) });
        if (toFile === undefined) return toOutcome(line, settlement, options);
        return intoFile(toFile, toOutcome(line, settlement, { ...options, ...INTO_FILE }));
      };
      return answer(call, flush ? turns.takeFloor(call, params, read) : turns.take(call, params, read));
    },

    'line.peek': async ({ chars }) => {
      const { oldest, safeEnd } = line.conversation.scrollback;
      if (isPast(line, Math.max(safeEnd - chars, 0))) {
        return { output: await peekPast(line, chars), ...toFacts(line) };
      }
      const { span } = newest(line, { start: Math.min(oldest, safeEnd), end: safeEnd }, chars);
      return {
        output: toSlice(line, { span, isCut: span.start > 0 }, false),
        ...toFacts(line),
      };
    },

    'line.status': (_params, call) => statusOf(line, call),

    'line.close': ({ force }, call) => {
      const { holder } = line.conversation.floor;
      const isAtWork = holder !== undefined && (holder.mode === 'asked' || holder.calls > 0);
      if (!force && isAtWork && holder.author.reader !== readerOf(call)) {
        throw floorError(line, { kind: 'held', holder });
      }
      line.close();
      return statusOf(line, call);
    },

    'line.screen': (params) => screenOf(line, params),

    'line.putFile': (params, call) => dialogue(call, params, (ask) => putFile(line, ask, params)),

    'line.getFile': (params, call) => dialogue(call, params, (ask) => getFile(line, ask, params)),

    'line.unstick': (_params, call) => {
      const { state, codec } = line.channel.facts;
      if (state !== 'open') throw rpcError('line_not_open');
      if (codec !== 'telnet') throw rpcError('codec_not_telnet');
      line.unstick();
      return statusOf(line, call);
    },
  };
}

/** Whether the floor is anything but the caller's own, as it always is behind his call. */
function isWorthTelling({ holder, waiting }: Outcome['floor'] & object): boolean {
  return waiting > 0 || (holder !== undefined && (!holder.isYou || holder.kind === 'asked'));
}

/** Throws `confirmation_required` when the input would complete a line of the guard's; what stands of that line is cancelled. */
async function assertHarmless(line: LineService, ask: Ask, bytes: Uint8Array): Promise<void> {
  const { activity, typist } = line.conversation;
  const danger = typist.dangerOf(bytes);
  if (danger === undefined) return;
  const { line: dangerous, pattern, typedChars } = danger;
  if (typedChars > 0) {
    // DDT gives a line up at ^D; other programs know the rubout.
    const cancel = activity.kind === 'ddt' ? [FLUSH_LINE] : Array.from({ length: typedChars }, () => RUBOUT);
    const expectation = ownExpectation({ quietMs: 300, timeoutMs: 2_000, autoMore: false });
    await ask({ kind: 'send', bytes: Uint8Array.from(cancel), expectation });
  }
  const before =
    typedChars > 0 ? ` The ${typedChars} characters of it that stood on the line were cancelled.` : '';
  const detail = `The line ${JSON.stringify(dangerous)} matches the guard's ${pattern}. Nothing of this input was sent.${before}`;
  throw rpcError('confirmation_required', detail, { line: dangerous, pattern, typedChars });
}

/** The key that flushes what a pager holds back. Throws where there is none. */
function flushKey(line: LineService): Uint8Array {
  const { activity } = line.conversation;
  if (activity.kind === 'pager' && activity.pager === 'ddt') return Uint8Array.of(PAGER_FLUSH);
  const what =
    activity.kind === 'pager'
      ? "ITS's **MORE** and a program's own pager have no flush: a space goes on, and any other key is taken as a command."
      : `The line does not stand at a pager (${activity.kind}).`;
  throw rpcError('invalid_params', `flush: ${what} Nothing was sent.`);
}

async function screenOf(
  line: LineService,
  { changedSince, at }: MethodParams<'line.screen'>,
): Promise<MethodResult<'line.screen'>> {
  const { scrollback, transcript } = line.conversation;
  const end = at ?? scrollback.safeEnd;
  const oldest = line.archive?.oldest ?? scrollback.oldest;
  if (end > scrollback.end || end < Math.min(oldest, scrollback.oldest)) {
    const detail = `The screen is known from offset ${oldest} to ${scrollback.end}, not at ${end}.`;
    throw rpcError('offset_out_of_range', detail);
  }
  const screen = isPast(line, end)
    ? (await line.archive.view(end, end)).screenAt(end)
    : transcript.screens.at(end);
  return {
    rows: screen.rows.map((row) => row.trimEnd()),
    changed:
      changedSince === undefined ? screen.rows.map((_, row) => row) : changedRows(screen, changedSince),
    cursor: { row: screen.row, column: screen.column },
    size: { rows: screen.rows.length, columns: screen.rows[0]?.length ?? 0 },
    offset: screen.offset,
    unknown: screen.unknown,
    ...toFacts(line),
  };
}

function dryRun(line: LineService, bytes: Uint8Array): MethodResult<'line.send'> {
  const warnings: string[] = [];
  const { state } = line.channel.facts;
  if (state !== 'open') warnings.push(`The line is ${state}: a real send would be refused.`);
  const { length } = splitCommands(bytes);
  if (length > 1) warnings.push(`It goes as ${length} commands, each when the one before has been answered.`);
  const hex = Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
  return { dryRun: { hex, bytes: bytes.length, warnings } };
}
