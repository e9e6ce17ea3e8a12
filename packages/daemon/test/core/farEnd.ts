/**
 * The far end as ITS behaves (docs/its-line.md 14): it takes a character from the wire with each tick of its clock, keeps
 * 65 that no program has read, drops the rest with a BEL, and echoes a character when a program reads it.
 */
import { Pacer, type PacerSnapshot, type PumpEnd } from '../../src/core/pacer.ts';
import { TextView } from '../../src/core/text.ts';
import { bytesOf, thawed } from './bytes.ts';

/** Characters that ITS keeps for a terminal (ts3tty TIBS). */
const TYPE_AHEAD_CHARS = 65;
/** One tick of its 60 Hz clock. */
export const TICK_MS = 1_000 / 60;
const SILENCE_MS = 100;
/** Longest stall that still counts as one, in ms. */
const PATIENCE_MS = 60_000;

export interface FarEndOptions {
  /** ms between two characters taken from the wire; default one tick. */
  readonly charMs?: number;
  /** Whether a program reads at that moment. */
  readonly isReading?: (nowMs: number) => boolean;
  /** What a character that is read brings. */
  readonly echo?: (byte: number) => string;
  /** What else comes at that moment. */
  readonly chatter?: (nowMs: number) => string;
  readonly isPainting?: boolean;
  readonly windowChars?: number;
  /** The far end asked for a secret, so that it is known to read what it does not echo. */
  readonly isSecret?: boolean;
  /** The pacer goes to disk and back at every tick. */
  readonly isThawed?: boolean;
  /** Gives up after so many simulated ms; default an hour. */
  readonly limitMs?: number;
}

export interface FarEndResult {
  /** What the program has read. */
  readonly arrived: string;
  readonly bells: number;
  /** Most characters that were on their way and unread at once. */
  readonly mostUnread: number;
  /** When the last character was handed to the socket. */
  readonly sentMs: number;
  readonly echoed: number;
  readonly echo: Pacer['echo'];
  readonly isComplete: boolean | undefined;
  readonly sent: number | undefined;
  /** Where input may have been lost. */
  readonly overflow: number | undefined;
  readonly snapshot: PacerSnapshot;
}

/** Sends `text` through a pacer to a far end, until it is over and read. */
export function sendTo(text: string, options: FarEndOptions = {}): FarEndResult {
  const { charMs = TICK_MS, isReading = () => true, echo = usualEcho, chatter = () => '' } = options;
  const { isPainting = false, windowChars = 32, limitMs = 3_600_000 } = options;
  let pacer = new Pacer({ windowChars });
  const view = new TextView(7, undefined, { joinsFolds: true });
  const bytes = bytesOf(text);
  const wire: number[] = [];
  const buffer: number[] = [];
  const arrived: number[] = [];
  let [nowMs, bells, mostUnread, sentMs, heardMs] = [0, 0, 0, 0, 0];
  let isHeard = true;
  let end: PumpEnd | undefined;
  if (options.isSecret === true) pacer.expectNoEcho();
  pacer.enqueue('s', bytes, 0);
  const pump = () => {
    for (let next = pacer.tryNext(nowMs); next !== undefined; next = pacer.tryNext(nowMs)) {
      wire.push(...next);
      sentMs = nowMs;
      end = pacer.credit(next.length, nowMs).at(0) ?? end;
    }
    mostUnread = Math.max(mostUnread, wire.length + buffer.length);
  };
  const hear = (said: string) => {
    if (said === '') return;
    [heardMs, isHeard] = [nowMs, true];
    const rendered = view.render(bytesOf(said));
    pacer.hear(rendered, isPainting, nowMs);
    if (rendered.bells.length > 0) end = pacer.ring(nowMs).at(0) ?? end;
  };
  const isOver = () =>
    end !== undefined && wire.length === 0 && (buffer.length === 0 || nowMs > sentMs + PATIENCE_MS);
  while (!isOver() && nowMs < limitMs) {
    pump();
    // In between the pacer is asked when it wants to be.
    const tickMs = nowMs + charMs;
    for (let at = pacer.deadlineMs(); at !== undefined && at < tickMs; at = pacer.deadlineMs()) {
      nowMs = Math.max(at, nowMs);
      end = pacer.tick(nowMs).at(0) ?? end;
      const before = wire.length;
      pump();
      if (wire.length === before && (pacer.deadlineMs() ?? Number.POSITIVE_INFINITY) <= nowMs)
        throw new Error(`a tick at ${nowMs} ms did not move the deadline`);
    }
    nowMs = tickMs;
    end = pacer.tick(nowMs).at(0) ?? end;
    const next = wire.shift();
    let said = '';
    if (next !== undefined) {
      if (buffer.length < TYPE_AHEAD_CHARS) buffer.push(next);
      else {
        bells += 1;
        said += '\x07';
      }
    }
    said += chatter(nowMs);
    if (isReading(nowMs)) {
      for (const byte of buffer.splice(0)) {
        arrived.push(byte);
        said += echo(byte);
      }
    }
    hear(said);
    if (isHeard && nowMs - heardMs >= SILENCE_MS) {
      isHeard = false;
      pacer.pause(nowMs);
    }
    if (options.isThawed === true) pacer = new Pacer({ windowChars }, thawed(pacer.snapshot()));
  }
  return {
    arrived: String.fromCharCode(...arrived.slice(0, 65_000)) + String.fromCharCode(...arrived.slice(65_000)),
    bells,
    mostUnread,
    sentMs,
    echoed: pacer.echoedChars('s'),
    echo: pacer.echo,
    isComplete: end?.isComplete,
    sent: end?.sent,
    overflow: end?.overflow,
    snapshot: pacer.snapshot(),
  };
}

/** How DDT and :CREATE echo. */
export function usualEcho(byte: number): string {
  if (byte === 0x0d) return '\r\n\x1bK';
  if (byte === 0x1b) return '$';
  if (byte === 0x7f) return '\b \b';
  return byte < 0x20 && byte !== 0x09 ? `^${String.fromCharCode(byte + 0x40)}` : String.fromCharCode(byte);
}
