/**
 * Output as a recording for asciinema's players: asciicast v3 (https://docs.asciinema.org/manual/asciicast/v3/). One JSON
 * document a line: a header, then [seconds since the event before, code, data]. `o` is output, already translated for
 * today's terminals; marks, inputs and what befell the line are markers (`m`), since what was typed came back as output.
 */
import { neutralize, toJsonText } from '../neutralize.ts';
import type { LineEvent, WatchOf } from '../watcher.ts';
import { toShown } from '../watchText.ts';

const VERSION = 3;
/** What players take the output for; it uses less than any xterm has. */
const TERMINAL_TYPE = 'xterm-256color';
/** Longest label of a marker, in characters. */
const MAX_LABEL_CHARS = 200;

export class AsciicastWriter {
  readonly #write: (text: string) => void;
  #hasHeader = false;
  /** A paint that waits for the time of the event behind it. */
  #paint = '';
  #size = { rows: 0, columns: 0 };
  /** Of the last event, wall clock in ms. */
  #lastMs: number | undefined;

  constructor(write: (text: string) => void) {
    this.#write = write;
  }

  /** A watch in the form `ansi` begins; again, when it had lagged. */
  begin({ paint = '', size }: Pick<WatchOf<'line'>, 'paint' | 'size'>): void {
    this.#paint += paint;
    this.#size = size;
  }

  take(event: LineEvent): void {
    if (!('at' in event.params)) return;
    const atMs = Date.parse(event.params.at);
    if (event.name === 'line.output') {
      this.#begun(atMs);
      this.#event(atMs, 'o', event.params.text ?? '');
      return;
    }
    const { note } = toShown(event, { isJson: false, isInputShown: true });
    if (note === undefined) return;
    this.#begun(atMs);
    this.#event(atMs, 'm', neutralize(note).replace(/\s+/g, ' ').slice(0, MAX_LABEL_CHARS));
  }

  /** A recording in which nothing happened shows its screen all the same. `nowMs`: wall clock. */
  end(nowMs: number): void {
    this.#begun(nowMs);
  }

  #begun(atMs: number): void {
    if (!this.#hasHeader) {
      this.#hasHeader = true;
      const { rows, columns } = this.#size;
      const term = { cols: columns, rows, type: TERMINAL_TYPE };
      this.#line({ version: VERSION, term, timestamp: Math.floor(atMs / 1_000) });
    }
    const paint = this.#paint;
    this.#paint = '';
    if (paint !== '') this.#event(atMs, 'o', paint);
  }

  #event(atMs: number, code: 'o' | 'm', data: string): void {
    // A clock that was set back, and times of the record that are not in order, are no reason to go back.
    const lastMs = this.#lastMs ?? atMs;
    const nextMs = Math.max(lastMs, atMs);
    this.#lastMs = nextMs;
    if (data !== '') this.#line([(nextMs - lastMs) / 1_000, code, data]);
    else this.#lastMs = lastMs;
  }

  #line(value: unknown): void {
    this.#write(`${toJsonText(value)}\n`);
  }
}
