/**
 * Life of the line: closed, connecting (TCP, then the greeting), open, dead with a reason.
 *
 * One attempt at a time and never one that nobody asked for (I1): callers of `open` join the attempt under way, each for
 * its own time, and it outlives them: TCP until its own timeout, the greeting for as long as nobody closes. A simulator
 * that is halted takes the TCP connection and says nothing; opening again then waits on instead of queueing behind itself.
 */
import type { ConnectionFailure, CoreError, LineErrorName, LineFacts } from './events.ts';
import { isFarewell, mayBecomeRefusal, parseRefusal, tryGreetingEnd } from './its/greeting.ts';
import type { Codec } from './telnet.ts';

/** Silence after other first words than the known greeting, in ms, after which they are taken for one. */
export const GREETING_SILENCE_MS = 300;
/** A refusal is followed by FIN at once; a line that goes on after such words, in ms, was not refused. */
export const REFUSAL_FIN_MS = 1_000;
/** Characters of first words that are looked at; a greeting has about 80. */
const FIRST_WORDS_CHARS = 1_024;
/** Characters of the newest output kept to recognise the simulator's farewell before a FIN. */
const LAST_WORDS_CHARS = 128;

export interface Attempt {
  readonly host: string;
  readonly port: number;
  /** When TCP must stand. */
  readonly deadlineMs: number;
}

type State = LineFacts['state'];

export interface LineStateSnapshot {
  readonly state: State;
  readonly phase: 'tcp' | 'greeting' | undefined;
  readonly reason: string | undefined;
  readonly detail: string | undefined;
  readonly attempt: Attempt | undefined;
  readonly firstWords: string;
  readonly lastWords: string;
  readonly lastByteMs: number | undefined;
  readonly sinceMs: number;
}

/** What a step of the machine means for those who wait for the line to open. */
export type LineEvent =
  /** `greetingBytes`: how many of the connection's first bytes are the greeting; undefined: all that have come. */
  | { readonly kind: 'opened'; readonly greetingBytes: number | undefined }
  | { readonly kind: 'refused'; readonly error: LineErrorName; readonly detail: string }
  /** TCP did not stand in time. */
  | { readonly kind: 'timedOut'; readonly error: CoreError }
  | { readonly kind: 'died'; readonly reason: string; readonly detail: string };

const CLOSED: LineStateSnapshot = {
  state: 'closed',
  phase: undefined,
  reason: undefined,
  detail: undefined,
  attempt: undefined,
  firstWords: '',
  lastWords: '',
  lastByteMs: undefined,
  sinceMs: 0,
};

export class LineState {
  #s: LineStateSnapshot;

  constructor(snapshot: LineStateSnapshot = CLOSED) {
    this.#s = snapshot;
  }

  get state(): State {
    return this.#s.state;
  }

  get phase(): 'tcp' | 'greeting' | undefined {
    return this.#s.phase;
  }

  /** The attempt or connection that stands, or stood when the line died. */
  get attempt(): Attempt | undefined {
    return this.#s.attempt;
  }

  /** When the present state began, on the monotonic clock. */
  get sinceMs(): number {
    return this.#s.sinceMs;
  }

  facts(codec: Codec): LineFacts {
    const { state, phase, reason, detail, attempt } = this.#s;
    return {
      state,
      ...(phase !== undefined && { phase }),
      ...(reason !== undefined && { reason }),
      ...(detail !== undefined && { detail }),
      ...(attempt !== undefined && { host: attempt.host, port: attempt.port }),
      codec,
    };
  }

  /** Begins an attempt; only from `closed` or `dead`. */
  begin(attempt: Attempt, nowMs: number): void {
    this.#s = { ...CLOSED, state: 'connecting', phase: 'tcp', attempt, sinceMs: nowMs };
  }

  /** A further caller: the attempt lasts at least as long as he waits. */
  join(deadlineMs: number): void {
    const { attempt } = this.#s;
    if (attempt !== undefined && deadlineMs > attempt.deadlineMs) {
      this.#s = { ...this.#s, attempt: { ...attempt, deadlineMs } };
    }
  }

  close(nowMs: number): void {
    this.#s = { ...CLOSED, sinceMs: nowMs };
  }

