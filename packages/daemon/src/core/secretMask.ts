/**
 * Secret mask: takes a secret that was typed out of the output, should the far end echo it all the same (C01). It stands before
 * everything that keeps or shows output: each byte of the secret becomes a `*`, so that offsets stay what they are.
 *
 * Bytes that may be its beginning are held back until it is certain what they are, for HOLD_MS at most. A secret is looked for
 * from the moment it is typed until MASK_MS after the last of it went out, or for MASK_BYTES of output.
 *
 * The state has the secret in it: a snapshot goes from process to process, and never to the disk (I19).
 */
import { nextPrintable, type PrintableState } from './printable.ts';
import {
  decide,
  type Found,
  firstDoubt,
  mayBeginWith,
  passOver,
  type Run,
  seeCharacter,
} from './secretRuns.ts';

/** Longest time in which bytes are held back, in ms: an echo comes in one piece, or in a few close together. */
export const HOLD_MS = 200;
/** A secret is looked for so long after it was typed, in ms: until whoever took it has answered. */
export const MASK_MS = 30_000;
/**
 * Bytes of output in which it is looked for: eight screens. What looks like the secret counts more, because it is more work: a
 * far end that says nothing else must not keep us busy (I18).
 */
export const MASK_BYTES = 16_384;
/** Secrets that are looked for at a time; the oldest is given up for one more. */
export const MAX_MASKED = 4;

const LF = 0x0a;
const CR = 0x0d;
const BLANK = 0x20;
const STAR = 0x2a;

interface Masked {
  readonly id: string;
  readonly secret: readonly number[];
  /** Undefined while it is still being typed. */
  untilMs: number | undefined;
  leftBytes: number;
  /** Nothing has been shown since it was typed: what comes now may be its echo. */
  isDue: boolean;
  runs: readonly Run[];
}

interface Sought extends Masked {
  /** Whether a run may begin with a byte, by its code: almost none does. */
  readonly mayBegin: Uint8Array;
}

/** A byte that is held back, as it will be shown, and when it came. */
type Held = readonly [byte: number, atMs: number];

export interface SecretMaskSnapshot {
  readonly masked: readonly Readonly<Masked>[];
  readonly held: readonly Held[];
  /** Bytes that were passed on so far while something was masked. */
  readonly passed: number;
  readonly maskedBytes: number;
  readonly state: PrintableState;
}

export class SecretMask {
  readonly #codeMask: number;
  #masked: Sought[];
  #held: readonly Held[];
  #passed: number;
  #maskedBytes: number;
  #state: PrintableState;

  constructor(bits: 7 | 8, snapshot?: SecretMaskSnapshot) {
    this.#codeMask = bits === 7 ? 0x7f : 0xff;
    this.#masked = (snapshot?.masked ?? []).map(sought);
    this.#held = snapshot?.held ?? [];
    this.#passed = snapshot?.passed ?? 0;
    this.#maskedBytes = snapshot?.maskedBytes ?? 0;
    this.#state = snapshot?.state ?? 'ground';
  }

