/**
 * A line to an ITS in virtual time, with everything that happens on it: a multiplexer that takes a character now and then,
 * a buffer of 65 that drops what is too much with a BEL, a program that reads as fast as it likes and stalls, another
 * user's messages, and a client that hears it all later, through the transcript, as the daemon does.
 */
import { Pacer } from '../../../src/core/pacer.ts';
import type { RenderedPiece } from '../../../src/core/scrollback.ts';
import { Transcript } from '../../../src/core/transcript.ts';
import { bytesOf, thawed } from '../bytes.ts';

const BUFFER_CHARS = 65;
const SILENCE_MS = 100;
const STEP_MS = 5;
const RING_BYTES = 65_536;
/** After this much virtual time nothing more is waited for. */
const LIMIT_MS = 900_000;
const MESSAGE =
  '\x07\x07\x07\x07\x07[Message from FOO at KA  8:37pm]\r\n\x1bKthe quick brown fox jumps\r\n\x1bK';

export interface ReadingProgram {
  /** What a character that is read brings. */
  readonly read: (byte: number) => string;
  /** What it sends by itself; `choice` is any number. */
  readonly paint?: (choice: number) => string;
  /** A message was printed. */
  readonly spoil?: () => void;
}

export interface Schedule {
  readonly sends: readonly { readonly atMs: number; readonly text: string; readonly isSecret?: boolean }[];
  /** The program does not read from `from` on for `ms`. */
  readonly stalls: readonly { readonly from: number; readonly ms: number }[];
  readonly messages: readonly number[];
  readonly paints: readonly { readonly atMs: number; readonly choice: number }[];
  /** ms from one character to the next: of the multiplexer, of the program. */
  readonly takesMs: number;
  readonly readsMs: number;
  /** One way, in ms. */
  readonly latencyMs: number;
  readonly isScreenProgram: boolean;
  /** The pacer is told where the cursor rests. */
  readonly hasScreen: boolean;
  readonly isThawed: boolean;
}

export interface LineOutcome {
  readonly arrived: string;
  /** Index, among all that was written, of the first character that was dropped. */
  readonly firstDropped: number | undefined;
  readonly mostUnread: number;
  /** For each send what went out, whether it is all, and where it may have run over. */
  readonly ends: readonly {
    readonly sent: number;
    readonly isComplete: boolean;
    readonly overflow?: number;
  }[];
  readonly sentMs: number;
}

