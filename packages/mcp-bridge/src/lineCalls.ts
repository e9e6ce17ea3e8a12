/** What the tools do: arguments of MCP to parameters of the daemon, its answers to results. Knows neither SDK nor schemas. */
import { describeBytes } from '@pidp10/protocol/escapes';
import type { MethodInput, MethodName, MethodResult } from '@pidp10/protocol/methods';
import type { Outcome } from '@pidp10/protocol/schemas';
import type { Answer, DaemonLink } from './daemonLink.ts';
import type { ToolCall } from './defineTool.ts';
import type { Deliveries } from './deliveries.ts';
import {
  OpenQuestions,
  type Answer as PersonsAnswer,
  type Question,
  type Stopped,
  toCommand,
  toQuestionText,
  toRefusedResult,
  toStopped,
  toStoppedResult,
  toWholeLine,
} from './guardedLine.ts';
import { LongCalls } from './longCalls.ts';
import { reportProgress } from './progress.ts';
import type { Settings } from './settings.ts';
import { toStatusText } from './statusText.ts';
import { type ToolName, toFailure } from './toolError.ts';
import type {
  GetFileArgs,
  OpenArgs,
  PeekArgs,
  PutFileArgs,
  ReadArgs,
  ScreenArgs,
  SendArgs,
} from './toolInputs.ts';
import {
  MAX_OUTPUT_CHARS,
  type ToolResult,
  toFileResult,
  toKeptSlice,
  toOutcomeResult,
  toPeekResult,
  toScreenResult,
  toTextResult,
} from './toolResult.ts';
import { toCount, toVisibleLine } from './visibleText.ts';

/** Longest name of a file that is quoted. */
const MAX_NAME_CHARS = 80;

export class LineCalls {
  readonly #link: DaemonLink;
  readonly #deliveries: Deliveries;
  readonly #settings: Settings;
  readonly #puts = new LongCalls<MethodResult<'line.putFile'>>();
  readonly #gets = new LongCalls<MethodResult<'line.getFile'>>();
  readonly #questions = new OpenQuestions();

  constructor(link: DaemonLink, deliveries: Deliveries, settings: Settings) {
    this.#link = link;
    this.#deliveries = deliveries;
    this.#settings = settings;
  }

