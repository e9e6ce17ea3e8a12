/** Small dialogues with DDT, the way its users have them by hand; each step waits for DDT to be ready again. */
import type { Expectation, Settlement, Span } from '../core/events.ts';
import type { Ask, AskOptions } from './asking.ts';
import { ownExpectation } from './expectation.ts';
import type { LineService } from './lineService.ts';
import { answerSpan } from './outcome.ts';

/** Longest wait for ITS to put something away, in ms. */
const CLEAN_UP_MS = 60_000;

export interface Said {
  readonly settlement: Settlement;
  /** What came, without the echo. */
  readonly text: string;
  readonly span: Span;
  /** The beginning of it is no longer there. */
  readonly isTruncated: boolean;
}

export class Ddt {
  readonly #line: LineService;
  readonly #ask: Ask;

  constructor(line: LineService, ask: Ask) {
    this.#line = line;
    this.#ask = ask;
  }

  get isAtPager(): boolean {
    return this.#line.conversation.activity.kind === 'pager';
  }

  /** Whether DDT waits for a command. */
  get isReady(): boolean {
    return this.#line.conversation.activity.kind === 'ddt';
  }

  async type(text: string, options: Partial<Expectation> = {}, askOptions: AskOptions = {}): Promise<Said> {
    const bytes = Uint8Array.from(text, (character) => character.charCodeAt(0));
    const settlement = await this.#ask(
      { kind: 'send', bytes, expectation: ownExpectation(options) },
      askOptions,
    );
    const span = answerSpan(settlement, { echo: 'strip' });
    const { oldest } = this.#line.conversation.scrollback;
    return { settlement, text: this.text(span), span, isTruncated: span.start < oldest };
  }

  text(span: Span): string {
    return this.#line.conversation.transcript.text(span).text;
  }

  /** Bytes of a span, one character each. */
  bytes({ start, end }: Span): string {
    return Buffer.from(this.#line.conversation.scrollback.bytes(start, end)).toString('latin1');
  }

  /** The same without page turns and messages. */
  spokenBytes(span: Span): string {
    return this.#line.conversation.transcript
      .spoken(span)
      .map((part) => this.bytes(part))
      .join('');
  }

  /** Whether a message of others came in a span: what is folded or tabbed around it may look different. */
  isDisturbed(span: Span): boolean {
    return this.#line.conversation.transcript.notices(span).length > 0;
  }

  command(command: string, options: Partial<Expectation> = {}): Promise<Said> {
    return this.type(`${command}\r`, options);
  }

  /** Keys that put something away, also when the call was cancelled meanwhile. */
  cleanUp(keys: string): Promise<Said> {
    return this.type(keys, { until: 'prompt', timeoutMs: CLEAN_UP_MS }, { isCleaningUp: true });
  }

  /** The line's terminal type as :TCTYP tells it, in its words; undefined when it does not. */
  async terminal(): Promise<string | undefined> {
    const { text } = await this.command(':tctyp', { until: 'prompt' });
    return /^\s*([A-Z0-9]+)\s*$/m.exec(text)?.[1];
  }

  setTerminal(type: string): Promise<Said> {
    return this.command(`:tctyp ${type.toLowerCase()}`, { until: 'prompt' });
  }
}
