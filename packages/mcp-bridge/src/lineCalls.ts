/** What the tools do: arguments of MCP to parameters of the daemon, its answers to results. Knows neither SDK nor schemas. */
import { describeBytes } from '@pidp10/protocol/escapes';
import type { MethodName, MethodResult } from '@pidp10/protocol/methods';
import type { Outcome } from '@pidp10/protocol/schemas';
import { toWordLines } from './clientWords.ts';
import type { Answer, DaemonLink } from './daemonLink.ts';
import type { ToolCall } from './defineTool.ts';
import type { Deliveries } from './deliveries.ts';
import type { FloorHold } from './floorHold.ts';
import { type FloorArgs, type FloorWait, toFloorWait } from './floorWait.ts';
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
import type { Requests } from './requests.ts';
import type { SecretOutcome } from './secretCalls.ts';
import { toStatusText } from './statusText.ts';
import type { OpenArgs, PeekArgs, ReadArgs, ScreenArgs, SendArgs } from './toolInputs.ts';
import {
  MAX_OUTPUT_CHARS,
  type ToolResult,
  toKeptSlice,
  toOutcomeResult,
  toPeekResult,
  toScreenResult,
  toTextResult,
} from './toolResult.ts';

export interface LineCallsOptions {
  readonly requests: Requests;
  readonly link: Pick<DaemonLink, 'takeStartNote'>;
  readonly deliveries: Deliveries;
  readonly hold: FloorHold;
}

export class LineCalls {
  readonly #requests: Requests;
  readonly #link: LineCallsOptions['link'];
  readonly #deliveries: Deliveries;
  readonly #hold: FloorHold;
  readonly #questions = new OpenQuestions();

  constructor({ link, requests, deliveries, hold }: LineCallsOptions) {
    this.#requests = requests;
    this.#link = link;
    this.#deliveries = deliveries;
    this.#hold = hold;
  }

