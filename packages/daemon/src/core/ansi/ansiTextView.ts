/**
 * Text view of a command's output: what the bytes say, line by line, without colours, titles and the motions that put it on
 * a screen. What was said is never taken back (P15): a progress bar that returns to the start of its line begins a new one.
 *
 * Rules: CR LF, a lone LF and a lone CR end a line; a CR on an empty line ends none, and an LF behind a CR is the CR's, whatever
 * colour was set between them. A motion to another row, or back to the first column, ends a line that has text. A motion to
 * the right of the text is one blank. BS and motions to the left: `lineOfText.ts`. TAB stays, BEL is counted, VT and FF end
 * a line that has text, other controls vanish, those of the C1 range too. UTF-8 is decoded; U+FFFD stands only where the
 * bytes are invalid. Counts are clamped.
 *
 * The view is a pure function of the bytes and the context they begin in.
 */
import { RenderedText } from '../renderedText.ts';
import type { TextRenderer, TextRendererFactory } from '../textRenderer.ts';
import { AnsiTextBuilder } from './ansiTextBuilder.ts';
import { AnsiWriter, CR, INITIAL_WRITER, LF, type WriterSnapshot } from './ansiWriter.ts';
import { type AnsiAction, AnsiParser, type AnsiSnapshot, INITIAL_ANSI } from './parser.ts';
import { INCOMPLETE, INITIAL_UTF8, INVALID, REPLACEMENT, Utf8Decoder, type Utf8Snapshot } from './utf8.ts';

export interface AnsiTextContext {
  readonly ansi: AnsiSnapshot;
  readonly utf8: Utf8Snapshot;
  readonly writer: WriterSnapshot;
  /** Bytes since a CR that ended a line, itself included, while an LF next would make it CR LF; else 0. */
  readonly crBytes: number;
}

export const INITIAL_ANSI_TEXT: AnsiTextContext = {
  ansi: INITIAL_ANSI,
  utf8: INITIAL_UTF8,
  writer: INITIAL_WRITER,
  crBytes: 0,
};

const NUL = 0x00;
const BEL = 0x07;

type Builder = AnsiTextBuilder | undefined;

/** Text views of a command's output. */
export const ansiText: TextRendererFactory = (context) =>
  new AnsiTextView(context === undefined ? undefined : toAnsiTextContext(context));

export class AnsiTextView implements TextRenderer {
  readonly #parser: AnsiParser;
  readonly #decoder: Utf8Decoder;
  readonly #writer: AnsiWriter;
  #crBytes: number;
  #bells = 0;

  constructor(context: AnsiTextContext = INITIAL_ANSI_TEXT) {
    this.#parser = new AnsiParser(context.ansi);
    this.#decoder = new Utf8Decoder(context.utf8);
    this.#writer = new AnsiWriter(context.writer);
    this.#crBytes = context.crBytes;
  }

  context(): AnsiTextContext {
    return {
      ansi: this.#parser.snapshot(),
      utf8: this.#decoder.snapshot(),
      writer: this.#writer.snapshot(),
      crBytes: this.#crBytes,
    };
  }

  /** Characters before the cursor on its line; wide ones count as one. */
  get column(): number {
    return this.#writer.column;
  }