  /** A secret is about to be typed by the send `id`: `bytes` with the line end behind it. */
  arm(id: string, bytes: Uint8Array): void {
    const end = bytes.findLastIndex((byte) => byte !== CR && byte !== LF) + 1;
    if (end === 0) return;
    if (this.#masked.length === 0) this.#state = 'ground';
    const secret = [...bytes.subarray(0, end)];
    const fresh = { id, secret, untilMs: undefined, leftBytes: MASK_BYTES, isDue: true, runs: [] };
    this.#masked.push(sought(fresh));
    if (this.#masked.length > MAX_MASKED) this.#masked.shift();
  }

  /** One that is typed on another stream, and may come back on this one. */
  armTyped(id: string, bytes: Uint8Array, nowMs: number): void {
    this.arm(id, bytes);
    this.typed(id, nowMs);
  }

  /** All of the send's input that goes out is out. */
  typed(id: string, nowMs: number): void {
    for (const one of this.#masked) if (one.id === id) one.untilMs = nowMs + MASK_MS;
  }

  /** Bytes that were masked so far. */
  get maskedBytes(): number {
    return this.#maskedBytes;
  }

  /** Whether any secret is looked for. */
  get isArmed(): boolean {
    return this.#masked.length > 0;
  }

  /** Takes the next output; returns what may be shown of all that came. */
  push(bytes: Uint8Array, nowMs: number): Uint8Array {
    const overdue = this.tick(nowMs);
    if (this.#masked.length === 0) return joined([overdue, bytes]);
    const held = this.#held.length;
    const shown = joined([Uint8Array.from(this.#held, ([byte]) => byte), bytes]);
    for (let at = held; at < shown.length && this.#masked.length > 0; at += 1) this.#see(shown, at);
    const count = Math.min(this.#doubt() - this.#passed, shown.length);
    const times = this.#held.map(([, atMs]) => atMs);
    this.#held = Array.from(shown.subarray(count), (byte, index) => [byte, times[count + index] ?? nowMs]);
    this.#passed += count;
    return joined([overdue, shown.subarray(0, count)]);
  }

  /** What may be shown because its time is over. */
  tick(nowMs: number): Uint8Array {
    const old = this.#held.findLastIndex(([, atMs]) => nowMs >= atMs + HOLD_MS) + 1;
    const isOver = ({ untilMs }: Masked) => untilMs !== undefined && nowMs >= untilMs;
    const endsOne = this.#masked.some(isOver);
    if (old === 0 && !endsOne) return NOTHING;
    const shown = Uint8Array.from(this.#held, ([byte]) => byte);
    this.#decide(shown, this.#passed + (endsOne ? shown.length : old));
    this.#masked = this.#masked.filter((one) => !isOver(one));
    return this.#release(shown, Math.max(this.#doubt() - this.#passed, old));
  }

  /** Nothing more will come: all that was held back. */
  flush(): Uint8Array {
    const shown = Uint8Array.from(this.#held, ([byte]) => byte);
    this.#decide(shown, this.#passed + shown.length);
    return this.#release(shown, shown.length);
  }

  deadlineMs(): number | undefined {
    const ends = this.#masked.flatMap(({ untilMs }) => (untilMs === undefined ? [] : [untilMs]));
    const held = this.#held[0] === undefined ? [] : [this.#held[0][1] + HOLD_MS];
    return ends.length + held.length === 0 ? undefined : Math.min(...ends, ...held);
  }

  snapshot(): SecretMaskSnapshot {
    return {
      masked: this.#masked.map(({ mayBegin: _mayBegin, ...one }) => one),
      held: this.#held,
      passed: this.#passed,
      maskedBytes: this.#maskedBytes,
      state: this.#state,
    };
  }

  /** Looks at the byte at `at` of what is still to be shown; the first of it has the position `passed`. */
  #see(shown: Uint8Array, at: number): void {
    const byte = (shown[at] ?? 0) & this.#codeMask;
    const { isShown, state } = nextPrintable(this.#state, byte);
    this.#state = state;
    let isOver = false;
    for (const one of this.#masked) {
      one.leftBytes -= 1 + one.runs.length;
      if (one.isDue || one.runs.length > 0 || one.mayBegin[byte] === 1)
        this.#look(one, { shown, at, byte, isShown });
      if (one.leftBytes > 0) continue;
      isOver = true;
      this.#star(one, shown, decide(one.runs, this.#passed + at + 1));
    }
    if (isOver) this.#masked = this.#masked.filter(({ leftBytes }) => leftBytes > 0);
  }

  #look(
    one: Masked,
    { shown, at, byte, isShown }: { shown: Uint8Array; at: number; byte: number; isShown: boolean },
  ): void {
    const { secret, runs, isDue } = one;
    const seen = { byte, position: this.#passed + at, isDue };
    this.#star(one, shown, isShown ? seeCharacter(secret, runs, seen) : passOver(secret, runs, seen));
    // An echo stands on the line of its prompt; blanks may still be the prompt's own.
    one.isDue = isDue && byte !== LF && (!isShown || (byte === BLANK && secret[0] !== BLANK));
  }

  #decide(shown: Uint8Array, position: number): void {
    for (const one of this.#masked) this.#star(one, shown, decide(one.runs, position));
  }

  #star(one: Masked, shown: Uint8Array, { runs, positions }: Found): void {
    one.runs = runs;
    for (const position of positions) {
      const at = position - this.#passed;
      if (at < 0 || shown[at] === STAR) continue;
      shown[at] = STAR;
      this.#maskedBytes += 1;
    }
  }

  /** The first position of which it is not certain yet what it is. */
  #doubt(): number {
    return this.#masked.reduce(
      (first, { runs }) => Math.min(first, firstDoubt(runs)),
      Number.POSITIVE_INFINITY,
    );
  }

  #release(shown: Uint8Array, wanted: number): Uint8Array {
    const count = Math.min(wanted, shown.length);
    this.#held = this.#held.slice(count).map(([, atMs], index) => [shown[count + index] ?? 0, atMs]);
    this.#passed += count;
    return shown.subarray(0, count);
  }
}

/** JSON has no undefined: a thawed one lacks the field. */
function sought(one: Readonly<Masked>): Sought {
  const mayBegin = Uint8Array.from({ length: 256 }, (_, byte) => (mayBeginWith(one.secret, byte) ? 1 : 0));
  return { ...one, untilMs: one.untilMs, mayBegin };
}

const NOTHING = new Uint8Array(0);

function joined(parts: readonly Uint8Array[]): Uint8Array {
  const out = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    out.set(part, at);
    at += part.length;
  }
  return out;
}