  open(args: OpenArgs, call: ToolCall): Promise<ToolResult> {
    const host = args.host || this.#requests.settings.host;
    const port = args.port ?? this.#requests.settings.port;
    const { returnAfterMs } = this.#requests.settings;
    // An attempt outlives its callers, so that a short wait loses nothing: opening again joins it.
    const timeoutMs =
      call.notifyProgress === undefined ? Math.min(args.timeout_ms, returnAfterMs) : args.timeout_ms;
    const { login, terminal } = args;
    const input = {
      timeoutMs,
      ...this.#toFloorWait(args, call, timeoutMs),
      ...(host !== undefined && { host }),
      ...(port !== undefined && { port }),
      ...ifSet('login', login),
      ...ifSet('terminal', terminal),
    };
    return this.#requests.attempt('open', async () => {
      const answer = await this.#hold.use((held) =>
        this.#requests.wait('line.open', { ...input, ...held }, call),
      );
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
    return this.#requests.attempt('send', async () => {
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
    return this.#requests.attempt('read', async () => {
      // Only a flush types; reading needs no floor, and waits for none.
      const answer = await (flush
        ? this.#hold.use((held) =>
            this.#requests.wait('line.read', { ...input, ...this.#toFloorWait(args, call), ...held }, call),
          )
        : this.#requests.wait('line.read', { ...input, floorWaitMs: 0 }, call));
      if (from !== undefined) return this.#deliverAgain(answer.result, call);
      return this.#deliver(answer.result, answer, call);
    });
  }

  peek(args: PeekArgs, call: ToolCall): Promise<ToolResult> {
    return this.#requests.attempt('peek', async () => {
      const chars = Math.min(args.last_n_chars, MAX_OUTPUT_CHARS);
      return toPeekResult(await this.#requests.ask('line.peek', { chars }, call));
    });
  }

  screen({ changed_since: changedSince, at }: ScreenArgs, call: ToolCall): Promise<ToolResult> {
    const input = {
      ...(changedSince !== undefined && { changedSince }),
      ...(at !== undefined && { at }),
    };
    return this.#requests.attempt('screen', async () =>
      toScreenResult(await this.#requests.ask('line.screen', input, call), changedSince),
    );
  }

  status(call: ToolCall): Promise<ToolResult> {
    return this.#requests.attempt('status', async () => {
      const [line, daemon] = await Promise.all([
        this.#requests.ask('line.status', {}, call),
        this.#requests.ask('daemon.status', {}, call),
      ]);
      return toTextResult(toStatusText(line, daemon));
    });
  }

  close(call: ToolCall): Promise<ToolResult> {
    return this.#requests.attempt('close', async () => {
      const { lineState, end } = await this.#requests.ask('line.close', {}, call);
      return toTextResult(`The line is ${lineState.state}. Its output up to offset ${end} stays readable.`);
    });
  }

  /** What a secret that a person gave has produced. */
  deliverSecret(
    outcome: SecretOutcome,
    answer: Pick<Answer<MethodName>, 'client'>,
    call: ToolCall,
    note: string,
  ): ToolResult {
    if (!('lineState' in outcome)) throw new Error('the outcome of a session, for the line');
    return this.#deliver(outcome, answer, call, note);
  }

  async #send(args: SendArgs, call: ToolCall, confirm: boolean): Promise<ToolResult> {
    const { input, raw, dry_run: dryRun, echo, paste } = args;
    const params = {
      input,
      raw,
      dryRun,
      echo,
      paste,
      confirm,
      ...this.#toWaiting(args, call),
      ...this.#toFloorWait(args, call),
    };
    const answer = await this.#hold.use((held) =>
      this.#requests.wait('line.send', { ...params, ...held }, call),
    );
    const { result } = answer;
    return 'dryRun' in result
      ? toTextResult(toDryRunText(result.dryRun))
      : this.#deliver(result, answer, call);
  }

  async #sendAnswered(args: SendArgs, call: ToolCall, answer: PersonsAnswer): Promise<ToolResult> {
    if (answer !== 'yes') return toRefusedResult(answer);
    return await this.#requests.attempt('send', () => this.#send(args, call, true));
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

  #toFloorWait(args: FloorArgs, { notifyProgress }: ToolCall, otherMs = 0): FloorWait {
    const { returnAfterMs } = this.#requests.settings;
    return toFloorWait(args, { returnAfterMs, notifyProgress, otherMs });
  }

  #toWaiting(args: SendArgs | ReadArgs, call: ToolCall) {
    const { returnAfterMs } = this.#requests.settings;
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
      ...(call.notifyProgress === undefined ? { returnAfterMs } : this.#requests.toProgress(call)),
    };
  }

  /** Older output again: nothing counts as read by it, but what others said is told once. */
  #deliverAgain(outcome: Outcome, { id, signal }: ToolCall): ToolResult {
    const words = this.#deliveries.takeWords();
    const lines = [...words, ...toWordLines(outcome)];
    this.#deliveries.prepare({ id, signal, slices: [], words: lines, commit: () => {} });
    return toOutcomeResult(outcome, { undelivered: [], words });
  }

  /** The result of an answer that moved the reader, and what is to follow once it is written. */
  #deliver(
    outcome: Outcome,
    { client }: Pick<Answer<MethodName>, 'client'>,
    { id, signal }: ToolCall,
    note?: string,
  ): ToolResult {
    const undelivered = this.#deliveries.takeUndelivered();
    const words = this.#deliveries.takeWords();
    const slices = [
      ...undelivered,
      ...(outcome.before === undefined ? [] : [outcome.before]),
      toKeptSlice(outcome),
    ];
    const commit = (): void => {
      // If it fails, the connection is lost, and the next one is handed the same output again.
      client.request('reader.commit', { end: outcome.output.end }).catch(() => {});
    };
    const lines = [...words, ...toWordLines(outcome)];
    this.#deliveries.prepare({ id, signal, slices, words: lines, commit });
    return toOutcomeResult(outcome, { undelivered, words, note: note ?? this.#link.takeStartNote() });
  }
}

/** An empty text is how some models leave an argument out. */
function ifSet<K extends string, V extends string>(key: K, value: V | undefined): { [key in K]?: V } {
  const fields: { [key in K]?: V } = {};
  if (value !== undefined && value !== '') fields[key] = value;
  return fields;
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
