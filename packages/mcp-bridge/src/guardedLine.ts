/**
 * A line that the daemon's guard stopped (I17): what the person is asked, and what the agent is told. The agent cannot
 * confirm for the person: there is no argument for it, and a yes counts once, for the very call that it was asked for.
 */
import { RPC_ERRORS, RpcError } from '@pidp10/protocol/errors';
import { expandEscapes } from '@pidp10/protocol/escapes';
import { type ToolResult, toErrorResult } from './toolResult.ts';
import { toVisible, toVisibleLine } from './visibleText.ts';

/** What came of asking: agreed, refused, or neither (dismissed, no answer in time). */
export type Answer = 'yes' | 'no' | 'none';

/** A reply that came with a call made again. */
export interface Reply {
  readonly token: string;
  readonly answer: Answer;
  /** The person agreed, whatever stood in a form: to open a link there is nothing more to say. */
  readonly isAccepted: boolean;
}

/** In place of a result: a person has to be asked first. */
export interface Question {
  readonly message: string;
  /** A page for the person, instead of a form; `yes` then only means that it was opened. */
  readonly url?: string;
  /** Ends the call in which it was asked. */
  readonly resume: (answer: Answer) => Promise<ToolResult>;
  /** Keeps the question for a call that is made again with the reply, and with this token. */
  readonly toToken: () => string;
}

export interface Stopped {
  /** Up to the character that made it dangerous. */
  readonly line: string;
  readonly pattern: string;
  /** Characters of it that stood on the line, and were cancelled. */
  readonly typedChars: number;
}

/** The longest line that a person is asked about: it must be seen whole. */
const MAX_LINE_CHARS = 200;
const MAX_PATTERN_CHARS = 100;
const MAX_CLIENT_NAME_CHARS = 60;
/** Questions whose calls were not made again yet; the oldest are forgotten, and asked again if they are. */
const MAX_OPEN = 16;

export function isQuestion(made: ToolResult | Question): made is Question {
  return 'resume' in made;
}

/** The guard's refusal; undefined for any other error. */
export function toStopped(error: unknown): Stopped | undefined {
  if (!(error instanceof RpcError) || error.code !== RPC_ERRORS.confirmation_required.code) return undefined;
  const { line, pattern, typedChars } = error.data;
  return {
    line: typeof line === 'string' ? line : '',
    pattern: typeof pattern === 'string' ? pattern : '',
    typedChars: typeof typedChars === 'number' ? typedChars : 0,
  };
}

/**
 * The line as it would be typed, if the input is that line and nothing else: what a person cannot see whole (more lines,
 * the rest of one that somebody else began, a very long one) is nothing to agree to.
 */
export function toWholeLine(input: string, isRaw: boolean, { line }: Stopped): string | undefined {
  const expansion = expandEscapes(input, { bits: 8, raw: isRaw });
  if (expansion.kind !== 'bytes' || expansion.bytes.length > MAX_LINE_CHARS) return undefined;
  const typed = String.fromCharCode(...expansion.bytes).replace(/\r?\n?$/, '');
  const shown = toVisible(typed);
  return line !== '' && typed.startsWith(line) && !/[\r\n]/.test(typed) && shown.length <= MAX_LINE_CHARS
    ? shown
    : undefined;
}

/** What the person reads. */
export function toQuestionText(line: string, { pattern }: Stopped, clientName: string): string {
  const who = toVisibleLine(clientName, MAX_CLIENT_NAME_CHARS);
  return `${who} wants to type this on the terminal line of the PiDP-10:

${line}

Nothing has been sent yet. The guard stops such lines (${toVisibleLine(pattern, MAX_PATTERN_CHARS)}): they can bring ITS down for everybody who uses it.`;
}

/** Nobody can be asked here, or not about this input; `command` is what a person would run. */
export function toStoppedResult(
  stopped: Stopped,
  options: { readonly canAsk: boolean; readonly command: string },
): ToolResult {
  const { canAsk, command } = options;
  const next = canAsk
    ? 'A person is asked only about a line that is the whole input: send it alone and in one piece, and they will be. Text for a file goes with put_file.'
    : `This client cannot ask a person, and a person must decide. Tell them; whoever wants it types it with: ${command} That is theirs to run, not yours.`;
  const cancelled = stopped.typedChars > 0 ? ', and what stood of that line was cancelled' : '';
  return refuse(
    `nothing of this input was sent${cancelled}. ${toSubject(stopped)} ${next} Do not try to get around the guard.`,
  );
}

export function toRefusedResult(answer: Exclude<Answer, 'yes'>): ToolResult {
  return refuse(
    answer === 'no'
      ? 'the person was asked and said no: nothing was sent. Go on without it; do not ask for it again, and do not try to get around the guard.'
      : 'the person was asked and gave no answer: nothing was sent. Do not try to get around the guard; tell them what you want to type and why, and wait for what they say.',
  );
}

/** `pidp10ctl send --confirm ':lock'`, for a shell; with an ellipsis for what a person must put together. */
export function toCommand(input: string | undefined, isRaw: boolean): string {
  const words = input === undefined ? "'…'" : `'${toVisible(input).replaceAll("'", "'\\''")}'`;
  return `pidp10ctl send --confirm ${isRaw ? '--raw ' : ''}${words}`;
}

/** Questions that wait for the call to be made again. */
export class OpenQuestions {
  readonly #calls = new Map<string, string>();

  add(call: string): string {
    const token = crypto.randomUUID();
    this.#calls.set(token, call);
    for (const oldest of this.#calls.keys()) {
      if (this.#calls.size <= MAX_OPEN) break;
      this.#calls.delete(oldest);
    }
    return token;
  }

  /** Whether it was asked for this very call; never again after that. */
  take(token: string, call: string): boolean {
    const asked = this.#calls.get(token);
    this.#calls.delete(token);
    return asked === call;
  }
}

function toSubject({ line, pattern }: Stopped): string {
  return `${JSON.stringify(toVisibleLine(line, MAX_LINE_CHARS))} needs a person's word (guard ${toVisibleLine(pattern, MAX_PATTERN_CHARS)}): it can bring ITS down for everybody.`;
}

function refuse(text: string): ToolResult {
  return toErrorResult(`confirmation_required: ${text}`);
}
