/** What the tools for commands do that start, type and read: arguments of MCP to parameters of the daemon, its answers to results. */
import type { SessionOutcome } from '@pidp10/protocol/sessionSchemas';
import { toWordLines } from './clientWords.ts';
import {
  ANSWER_MS,
  MATCH_MS,
  type ReadOutputArgs,
  type SendInputArgs,
  type StartArgs,
} from './commandInputs.ts';
import type { Answer, DaemonLink } from './daemonLink.ts';
import type { ToolCall } from './defineTool.ts';
import type { Deliveries } from './deliveries.ts';
import { toFloorWait } from './floorWait.ts';
import type { Question } from './guardedLine.ts';
import type { Requests } from './requests.ts';
import type { SecretCalls, SecretOutcome } from './secretCalls.ts';
import { toSessionResult } from './sessionResult.ts';
import { MAX_OUTPUT_CHARS, type ToolResult, toErrorResult } from './toolResult.ts';

/** Time between two signs of progress of a command's calls, in ms (PARITY B13). */
export const COMMAND_PROGRESS_EVERY_MS = 1_000;
/** Longest wait for the first output of a program by default, in ms: most say something at once, or never. */
const FIRST_OUTPUT_MS = 1_000;
const DEFAULT_MESSAGE = 'the secret that the program asks for';

/** Log messages of what a program prints, for clients that have them. */
export interface OutputLog {
  /** What there is to say about it to the caller; undefined: it runs. */
  follow(session: string, isSplit: boolean, call: ToolCall): Promise<string | undefined>;
}

export interface CommandCallsOptions {
  readonly requests: Requests;
  readonly link: Pick<DaemonLink, 'takeStartNote'>;
  readonly deliveries: Deliveries;
  readonly log: OutputLog;
  readonly secrets: SecretCalls;
  /** There is a session more. */
  readonly onStart: () => void;
}

export class CommandCalls {
  readonly #options: CommandCallsOptions;
  readonly #everyMs: number;

  constructor(options: CommandCallsOptions) {
    this.#options = options;
    this.#everyMs = Math.min(options.requests.settings.progressEveryMs, COMMAND_PROGRESS_EVERY_MS);
  }