  /** Which addresses were tried, should the time run out. */
  tried(detail: string): void {
    if (this.#s.phase === 'tcp') this.#s = { ...this.#s, detail };
  }

  /** TCP stands. A raw line is open with it; on others the kernel's backlog may have answered for a halted machine. */
  connected(codec: Codec, nowMs: number): LineEvent | undefined {
    if (this.#s.phase !== 'tcp') return undefined;
    this.#s = { ...this.#s, phase: 'greeting', detail: undefined };
    return codec === 'raw' ? this.#open(0, nowMs) : undefined;
  }

  data(bytes: Uint8Array, codec: Codec, nowMs: number): LineEvent | undefined {
    const lastWords = (this.#s.lastWords + characters(bytes.subarray(-LAST_WORDS_CHARS))).slice(
      -LAST_WORDS_CHARS,
    );
    this.#s = { ...this.#s, lastWords, lastByteMs: nowMs };
    if (this.#s.phase !== 'greeting') return undefined;
    const firstWords = (this.#s.firstWords + characters(bytes.subarray(0, FIRST_WORDS_CHARS))).slice(
      0,
      FIRST_WORDS_CHARS,
    );
    this.#s = { ...this.#s, firstWords };
    const greetingBytes = codec === 'telnet' ? tryGreetingEnd(firstWords) : undefined;
    return greetingBytes === undefined ? undefined : this.#open(greetingBytes, nowMs);
  }

  ended(nowMs: number): LineEvent {
    const { phase, firstWords, lastWords } = this.#s;
    if (phase !== undefined) {
      const refusal = parseRefusal(firstWords) ?? 'line_closed_silent';
      const said = firstWords.trim();
      return this.#refuse(
        refusal,
        said === '' ? 'The far end closed the connection.' : `The far end said "${said}".`,
        nowMs,
      );
    }
    return isFarewell(lastWords)
      ? this.#die('closed_by_simulator', 'The simulator disconnected the line.', nowMs)
      : this.#die('closed_by_peer', 'The far end closed the connection.', nowMs);
  }

  failed(failure: ConnectionFailure, detail: string, nowMs: number): LineEvent {
    if (this.#s.phase !== undefined) return this.#refuse(connectError(failure), detail, nowMs);
    const reason = failure === 'timeout' ? 'keepalive_timeout' : failure === 'reset' ? 'reset' : 'failed';
    return this.#die(reason, detail, nowMs);
  }

  tick(nowMs: number): LineEvent | undefined {
    const deadlineMs = this.deadlineMs();
    if (deadlineMs === undefined || nowMs < deadlineMs) return undefined;
    if (this.#s.phase === 'greeting') return this.#open(undefined, nowMs);
    const error = this.lateness();
    this.#die(error.name, error.detail, nowMs);
    return { kind: 'timedOut', error };
  }

  /** What to tell a caller whose time is over while the line is still connecting. */
  lateness(): CoreError {
    const { phase, attempt, firstWords, lastByteMs, detail: tried } = this.#s;
    const where = attempt === undefined ? 'the line' : `${attempt.host}:${attempt.port}`;
    if (phase === 'tcp') {
      const detail = `No TCP connection to ${where} in time${tried === undefined ? '' : ` (${tried})`}.`;
      return { name: 'connect_timeout', detail };
    }
    const said = lastByteMs === undefined ? 'nothing' : JSON.stringify(firstWords);
    const detail = `TCP to ${where} is up, but the simulator is not servicing the port (it said ${said}).`;
    return { name: 'no_greeting', detail };
  }

  deadlineMs(): number | undefined {
    const { phase, attempt } = this.#s;
    return phase === 'tcp' ? attempt?.deadlineMs : this.#greetingSilenceEnds();
  }

  snapshot(): LineStateSnapshot {
    return this.#s;
  }

  #greetingSilenceEnds(): number | undefined {
    const { phase, firstWords, lastByteMs } = this.#s;
    if (phase !== 'greeting' || lastByteMs === undefined) return undefined;
    const isRefusal = mayBecomeRefusal(firstWords) || parseRefusal(firstWords) !== undefined;
    return lastByteMs + (isRefusal ? REFUSAL_FIN_MS : GREETING_SILENCE_MS);
  }

  #open(greetingBytes: number | undefined, nowMs: number): LineEvent {
    this.#s = { ...this.#s, state: 'open', phase: undefined, sinceMs: nowMs };
    return { kind: 'opened', greetingBytes };
  }

  #refuse(error: LineErrorName, detail: string, nowMs: number): LineEvent {
    this.#die(error, detail, nowMs);
    return { kind: 'refused', error, detail };
  }

  #die(reason: string, detail: string, nowMs: number): LineEvent {
    this.#s = { ...this.#s, state: 'dead', phase: undefined, reason, detail, sinceMs: nowMs };
    return { kind: 'died', reason, detail };
  }
}

function characters(bytes: Uint8Array): string {
  return String.fromCharCode(...bytes);
}

function connectError(failure: ConnectionFailure): LineErrorName {
  switch (failure) {
    case 'refused':
      return 'connect_refused';
    case 'timeout':
      return 'connect_timeout';
    case 'unknown_host':
      return 'host_unknown';
    case 'reset':
      return 'line_reset';
    case 'other':
      return 'connect_failed';
    default:
      return failure satisfies never;
  }
}
