/** Answers of sessions for the wire: text of a span in the form that was asked for, and the session's facts beside it. */
import type { Slice } from '@pidp10/protocol/schemas';
import type { SessionOutcome, SessionStatus } from '@pidp10/protocol/sessionSchemas';
import type { Settlement, Span } from '../core/events.ts';
import { readerOf } from './asking.ts';
import type { ChannelService } from './channelService.ts';
import { toFloor } from './floorFacts.ts';
import { type Answer, answerSpan, toAnswer } from './outcome.ts';
import type { Call } from './session.ts';
import type { SessionService, StreamPlace } from './sessionService.ts';

export type Stream = 'out' | 'err';

export interface SessionAnswerOptions {
  readonly tidy: boolean;
  readonly echo: 'keep' | 'strip';
  readonly maxChars: number;
  readonly stripAnsi: boolean;
}

/** To who waited for a program that paints, the text is half the truth. */
const PAINTED_ENDS: ReadonlySet<SessionOutcome['reason']> = new Set(['matched', 'quiet', 'timeout']);
const PAINTED_HINT = 'The program paints its terminal: read_screen (session.screen) shows it as it is now.';

export function toSessionOutcome(
  session: SessionService,
  stream: Stream,
  settlement: Settlement,
  options: SessionAnswerOptions,
): SessionOutcome {
  const channel = streamOf(session, stream);
  // A command's text is what it said, also while it paints: nothing of it is left out for the sake of the screen.
  const spoken = toAnswer(channel, { ...settlement, isPainting: false }, options);
  const hint = settlement.isPainting && PAINTED_ENDS.has(spoken.reason) ? PAINTED_HINT : undefined;
  const answer = { ...spoken, ...(hint !== undefined && { hint }) };
  if (options.stripAnsi) return withFacts(session, stream, answer);
  const { before } = answer;
  return withFacts(session, stream, {
    ...answer,
    output: rawSlice(channel, answerSpan(settlement, options)),
    ...(before !== undefined && { before: rawSlice(channel, before) }),
  });
}

/** An answer with what is to be known of the session, and without what only the line has. */
export function withFacts(session: SessionService, stream: Stream, answer: Answer): SessionOutcome {
  const { pages: _pages, notices: _notices, folds: _folds, screen: _screen, ...rest } = answer;
  const { commands: _commands, login: _login, overflow: _overflow, ...own } = rest;
  const hint = own.hint ?? hintFor(session, { ...own, stream });
  return { ...own, stream, ...(hint !== undefined && { hint }), ...session.facts };
}

/** The bytes as they came, as UTF-8; what is none shows as U+FFFD. */
export function rawSlice(channel: ChannelService, { start, end }: Span): Slice {
  const { scrollback } = channel.conversation;
  const from = Math.min(Math.max(start, scrollback.oldest), end);
  const text = decoder.decode(scrollback.bytes(from, end));
  return { start: from, end, text, truncated: start < from, lines: text.split('\n').length - 1 };
}

const decoder = new TextDecoder('utf-8', { ignoreBOM: true });

/** The end of a span of `maxBytes` at most that cuts no character; the rest is for the next answer. */
export function rawEnd(channel: ChannelService, { start, end }: Span, maxBytes: number): number {
  if (end - start <= maxBytes) return end;
  const bytes = channel.conversation.scrollback.bytes(start, start + maxBytes + 1);
  let length = maxBytes;
  while (length > 1 && isContinuation(bytes[length])) length -= 1;
  return start + length;
}

function isContinuation(byte: number | undefined): boolean {
  return byte !== undefined && (byte & 0xc0) === 0x80;
}

/** Throws when the session has no such stream. */
export function streamOf(session: SessionService, stream: Stream): ChannelService {
  const channel = stream === 'out' ? session.out : session.err;
  return channel ?? session.out; // merged: stderr is in `out`
}

/** Where a stream stands, for a reader. */
export function placeOf({ archive, conversation }: ChannelService, reader: string): StreamPlace {
  const { readers, scrollback } = conversation;
  const { end, oldest } = scrollback;
  return {
    end,
    oldest: Math.min(archive?.oldest ?? oldest, oldest),
    unread: end - (readers.cursor(reader) ?? 0),
  };
}

export function hasExited({ facts }: SessionService): boolean {
  return facts.state === 'exited' || facts.state === 'lost';
}

/** Nothing more will come: the program has exited and its output has ended. */
export function isOver(session: SessionService): boolean {
  return hasExited(session) && session.facts.outputState === 'ended';
}

function hintFor(
  session: SessionService,
  answer: Pick<SessionOutcome, 'reason' | 'output' | 'remaining' | 'sent' | 'accepted' | 'stream'>,
): string | undefined {
  const { reason, output, remaining = 0, sent, accepted } = answer;
  const { state, outputState } = session.facts;
  if (sent !== undefined && accepted !== undefined && sent < accepted && reason !== 'still_waiting')
    return `The program took only ${sent} of ${accepted} bytes of input; the rest was given up.`;
  switch (reason) {
    case 'limit':
      return `${remaining} more bytes wait; read gives them.`;
    case 'still_waiting':
      return 'The program runs on: read again for the rest.';
    case 'timeout':
    case 'quiet':
      if (outputState === 'held')
        return 'The program has exited, but processes that it started hold its output open; session.status names them, stop ends them.';
      if (output.text !== '' || state !== 'running') return undefined;
      return sent === undefined
        ? 'Nothing new was printed; the program runs on.'
        : 'Nothing came back so far: the program is at work, or waits for more.';
    case 'dead':
      if (state === 'lost') return 'Its daemon ended without a word: how the program ended is not known.';
      return outputState === 'held'
        ? 'The program has exited; processes that it started hold its output open, and more may come.'
        : undefined;
    default:
      return undefined;
  }
}

export interface StatusOptions {
  readonly hasArgs: boolean;
  readonly hasProcesses: boolean;
}

export function toStatus(session: SessionService, call: Call, options: StatusOptions): SessionStatus {
  const { details, facts, inMemory } = session;
  const { hasArgs, hasProcesses } = options;
  const reader = readerOf(call);
  const [out] = inMemory;
  const err = session.place('err', reader);
  const { lastByteMs, typist, echo } = out?.conversation ?? {};
  const { pid, size, exitedAt, stopCause, expiresAt } = details;
  return {
    ...facts,
    command: details.command,
    ...(hasArgs && { args: [...details.args] }),
    cwd: details.cwd,
    ...(pid !== undefined && { pid }),
    ...(size !== undefined && { size }),
    splitStderr: details.splitStderr,
    startedAt: details.startedAt,
    startedBy: details.startedBy,
    ...(exitedAt !== undefined && { exitedAt }),
    ...(stopCause !== undefined && { stopCause }),
    ...(session.place('out', reader) ?? NOWHERE),
    ...(err !== undefined && { errEnd: err.end, errUnread: err.unread }),
    pendingBytes: typist?.pendingBytes ?? 0,
    ...(out !== undefined &&
      lastByteMs !== undefined && { msSinceLastByte: Math.round(out.nowMs() - lastByteMs) }),
    echo: echo ?? 'unknown',
    ...(hasProcesses && { processes: session.processes().map(({ pid: id, name }) => ({ pid: id, name })) }),
    floor: out === undefined ? { state: 'free', waiting: 0 } : toFloor(out, reader),
    ...(expiresAt !== undefined && { expiresAt }),
  };
}

const NOWHERE: StreamPlace = { end: 0, oldest: 0, unread: 0 };
