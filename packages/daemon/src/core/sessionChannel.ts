/**
 * Session channel: a command's life and the conversation on each of its streams. Facts of the process and calls of clients go in,
 * orders come out; no IO, no clock, and the same answers however the output is split (I3, I4).
 *
 * Exit and end of output are two facts (P13). When both are known nothing more will come, and every wait ends with `dead`; where
 * others hold the output open behind the exit, those who wait then are told so, and whoever reads later may wait for more.
 */
import { ansiText } from './ansi/ansiTextView.ts';
import { type StreamCall, takeCall } from './calls.ts';
import { Conversation } from './conversation.ts';
import type { ConversationSnapshot, PartialConversationSnapshot } from './conversationSnapshot.ts';
import type { CoreError, Effect } from './events.ts';
import { exitText, lifeText } from './sessionLife.ts';
import {
  type SessionEffect,
  type SessionInput,
  SessionState,
  type SessionStateSnapshot,
  type SessionStream,
} from './sessionState.ts';

export type SessionChannelInput =
  /** It runs: the first entry of its record. */
  | { readonly kind: 'began'; readonly text: string }
  | { readonly kind: 'data'; readonly stream: SessionStream; readonly bytes: Uint8Array }
  | { readonly kind: 'call'; readonly stream: SessionStream; readonly call: StreamCall }
  /** The system took so many bytes more of the input. */
  | { readonly kind: 'written'; readonly bytes: number }
  /** The program takes no more input. */
  | { readonly kind: 'inputClosed' }
  | SessionInput;

export type SessionChannelEffect =
  | { readonly kind: 'stream'; readonly stream: SessionStream; readonly effect: Effect }
  /** Tell the program that its input has ended. */
  | { readonly kind: 'closeInput' }
  | SessionEffect;

export interface SessionChannelOptions {
  readonly isPty: boolean;
  /** Keep stderr apart, as stream `err`. */
  readonly splitStderr: boolean;
  readonly startedMs: number;
  /** Time that it may run, in ms. */
  readonly timeLimitMs?: number | undefined;
  /** Bytes of each stream that can be read again at least. */
  readonly ringBytes: number;
}

/** `ending`: its end is to be told behind what waits. `ended`: nobody can send any more. */
type InputState = 'open' | 'ending' | 'ended';

export interface SessionChannelSnapshot {
  readonly state: SessionStateSnapshot;
  readonly out: ConversationSnapshot;
  readonly err: ConversationSnapshot | undefined;
  readonly input: InputState;
}

/** What another one begins with: a snapshot, or less of its conversations. */
export interface SessionRestore extends Omit<SessionChannelSnapshot, 'out' | 'err'> {
  readonly out: PartialConversationSnapshot;
  readonly err: PartialConversationSnapshot | undefined;
}

interface Effects {
  readonly session: (SessionEffect | { readonly kind: 'closeInput' })[];
  readonly streams: Record<SessionStream, Effect[]>;
}

export class SessionChannel {
  readonly out: Conversation;
  readonly err: Conversation | undefined;
  readonly #isPty: boolean;
  readonly #state: SessionState;
  #input: InputState;

  constructor(options: SessionChannelOptions, snapshot?: SessionRestore) {
    const { isPty, splitStderr, startedMs, timeLimitMs, ringBytes } = options;
    this.#isPty = isPty;
    const streams = splitStderr ? (['out', 'err'] as const) : (['out'] as const);
    this.#state = new SessionState(snapshot?.state ?? { isPty, streams, startedMs, timeLimitMs });
    this.out = commandConversation(ringBytes, snapshot?.out);
    this.err = splitStderr ? commandConversation(ringBytes, snapshot?.err) : undefined;
    this.#input = snapshot?.input ?? 'open';
  }

  /** To look at; its inputs come through `handle`. */
  get state(): Omit<SessionState, 'handle'> {
    return this.#state;
  }

  /** The program has exited and all its output has come. */
  get isOver(): boolean {
    return this.#state.exit !== undefined && this.#state.isOutputEnded;
  }

  handle(input: SessionChannelInput, nowMs: number): readonly SessionChannelEffect[] {
    const effects: Effects = { session: [], streams: { out: [], err: [] } };
    this.#take(input, effects, nowMs);
    const ordered: SessionChannelEffect[] = [];
    const later: SessionChannelEffect[] = [];
    for (const [stream, conversation] of this.#conversations) {
      // What has happened is told first: nobody gets an answer made of output that is not kept yet (I2).
      for (const effect of [...effects.streams[stream], ...conversation.advance(nowMs)]) {
        const isNews = effect.kind === 'append' || effect.kind === 'record';
        (isNews ? ordered : later).push({ kind: 'stream', stream, effect });
      }
    }
    return [...ordered, ...later, ...effects.session, ...this.#endInput()];
  }

  /** When `tick` has something to do next; undefined: not before the next input. */
  deadlineMs(): number | undefined {
    const times = [
      this.#state.nextDeadlineMs,
      ...this.#conversations.map(([, conversation]) => conversation.deadlineMs()),
    ].filter((time) => time !== undefined);
    return times.length === 0 ? undefined : Math.min(...times);
  }

  snapshot(): SessionChannelSnapshot {
    return {
      state: this.#state.snapshot(),
      out: this.out.snapshot(),
      err: this.err?.snapshot(),
      input: this.#input,
    };
  }

  get #conversations(): readonly (readonly [SessionStream, Conversation])[] {
    const { out, err } = this;
    const both = [['out', out] as const];
    return err === undefined ? both : [...both, ['err', err] as const];
  }

