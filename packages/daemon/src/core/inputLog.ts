/**
 * What was typed, by whom, as it goes out. A long input goes out in small pieces, as the echo comes back: pieces of one
 * author are joined to one entry until there is a pause, so that the record of a paste is not larger than the paste.
 * Where the far end does not echo, only the length is kept, up to the next line end (CONTRACT 5): CR, on pipes LF.
 */
import type { Author, Happening } from './timeline.ts';

/** Bytes of one entry. */
export const MAX_INPUT_ENTRY_BYTES = 1_024;
/** An entry is closed so long after its first byte, in ms: those who watch want to see what is typed while it is. */
export const INPUT_ENTRY_MS = 1_000;

const LF = 0x0a;
const CR = 0x0d;

export interface Typed {
  readonly author: Author;
  /** Pieces of one input belong together. */
  readonly inputId: string;
  readonly bytes: Uint8Array;
  readonly isUrgent: boolean;
  readonly isAnswer: boolean;
  /** The far end asks for a secret, or does not echo: nothing of these bytes is kept, nor what follows up to the next line end. */
  readonly isSecret: boolean;
}

interface Open {
  readonly author: Author;
  readonly inputId: string;
  readonly bytes: readonly number[];
  readonly isMasked: boolean;
  readonly isUrgent: boolean;
  readonly isAnswer: boolean;
  readonly offset: number;
  readonly sinceMs: number;
}

export interface ClosedInput {
  readonly happening: Happening & { readonly kind: 'input' };
  readonly offset: number;
  readonly atMs: number;
}

export interface InputLogSnapshot {
  readonly open: Open | undefined;
  readonly isSecret: boolean;
  readonly newestBytes: readonly number[] | undefined;
}

export class InputLog {
  #open: Open | undefined;
  /** What is typed up to the next line end is a secret. */
  #isSecret: boolean;
  #newestBytes: readonly number[] | undefined;

  constructor(snapshot?: InputLogSnapshot) {
    this.#open = snapshot?.open;
    this.#isSecret = snapshot?.isSecret ?? false;
    this.#newestBytes = snapshot?.newestBytes;
  }

  /** What the newest entry has, be it complete or not; undefined where it is a secret, or nothing was typed. */
  get newestBytes(): readonly number[] | undefined {
    return this.#newestBytes;
  }

  /** Bytes that go out now, the output standing at `offset`. Returns the entries that are complete with it. */
  push(typed: Typed, offset: number, nowMs: number): readonly ClosedInput[] {
    const closed: ClosedInput[] = [];
    let rest = [...typed.bytes];
    while (rest.length > 0) {
      const isMasked = this.#isSecret || typed.isSecret;
      const end = rest.findIndex(endsLine);
      const length = isMasked && end !== -1 ? end + 1 : rest.length;
      const open = this.#open;
      const belongs = open !== undefined && open.inputId === typed.inputId && open.isMasked === isMasked;
      if (!belongs) closed.push(...this.close());
      const so = belongs ? open : { ...typed, bytes: [], isMasked, offset, sinceMs: nowMs };
      const room = MAX_INPUT_ENTRY_BYTES - so.bytes.length;
      const taken = rest.slice(0, Math.min(length, room));
      const { author, inputId, isUrgent, isAnswer } = so;
      const bytes = [...so.bytes, ...(isMasked ? taken.map(() => 0) : taken)];
      this.#open = {
        author,
        inputId,
        isUrgent,
        isAnswer,
        isMasked,
        offset: so.offset,
        sinceMs: so.sinceMs,
        bytes,
      };
      this.#isSecret = isMasked && !endsLine(taken.at(-1));
      this.#newestBytes = isMasked ? undefined : bytes;
      if (bytes.length >= MAX_INPUT_ENTRY_BYTES) closed.push(...this.close());
      rest = rest.slice(taken.length);
    }
    return closed;
  }

  /** The entry that is open is complete. */
  close(): readonly ClosedInput[] {
    const open = this.#open;
    if (open === undefined) return [];
    this.#open = undefined;
    const { author, bytes, isMasked, isUrgent, isAnswer, offset, sinceMs } = open;
    const happening = {
      kind: 'input',
      author,
      bytes: isMasked ? undefined : bytes,
      length: bytes.length,
      isUrgent,
      isAnswer,
    } as const;
    return [{ happening, offset, atMs: sinceMs }];
  }

  tick(nowMs: number): readonly ClosedInput[] {
    const deadlineMs = this.deadlineMs();
    return deadlineMs !== undefined && nowMs >= deadlineMs ? this.close() : [];
  }

  deadlineMs(): number | undefined {
    return this.#open === undefined ? undefined : this.#open.sinceMs + INPUT_ENTRY_MS;
  }

  snapshot(): InputLogSnapshot {
    return { open: this.#open, isSecret: this.#isSecret, newestBytes: this.#newestBytes };
  }
}

function endsLine(byte: number | undefined): boolean {
  return byte === CR || byte === LF;
}
