/** A line that is listened to for notices: what goes on to those who wait, and what is left of the stream. */
import { Notices } from '../../../src/core/its/notice.ts';
import { type RenderedPiece, Scrollback } from '../../../src/core/scrollback.ts';
import { bytesOf, thawed } from '../bytes.ts';

export const BELLS = '\x07\x07\x07\x07\x07';
export const MESSAGE = `${BELLS}[Message from FOO at KA  8:37pm]\r\n\x1bKhello from line 8\r\n`;

export interface Piece {
  readonly atMs: number;
  readonly bytes: Uint8Array;
}

export interface Heard {
  /** Text that went on to those who wait, with `\x07` for each BEL that did. */
  readonly heard: string;
  /** What is left of the stream without the spans. */
  readonly rest: string;
  readonly notices: readonly string[];
  readonly goingDown: string | undefined;
}

/** A stream's pieces at their times, and a pause of 100 ms wherever the times have one, and at the end. */
export function listen(pieces: readonly Piece[], isThawed = false): Heard {
  const scrollback = new Scrollback({ ringBytes: 65_536, bits: 7, joinsFolds: true });
  let notices = new Notices(scrollback);
  const heard: string[] = [];
  const take = (told: readonly RenderedPiece[]) => {
    for (const { rendered } of told) {
      const { text } = rendered;
      let at = 0;
      for (const { index } of rendered.bells) {
        heard.push(text.slice(at, index), '\x07');
        at = index;
      }
      heard.push(text.slice(at));
    }
  };
  let lastMs = 0;
  for (const { atMs, bytes } of pieces) {
    if (atMs - lastMs >= 100) take(notices.pause());
    lastMs = atMs;
    for (const piece of scrollback.append(bytes, true)) take(notices.hear(piece, atMs));
    if (isThawed) notices = new Notices(scrollback, thawed(notices.snapshot()));
  }
  take(notices.pause());
  let rest = '';
  let from = 0;
  for (const { start, end } of notices.spans) {
    rest += scrollback.text(from, start).text;
    from = end;
  }
  rest += scrollback.text(from, scrollback.end).text;
  const all = notices.within({ start: 0, end: scrollback.end });
  return { heard: heard.join(''), rest, notices: all.map(({ text }) => text), goingDown: notices.goingDown };
}

export function hear(...outputs: readonly string[]): Heard {
  return listen(outputs.map((output) => ({ atMs: 0, bytes: bytesOf(output) })));
}