  #take(input: SessionChannelInput, effects: Effects, nowMs: number): void {
    switch (input.kind) {
      case 'began':
        this.out.note({ kind: 'life', text: input.text }, nowMs);
        return;
      case 'data':
        (input.stream === 'out' ? this.out : this.err)?.hear(input.bytes, nowMs);
        return;
      case 'call':
        effects.streams[input.stream].push(...this.#call(input.stream, input.call, nowMs));
        return;
      case 'written':
        this.out.credit(input.bytes, nowMs);
        return;
      case 'inputClosed':
        this.#input = 'ended';
        this.out.closeInput(nowMs);
        return;
      case 'stop':
      case 'exit':
      case 'streamEnd':
      case 'members':
      case 'tick':
        this.#live(input, effects, nowMs);
        return;
      default:
        input satisfies never;
    }
  }

  #call(stream: SessionStream, call: StreamCall, nowMs: number): readonly Effect[] {
    const conversation = stream === 'out' ? this.out : this.err;
    if (conversation === undefined) return [];
    switch (call.kind) {
      case 'send': {
        const error = this.#refusal(stream);
        if (error !== undefined) return [{ kind: 'fail', waitId: call.waitId, error }];
        if (call.isMasked === true) this.err?.mask.armTyped(call.waitId, call.bytes, nowMs);
        const effects = conversation.send(call, nowMs);
        // Who was refused has not closed anything either.
        const isTaken = !effects.some(({ kind }) => kind === 'fail');
        if (call.closesInput === true && isTaken) this.#input = 'ending';
        return effects;
      }
      case 'read': {
        const error = conversation.read(call, nowMs);
        if (error !== undefined) return [{ kind: 'fail', waitId: call.waitId, error }];
        return this.isOver ? conversation.finish(nowMs) : [];
      }
      default:
        return takeCall(conversation, call, nowMs);
    }
  }

  #refusal(stream: SessionStream): CoreError | undefined {
    const { exit } = this.#state;
    if (exit !== undefined) {
      return {
        name: 'session_exited',
        detail: `The program has exited (${exitText(exit)}); nothing was sent.`,
      };
    }
    if (this.#input === 'open' && stream === 'out') return undefined;
    const why = stream === 'err' ? 'Input goes with stream out' : "The program's input has ended";
    return { name: 'input_closed', detail: `${why}; nothing was sent.` };
  }

  #live(input: SessionInput, effects: Effects, nowMs: number): void {
    const before = this.#state.snapshot();
    const found = this.#state.handle(input, nowMs);
    effects.session.push(...found);
    for (const text of lifeText(before, this.#state.snapshot(), found))
      this.out.note({ kind: 'life', text }, nowMs);
    if (found.some(({ kind }) => kind === 'exited'))
      effects.streams.out.push(...this.out.giveUpTyping(nowMs));
    const isHeld = found.some(({ kind }) => kind === 'outputHeld');
    const isEnd = found.some(({ kind }) => kind === 'exited' || kind === 'outputEnded');
    if (!isHeld && !(isEnd && this.isOver)) return;
    for (const [stream, conversation] of this.#conversations)
      effects.streams[stream].push(...conversation.finish(nowMs));
  }

  #endInput(): readonly SessionChannelEffect[] {
    if (this.#input !== 'ending' || !this.out.typist.pacer.isWritten) return [];
    // On a terminal it is a character, and only the program knows what follows from it.
    this.#input = this.#isPty ? 'open' : 'ended';
    return [{ kind: 'closeInput' }];
  }
}

/** The conversation on one stream of a command. */
export function commandConversation(ringBytes: number, snapshot?: PartialConversationSnapshot): Conversation {
  return new Conversation(commandTranscript(ringBytes), snapshot);
}

/** What is known of a command's output: bytes that a modern terminal would show, and nothing of who says them. */
export function commandTranscript(ringBytes: number) {
  return {
    ringBytes,
    bits: 8,
    profile: 'plain',
    view: ansiText,
    screen: 'none',
    windowChars: undefined,
    guard: [],
  } as const;
}