  start(args: StartArgs, call: ToolCall): Promise<ToolResult> {
    const { requests, link, log, onStart } = this.#options;
    const { command, split_stderr: splitStderr, use_pty: pty, rows, cols, name, cwd, env } = args;
    const input = {
      command,
      args: args.args,
      pty,
      splitStderr,
      ...(rows !== undefined && { rows }),
      ...(cols !== undefined && { columns: cols }),
      ...ifSet('name', name),
      ...ifSet('cwd', cwd),
      ...(env !== undefined && { env }),
      ...(args.timeout_ms !== undefined && { timeLimitMs: args.timeout_ms }),
      timeoutMs: args.wait_ms ?? (isSet(args.expect) ? MATCH_MS : FIRST_OUTPUT_MS),
      ...toEnd(args.expect),
      ...this.#toWaiting(call),
    };
    return requests.attempt('start_command', async () => {
      const answer = await requests.wait('session.start', input, call, this.#everyMs);
      onStart();
      const { session } = answer.result;
      const notes = [
        link.takeStartNote(),
        args.stream_log ? await log.follow(session, splitStderr, call) : undefined,
      ].filter((note) => note !== undefined);
      return this.#deliver(answer.result, answer, call, notes.join('; ') || undefined);
    });
  }

  async send(args: SendInputArgs, call: ToolCall): Promise<ToolResult | Question> {
    const { session_id: session, elicit, close_input: closeInput, no_enter: noEnter, expect } = args;
    if (elicit) return await this.#sendSecret(session, args.elicit_message || DEFAULT_MESSAGE, call);
    const typed = toTyped(args);
    if (typed === undefined && !closeInput)
      return toErrorResult('nothing_to_send: give input, bytes, or close_input=true; nothing was sent.');
    const { requests } = this.#options;
    const { returnAfterMs } = requests.settings;
    const input = {
      session,
      ...typed,
      enter: !noEnter && typed !== undefined && 'input' in typed,
      closeInput,
      echo: 'strip' as const,
      timeoutMs: args.await_response_ms ?? (isSet(expect) ? MATCH_MS : ANSWER_MS),
      ...toEnd(expect),
      ...this.#toWaiting(call),
      ...toFloorWait({ floor: 'wait' }, { returnAfterMs, notifyProgress: call.notifyProgress }),
    };
    return await requests.attempt('send_input', async () => {
      const answer = await requests.wait('session.send', input, call, this.#everyMs);
      return this.#deliver(answer.result, answer, call);
    });
  }

  read(stream: SessionOutcome['stream'], args: ReadOutputArgs, call: ToolCall): Promise<ToolResult> {
    const { requests } = this.#options;
    const { from } = args;
    const input = {
      session: args.session_id,
      stream,
      stripAnsi: args.strip_ansi,
      timeoutMs: args.timeout_ms,
      maxChars: Math.min(args.max_chars, MAX_OUTPUT_CHARS),
      ...(from !== undefined && { from }),
      ...toEnd(args.expect),
      ...this.#toWaiting(call),
    };
    return requests.attempt(stream === 'err' ? 'read_stderr' : 'read_output', async () => {
      const answer = await requests.wait('session.read', input, call, this.#everyMs);
      return from === undefined
        ? this.#deliver(answer.result, answer, call)
        : this.#deliverAgain(answer.result, call);
    });
  }

  #sendSecret(session: string, message: string, call: ToolCall): Promise<ToolResult | Question> {
    const request = {
      tool: 'send_input',
      session,
      message,
      deliver: (
        outcome: SecretOutcome,
        answer: Pick<Answer<'session.read'>, 'client'>,
        note: string,
      ): ToolResult => {
        if (!('stream' in outcome)) throw new Error('the outcome of the line, for a session');
        return this.#deliver(outcome, answer, call, note);
      },
    } as const;
    return this.#options.secrets.ask(request, call);
  }

  /** Blanks and empty lines mean something in what programs print (a source, a table): nothing is tidied away. */
  #toWaiting(call: ToolCall) {
    const { requests } = this.#options;
    return {
      tidy: false,
      ...(call.notifyProgress === undefined
        ? { returnAfterMs: requests.settings.returnAfterMs }
        : requests.toProgress(call, this.#everyMs)),
    };
  }

  /** Older output again: nothing counts as read by it, but what others said is told once. */
  #deliverAgain(outcome: SessionOutcome, { id, signal }: ToolCall): ToolResult {
    const { deliveries } = this.#options;
    const words = deliveries.takeWords();
    const lines = [...words, ...toWordLines(outcome)];
    deliveries.prepare({ id, signal, slices: [], words: lines, commit: () => {} });
    return toSessionResult(outcome, { undelivered: [], words });
  }

  /** The result of an answer that moved the reader; it counts as read once it is written (I5). */
  #deliver(
    outcome: SessionOutcome,
    { client }: Pick<Answer<'session.read'>, 'client'>,
    { id, signal }: ToolCall,
    note?: string,
  ): ToolResult {
    const { deliveries } = this.#options;
    const { session, stream, before, output } = outcome;
    const place = toPlace(session, stream);
    const undelivered = deliveries.takeUndelivered(place);
    const words = deliveries.takeWords();
    const commit = (): void => {
      // If it fails, the connection is lost, and the next one is handed the same output again; or the session is deleted.
      client.request('reader.commit', { session, stream, end: output.end }).catch(() => {});
    };
    const slices = [...undelivered, ...(before === undefined ? [] : [before]), output];
    const lines = [...words, ...toWordLines(outcome)];
    deliveries.prepare({ id, signal, place, slices, words: lines, commit });
    return toSessionResult(outcome, { undelivered, words, note });
  }
}

/** Text comes first; an empty one beside bytes is how some models leave an argument out. */
function toTyped({ input, bytes = [] }: SendInputArgs): { input: string } | { bytes: number[] } | undefined {
  if (input !== undefined && (input !== '' || bytes.length === 0)) return { input };
  return bytes.length > 0 ? { bytes } : undefined;
}

function toPlace(session: string, stream: SessionOutcome['stream']): string {
  return `session/${session}/${stream}`;
}

/** Who says what he waits for is not answered because the program thinks for a moment. */
function toEnd(expect: string | undefined): { expect?: string; quietMs?: number } {
  return isSet(expect) ? { expect, quietMs: 0 } : {};
}

function isSet(text: string | undefined): text is string {
  return text !== undefined && text !== '';
}

/** An empty text is how some models leave an argument out. */
function ifSet<K extends string>(key: K, value: string | undefined): { [key in K]?: string } {
  const fields: { [key in K]?: string } = {};
  if (isSet(value)) fields[key] = value;
  return fields;
}