  get fragmentBytes(): number {
    return Math.max(this.sequenceBytes, this.#crBytes);
  }

  get sequenceBytes(): number {
    return Math.max(this.#parser.pendingBytes, this.#decoder.pendingBytes);
  }

  get bells(): number {
    return this.#bells;
  }

  /** A command's lines are not folded. */
  get folds(): number {
    return 0;
  }

  get motions(): number {
    return this.#writer.motions;
  }

  render(bytes: Uint8Array): RenderedText {
    const context = this.context();
    const { motions } = this;
    const builder = new AnsiTextBuilder(bytes.length, false);
    this.#apply(bytes, builder);
    return new RenderedText({
      codes: builder.codes,
      bells: builder.bells,
      motions: this.motions - motions,
      // Where each character came from is asked for once in a while only: then these bytes are read again.
      toEnds: () => {
        const again = new AnsiTextBuilder(bytes.length, true);
        new AnsiTextView(context).#apply(bytes, again);
        return again.ends;
      },
    });
  }

  skip(bytes: Uint8Array): void {
    this.#apply(bytes, undefined);
  }

  /** The stream has ended: U+FFFD if a character is unfinished. An unfinished sequence says nothing. */
  finish(): string {
    const isCut = this.#decoder.isPending;
    this.#decoder.reset();
    return isCut ? String.fromCharCode(REPLACEMENT) : '';
  }

  #apply(bytes: Uint8Array, builder: Builder): void {
    if (bytes.length === 0) return;
    if (this.#crBytes > 0) this.#crBytes += bytes.length;
    const actions = this.#parser.parse(bytes);
    let textEnd = 0;
    for (const action of actions) {
      // A character goes on in the byte behind what there is of it, or never.
      const isGoingOn = action.kind === 'print' && action.from === textEnd;
      if (!isGoingOn && this.#decoder.isPending) this.#abandonCharacter(textEnd, builder);
      this.#act(action, bytes, builder);
      if (action.kind === 'print') textEnd = action.to;
    }
    if (textEnd < bytes.length) this.#abandonCharacter(textEnd, builder);
  }

  #act(action: AnsiAction, bytes: Uint8Array, builder: Builder): void {
    switch (action.kind) {
      case 'print':
        this.#print(action.from, action.to, bytes, builder);
        return;
      case 'execute':
        this.#execute(action.code, action.at, bytes.length, builder);
        return;
      case 'escape':
        this.#crBytes = 0;
        this.#writer.escape(action.final, action.at, builder);
        return;
      case 'control':
        this.#crBytes = 0;
        this.#writer.control(action, builder);
        return;
      case 'released':
        this.#character(action.character.charCodeAt(0), action.at, builder);
        return;
      default:
        action satisfies never;
    }
  }

  #print(from: number, to: number, bytes: Uint8Array, builder: Builder): void {
    for (let at = from; at < to; ) {
      if (!this.#decoder.isPending) {
        const start = at;
        if (this.#writer.isAtEnd) while (at < to && (bytes[at] ?? 0) < 0x80) at += 1;
        if (at > start) {
          this.#crBytes = 0;
          this.#writer.asciiLines(bytes, start, at, builder);
          continue;
        }
        if (bytes[at] === LF) {
          this.#execute(LF, at, bytes.length, builder);
          at += 1;
          continue;
        }
      }
      const codePoint = this.#decoder.take(bytes[at] ?? 0);
      if (codePoint === INVALID) {
        this.#character(REPLACEMENT, at, builder);
        continue; // the byte is looked at again
      }
      this.#crBytes = 0;
      if (codePoint !== INCOMPLETE) this.#character(codePoint, at, builder);
      at += 1;
    }
  }

  /** The byte at index `at` is no text, so the character under way will never be complete. */
  #abandonCharacter(at: number, builder: Builder): void {
    if (!this.#decoder.isPending) return;
    this.#decoder.reset();
    this.#character(REPLACEMENT, at, builder);
  }

  #character(codePoint: number, at: number, builder: Builder): void {
    this.#crBytes = 0;
    this.#writer.character(codePoint, at, builder);
  }

  #execute(code: number, at: number, chunkBytes: number, builder: Builder): void {
    if (code === NUL) return; // padding, also between CR and LF
    this.#crBytes = 0;
    if (code === BEL) {
      this.#bells += 1;
      builder?.bell(at);
      return;
    }
    this.#writer.execute(code, at, builder);
    if (code === CR && this.#writer.isEndedByReturn) this.#crBytes = chunkBytes - at;
  }
}

/** Throws a RangeError for anything that `context()` did not give. */
function toAnsiTextContext(context: unknown): AnsiTextContext {
  if (!isContext(context)) throw new RangeError('this is no context of an ANSI text view');
  return context;
}

function isContext(context: unknown): context is AnsiTextContext {
  if (typeof context !== 'object' || context === null) return false;
  const parts = ['ansi', 'utf8', 'writer'] as const;
  return (
    'crBytes' in context &&
    parts.every((part) => part in context && typeof (context as Record<string, unknown>)[part] === 'object')
  );
}