export function runLine(program: ReadingProgram, schedule: Schedule): LineOutcome {
  const { sends, stalls, messages, paints, takesMs, readsMs, latencyMs } = schedule;
  let pacer = new Pacer({ windowChars: 32 });
  const transcript = new Transcript({ profile: 'its', bits: 7, ringBytes: RING_BYTES });
  const wire: { readonly byte: number; readonly atMs: number }[] = [];
  const unread: number[] = [];
  const arrived: number[] = [];
  const toClient: { readonly text: string; readonly atMs: number }[] = [];
  const ends = new Map<string, LineOutcome['ends'][number]>();
  let [taken, mostUnread, sentMs, heardMs, motionsAtInput] = [0, 0, 0, 0, 0];
  let [nextTakeMs, nextReadMs, sendAt, messageAt, paintAt, column] = [0, 0, 0, 0, 0, 0];
  let firstDropped: number | undefined;
  let hasLooked = true;
  let nowMs = 0;

  const say = (text: string): void => {
    if (text === '') return;
    toClient.push({ text, atMs: nowMs + latencyMs });
    column = ['\r', '\n', '\n\x1bK'].some((lineEnd) => text.endsWith(lineEnd)) ? 0 : 1;
  };
  const end = (
    found: readonly { id: string; sent: number; isComplete: boolean; overflow?: number }[],
  ): void => {
    for (const { id, ...rest } of found) ends.set(id, rest);
  };
  const tell = (pieces: readonly RenderedPiece[], isPainting: boolean): void => {
    for (const { rendered } of pieces) {
      pacer.hear(rendered, isPainting, nowMs);
      if (rendered.bells.length > 0) end(pacer.ring(nowMs));
    }
  };
  const isStalled = (): boolean => stalls.some(({ from, ms }) => nowMs >= from && nowMs < from + ms);

  const serve = (): void => {
    while ((wire[0]?.atMs ?? Number.POSITIVE_INFINITY) <= nowMs && nowMs >= nextTakeMs) {
      const next = wire.shift();
      nextTakeMs = Math.max(nextTakeMs, nowMs - STEP_MS) + takesMs;
      if (next === undefined) break;
      if (unread.length < BUFFER_CHARS) unread.push(next.byte);
      else {
        firstDropped ??= taken;
        say('\x07');
      }
      taken += 1;
    }
    while (unread.length > 0 && nowMs >= nextReadMs && !isStalled()) {
      const byte = unread.shift() ?? 0;
      nextReadMs = Math.max(nextReadMs, nowMs - STEP_MS) + readsMs;
      arrived.push(byte);
      say(program.read(byte));
    }
    for (; (messages[messageAt] ?? Number.POSITIVE_INFINITY) <= nowMs; messageAt += 1) {
      say((column === 0 ? '' : '\r\n\x1bK') + MESSAGE);
      program.spoil?.();
    }
    for (; (paints[paintAt]?.atMs ?? Number.POSITIVE_INFINITY) <= nowMs; paintAt += 1)
      say(program.paint?.(paints[paintAt]?.choice ?? 0) ?? '');
  };

  const pump = (): void => {
    for (let bytes = pacer.tryNext(nowMs); bytes !== undefined; bytes = pacer.tryNext(nowMs)) {
      for (const byte of bytes) wire.push({ byte, atMs: nowMs + latencyMs });
      sentMs = nowMs;
      end(pacer.credit(bytes.length, nowMs));
    }
    mostUnread = Math.max(mostUnread, wire.length + unread.length);
  };

  const listen = (): void => {
    const wasPainting = schedule.isScreenProgram || transcript.motions > motionsAtInput;
    for (; (toClient[0]?.atMs ?? Number.POSITIVE_INFINITY) <= nowMs; toClient.shift()) {
      tell(transcript.append(bytesOf(toClient[0]?.text ?? ''), nowMs), wasPainting);
      [heardMs, hasLooked] = [nowMs, false];
    }
    end(pacer.tick(nowMs));
    if (hasLooked || nowMs < heardMs + SILENCE_MS) return;
    hasLooked = true;
    tell(transcript.pause(), schedule.isScreenProgram || transcript.motions > motionsAtInput);
    const { screens, scrollback } = transcript;
    pacer.pause(nowMs, schedule.hasScreen ? screens.at(scrollback.end) : undefined);
  };

  const isOver = (): boolean =>
    sendAt === sends.length &&
    ends.size === sends.length &&
    wire.length + unread.length + toClient.length === 0 &&
    hasLooked;
  for (; !isOver() && nowMs < LIMIT_MS; nowMs += STEP_MS) {
    for (; (sends[sendAt]?.atMs ?? Number.POSITIVE_INFINITY) <= nowMs; sendAt += 1) {
      motionsAtInput = transcript.motions;
      if (sends[sendAt]?.isSecret === true) pacer.expectNoEcho();
      pacer.enqueue(`${sendAt}`, bytesOf(sends[sendAt]?.text ?? ''), nowMs);
    }
    serve();
    listen();
    pump();
    if (schedule.isThawed) pacer = new Pacer({ windowChars: 32 }, thawed(pacer.snapshot()));
  }
  return {
    arrived: String.fromCharCode(...arrived),
    firstDropped,
    mostUnread,
    ends: sends.map((_, index) => ends.get(`${index}`) ?? { sent: -1, isComplete: false }),
    sentMs,
  };
}