  open(args: OpenArgs, call: ToolCall): Promise<ToolResult> {
    const host = args.host || this.#settings.host;
    const port = args.port ?? this.#settings.port;
    const { returnAfterMs } = this.#settings;
    // An attempt outlives its callers, so that a short wait loses nothing: opening again joins it.
    const timeoutMs =
      call.notifyProgress === undefined ? Math.min(args.timeout_ms, returnAfterMs) : args.timeout_ms;
    const { login, terminal } = args;
    const input = {
      timeoutMs,
      ...(host !== undefined && { host }),
      ...(port !== undefined && { port }),
      ...ifSet('login', login),
      ...ifSet('terminal', terminal),
    };
    return this.#attempt('open', async () => {
      const answer = await this.#wait('line.open', input, call);
      return this.#deliver(answer.result, answer, call, toOpenNote(answer.result));
    });
  }

  async send(args: SendArgs, call: ToolCall): Promise<ToolResult | Question> {
    const { reply } = call;
    if (reply !== undefined) {
      const isAsked = this.#questions.take(reply.token, JSON.stringify(args));
      // A yes to something else, or to what was answered already, is none: the guard stops the line again.
      if (isAsked || reply.answer !== 'yes') return this.#sendAnswered(args, call, reply.answer);
    }
    return this.#attempt('send', async () => {
      try {
        return await this.#send(args, call, false);
      } catch (error) {
        const stopped = toStopped(error);
        if (stopped === undefined) throw error;
        return this.#toQuestion(args, call, stopped);
      }
    });
  }

  read(args: ReadArgs, call: ToolCall): Promise<ToolResult> {
    const { from, flush } = args;
    const input = { ...this.#toWaiting(args, call), flush, ...(from !== undefined && { from }) };
    return this.#attempt('read', async () => {
      const answer = await this.#wait('line.read', input, call);
      if (from !== undefined) return toOutcomeResult(answer.result, { undelivered: [] });
      return this.#deliver(answer.result, answer, call);
    });
  }

  peek(args: PeekArgs, call: ToolCall): Promise<ToolResult> {
    return this.#attempt('peek', async () => {
      const chars = Math.min(args.last_n_chars, MAX_OUTPUT_CHARS);
      return toPeekResult((await this.#ask('line.peek', { chars }, call)).result);
    });
  }

  screen({ changed_since: changedSince, at }: ScreenArgs, call: ToolCall): Promise<ToolResult> {
    const input = {
      ...(changedSince !== undefined && { changedSince }),
      ...(at !== undefined && { at }),
    };
    return this.#attempt('screen', async () =>
      toScreenResult((await this.#ask('line.screen', input, call)).result, changedSince),
    );
  }

  putFile({ file, text }: PutFileArgs, call: ToolCall): Promise<ToolResult> {
    return this.#attempt('put_file', async () => {
      const result = await this.#waitLong(
        this.#puts,
        `${file}\n${text}`,
        call,
        async (own) =>
          (await this.#wait('line.putFile', { file, text, ...this.#toProgress(own) }, own)).result,
      );
      if (result === undefined) return toTextResult(toStillBusy(`typing ${toCount(text.length)} characters`));
      const { lines, chars, verified } = result;
      const check = verified ? 'read back and found the same' : 'not verified';
      return toTextResult(
        `Written: ${toVisibleLine(result.file, MAX_NAME_CHARS)}, ${toCount(lines)} lines, ${toCount(chars)} characters, ${check}.`,
      );
    });
  }

  getFile({ file }: GetFileArgs, call: ToolCall): Promise<ToolResult> {
    return this.#attempt('get_file', async () => {
      const result = await this.#waitLong(
        this.#gets,
        file,
        call,
        async (own) => (await this.#wait('line.getFile', { file, ...this.#toProgress(own) }, own)).result,
      );
      return result === undefined ? toTextResult(toStillBusy('reading the file')) : toFileResult(result);
    });
  }

  status(call: ToolCall): Promise<ToolResult> {
    return this.#attempt('status', async () => {
      const [line, daemon] = await Promise.all([
        this.#ask('line.status', {}, call),
        this.#ask('daemon.status', {}, call),
      ]);
      return toTextResult(toStatusText(line.result, daemon.result));
    });
  }

  close(call: ToolCall): Promise<ToolResult> {
    return this.#attempt('close', async () => {
      const { result } = await this.#ask('line.close', {}, call);
      return toTextResult(
        `The line is ${result.lineState.state}. Its output up to offset ${result.end} stays readable.`,
      );
    });
  }

  async #send(args: SendArgs, call: ToolCall, confirm: boolean): Promise<ToolResult> {
    const { input, raw, dry_run: dryRun, echo, paste } = args;
    const answer = await this.#wait(
      'line.send',
      { input, raw, dryRun, echo, paste, confirm, ...this.#toWaiting(args, call) },
      call,
    );
    const { result } = answer;
    return 'dryRun' in result
      ? toTextResult(toDryRunText(result.dryRun))
      : this.#deliver(result, answer, call);
  }

  async #sendAnswered(args: SendArgs, call: ToolCall, answer: PersonsAnswer): Promise<ToolResult> {
    if (answer !== 'yes') return toRefusedResult(answer);
    return await this.#attempt('send', () => this.#send(args, call, true));
  }

  #toQuestion(args: SendArgs, call: ToolCall, stopped: Stopped): ToolResult | Question {
    const { input, raw } = args;
    const line = toWholeLine(input, raw, stopped);
    if (line === undefined || !call.canAsk) {
      const command = toCommand(line === undefined ? undefined : input, raw);
      return toStoppedResult(stopped, { canAsk: call.canAsk, command });
    }
    return {
      message: toQuestionText(line, stopped, call.clientName),
      resume: (answer) => this.#sendAnswered(args, call, answer),
      toToken: () => this.#questions.add(JSON.stringify(args)),
    };
  }

  async #attempt<T>(tool: ToolName, run: () => Promise<ToolResult | T>): Promise<ToolResult | T> {
    try {
      return await run();
    } catch (error) {
      return toFailure(error, { tool, maySpawn: this.#settings.maySpawn });
    }
  }

  /** A request that may last, and may start a daemon where its tool may. */
  async #wait<M extends MethodName>(method: M, input: MethodInput<M>, call: ToolCall): Promise<Answer<M>> {
    const { signal, clientName, notifyProgress, startMs } = call;
    const mayStart = method === 'line.open' || method === 'line.send';
    if (notifyProgress === undefined)
      return await this.#link.call(method, input, { signal, clientName, mayStart });
    await using report = reportProgress(notifyProgress, {
      everyMs: this.#settings.progressEveryMs,
      startMs,
    });
    const onProgress = report.update;
    return await this.#link.call(method, input, { signal, clientName, mayStart, onProgress });
  }

  /** A request that cannot return halfway: for a client that asks for no progress the tool does. */
  #waitLong<T>(
    calls: LongCalls<T>,
    key: string,
    call: ToolCall,
    begin: (own: ToolCall) => Promise<T>,
  ): Promise<T | undefined> {
    const { signal, notifyProgress } = call;
    const patienceMs = notifyProgress === undefined ? this.#settings.returnAfterMs : undefined;
    return calls.run(key, (own) => begin({ ...call, signal: own }), { signal, patienceMs });
  }

  #ask<M extends MethodName>(
    method: M,
    input: MethodInput<M>,
    { signal, clientName }: ToolCall,
  ): Promise<Answer<M>> {
    return this.#link.call(method, input, { signal, clientName, mayStart: false });
  }

  /** The daemon's part of the progress that the client asked for. */
  #toProgress({ notifyProgress }: ToolCall): { readonly progressEveryMs?: number } {
    return notifyProgress === undefined ? {} : { progressEveryMs: this.#settings.progressEveryMs };
  }

  #toWaiting(args: SendArgs | ReadArgs, call: ToolCall) {
    const { returnAfterMs } = this.#settings;
    return {
      timeoutMs: args.timeout_ms,
      quietMs: args.quiet_ms,
      autoMore: args.auto_more,
      maxChars: Math.min(args.max_chars, MAX_OUTPUT_CHARS),
      maxPages: args.max_pages,
      ...('settle_ms' in args && { settleMs: args.settle_ms }),
      ...ifSet('expect', args.expect),
      ...ifSet('until', args.until),
      ...ifSet('toFile', args.to_file),
      ...(call.notifyProgress === undefined ? { returnAfterMs } : this.#toProgress(call)),
    };
  }

  /** The result of an answer that moved the reader, and what is to follow once it is written. */
  #deliver(
    outcome: Outcome,
    { client }: Pick<Answer<MethodName>, 'client'>,
    { id, signal }: ToolCall,
    note?: string,
  ): ToolResult {
    const undelivered = this.#deliveries.takeUndelivered();
    const slices = [
      ...undelivered,
      ...(outcome.before === undefined ? [] : [outcome.before]),
      toKeptSlice(outcome),
    ];
    const commit = (): void => {
      // If it fails, the connection is lost, and the next one is handed the same output again.
      client.request('reader.commit', { end: outcome.output.end }).catch(() => {});
    };
    this.#deliveries.prepare({ id, signal, slices, commit });
    return toOutcomeResult(outcome, { undelivered, note: note ?? this.#link.takeStartNote() });
  }
}

/** An empty text is how some models leave an argument out. */
function ifSet<K extends string, V extends string>(key: K, value: V | undefined): { [key in K]?: V } {
  const fields: { [key in K]?: V } = {};
  if (value !== undefined && value !== '') fields[key] = value;
  return fields;
}

function toStillBusy(doing: string): string {
  return `Not done yet: still ${doing}. Make the same call again to hear the end; other calls wait until then.`;
}

/** A telnet line that has just been opened greets; a raw one says nothing. */
function toOpenNote({ output, lineState }: Outcome): string | undefined {
  const { state, host, port, codec } = lineState;
  if (state !== 'open' || output.end > output.start) return undefined;
  const where = `to ${host}:${port}`;
  return codec === 'raw'
    ? `The line is open, ${where}.`
    : `The line was open already, ${where}; nothing was changed. status tells more.`;
}

function toDryRunText({
  hex,
  bytes,
  warnings,
}: Extract<MethodResult<'line.send'>, { dryRun: unknown }>['dryRun']): string {
  const values = Uint8Array.from(hex.match(/../g) ?? [], (digits) => Number.parseInt(digits, 16));
  const lines = [`${bytes} bytes would be sent: ${describeBytes(values)}`, `hex ${hex}`, ...warnings];
  return `${lines.join('\n')}\n[dry run: nothing was sent]`;
}
