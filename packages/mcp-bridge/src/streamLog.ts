/**
 * What a program prints as log messages of MCP (`stream_log`): logger `session/ID/stdout`, level info, or `…/stderr`, warning;
 * line by line, in order, without control sequences. Few lines go one by one; many that come at once go together, and what
 * is too much is counted instead: read_output has it all.
 */
import type { OutputLog } from './commandCalls.ts';
import type { ToolCall } from './defineTool.ts';
import { toCount, toVisible } from './visibleText.ts';
import type { Watches } from './watches.ts';

/** Lines are gathered for so long, in ms: one write for a burst. */
export const LOG_EVERY_MS = 100;
/** Lines of one gathering that go one by one; above it they share messages. */
export const MAX_SINGLE_LINES = 20;
/** Characters of one message; a longer line is cut into several. */
export const MAX_LOG_CHARS = 4_000;
/** Messages of one gathering, where lines share them: 400 kB a second at most. */
export const MAX_LOG_MESSAGES = 10;
/** Characters that wait for a client that does not read; what comes on top is counted and dropped. */
export const MAX_LOG_WAITING_CHARS = 262_144;

export interface LogMessage {
  readonly level: 'info' | 'warning';
  readonly logger: string;
  readonly data: string;
}

export interface LogSink {
  /** The client's protocol has log messages. */
  readonly hasLog: boolean;
  /** It does not read what it was sent: nothing more for now. */
  readonly isBusy: boolean;
  log(message: LogMessage): void;
}

export class StreamLog implements OutputLog {
  readonly #watches: Watches;
  readonly #sink: LogSink;

  constructor(watches: Watches, sink: LogSink) {
    this.#watches = watches;
    this.#sink = sink;
  }

  async follow(session: string, isSplit: boolean, { clientName }: ToolCall): Promise<string | undefined> {
    if (!this.#sink.hasLog)
      return 'stream_log: the protocol of this client has no log messages any more; read_output gives the output';
    try {
      for (const stream of isSplit ? (['out', 'err'] as const) : (['out'] as const)) {
        const log = new LineLog(this.#sink, session, stream);
        await this.#watches.follow({ source: { session, stream }, from: 0, clientName }, log);
      }
      return undefined;
    } catch (error) {
      return `stream_log failed (${error instanceof Error ? error.message : 'unknown'}); read_output gives the output`;
    }
  }
}

/** Lines of one stream on their way. */
export class LineLog {
  readonly #sink: LogSink;
  readonly #head: Pick<LogMessage, 'level' | 'logger'>;
  #partial = '';
  #lines: string[] = [];
  #waitingChars = 0;
  #dropped = 0;
  #timer: NodeJS.Timeout | undefined;

  constructor(sink: LogSink, session: string, stream: 'out' | 'err') {
    this.#sink = sink;
    this.#head =
      stream === 'out'
        ? { level: 'info', logger: `session/${session}/stdout` }
        : { level: 'warning', logger: `session/${session}/stderr` };
  }

  handleOutput(text: string): void {
    const [first = '', ...rest] = text.split('\n');
    let line = this.#partial + first;
    for (const next of rest) {
      this.#add(line);
      line = next;
    }
    // A line without an end must not grow for ever.
    while (line.length > MAX_LOG_CHARS) {
      this.#add(line.slice(0, MAX_LOG_CHARS));
      line = line.slice(MAX_LOG_CHARS);
    }
    this.#partial = line;
    this.#schedule();
  }

  /** A last line without its end is a line. */
  handleEnd(): void {
    if (this.#partial !== '') this.#add(this.#partial);
    this.#partial = '';
    this.#schedule();
  }

  #add(line: string): void {
    if (line.length > MAX_LOG_CHARS) {
      this.#add(line.slice(0, MAX_LOG_CHARS));
      return this.#add(line.slice(MAX_LOG_CHARS));
    }
    if (this.#waitingChars + line.length > MAX_LOG_WAITING_CHARS) {
      this.#dropped += 1;
      return;
    }
    this.#waitingChars += line.length;
    this.#lines.push(line);
  }

  #schedule(): void {
    if (this.#timer !== undefined || (this.#lines.length === 0 && this.#dropped === 0)) return;
    this.#timer = setTimeout(() => this.#flush(), LOG_EVERY_MS);
  }

  #flush(): void {
    this.#timer = undefined;
    if (!this.#sink.isBusy) {
      const { messages, left } = gather(this.#lines);
      for (const data of messages) this.#sink.log({ ...this.#head, data });
      this.#lines = left;
      this.#waitingChars = left.reduce((sum, line) => sum + line.length, 0);
      if (left.length === 0 && this.#dropped > 0) {
        const data = `[${toCount(this.#dropped)} lines left out here: read_output gives them]`;
        this.#dropped = 0;
        this.#sink.log({ ...this.#head, data });
      }
    }
    this.#schedule();
  }
}

/** Texts of messages, and the lines that are for the next time. */
function gather(lines: readonly string[]): { readonly messages: string[]; readonly left: string[] } {
  const shown = lines.map((line) => toVisible(line));
  if (shown.length <= MAX_SINGLE_LINES) return { messages: shown, left: [] };
  const messages: string[] = [];
  for (const [index, line] of shown.entries()) {
    const last = messages.at(-1);
    if (last !== undefined && last.length + 1 + line.length <= MAX_LOG_CHARS)
      messages.splice(-1, 1, `${last}\n${line}`);
    else if (messages.length < MAX_LOG_MESSAGES) messages.push(line);
    else return { messages, left: lines.slice(index) };
  }
  return { messages, left: [] };
}
