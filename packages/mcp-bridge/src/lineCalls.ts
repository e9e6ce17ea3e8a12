/** What the tools do: arguments of MCP to parameters of the daemon, its answers to results. Knows neither SDK nor schemas. */
import { describeBytes } from '@pidp10/protocol/escapes';
import type { MethodInput, MethodName, MethodResult } from '@pidp10/protocol/methods';
import type { Outcome } from '@pidp10/protocol/schemas';
import type { Answer, DaemonLink } from './daemonLink.ts';
import type { ToolCall } from './defineTool.ts';
import type { Deliveries } from './deliveries.ts';
import type { OpenArgs, PeekArgs, ReadArgs, SendArgs } from './lineTools.ts';
import { reportProgress } from './progress.ts';
import type { Settings } from './settings.ts';
import { toStatusText } from './statusText.ts';
import { type ToolName, toFailure } from './toolError.ts';
import {
  MAX_OUTPUT_CHARS,
  type ToolResult,
  toOutcomeResult,
  toPeekResult,
  toTextResult,
} from './toolResult.ts';

export class LineCalls {
  readonly #link: DaemonLink;
  readonly #deliveries: Deliveries;
  readonly #settings: Settings;

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
    const input = { timeoutMs, ...(host !== undefined && { host }), ...(port !== undefined && { port }) };
    return this.#attempt('open', async () => {
      const answer = await this.#wait('line.open', input, call);
      return this.#deliver(answer.result, answer, call, toOpenNote(answer.result));
    });
  }

  send(args: SendArgs, call: ToolCall): Promise<ToolResult> {
    const { input, raw, dry_run: dryRun, echo } = args;
    return this.#attempt('send', async () => {
      const answer = await this.#wait(
        'line.send',
        { input, raw, dryRun, echo, ...this.#toWaiting(args, call) },
        call,
      );
      const { result } = answer;
      return 'dryRun' in result
        ? toTextResult(toDryRunText(result.dryRun))
        : this.#deliver(result, answer, call);
    });
  }

  read(args: ReadArgs, call: ToolCall): Promise<ToolResult> {
    const { from } = args;
    const input = { ...this.#toWaiting(args, call), ...(from !== undefined && { from }) };
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

  async #attempt(tool: ToolName, run: () => Promise<ToolResult>): Promise<ToolResult> {
    try {
      return await run();
    } catch (error) {
      return toFailure(error, { tool, maySpawn: this.#settings.maySpawn });
    }
  }

  /** A request that may last, and may start a daemon where its tool may. */
  async #wait<M extends MethodName>(method: M, input: MethodInput<M>, call: ToolCall): Promise<Answer<M>> {
    const { signal, clientName, notifyProgress } = call;
    const mayStart = method === 'line.open' || method === 'line.send';
    if (notifyProgress === undefined)
      return await this.#link.call(method, input, { signal, clientName, mayStart });
    await using report = reportProgress(notifyProgress, this.#settings.progressEveryMs);
    const onProgress = report.update;
    return await this.#link.call(method, input, { signal, clientName, mayStart, onProgress });
  }

  #ask<M extends MethodName>(
    method: M,
    input: MethodInput<M>,
    { signal, clientName }: ToolCall,
  ): Promise<Answer<M>> {
    return this.#link.call(method, input, { signal, clientName, mayStart: false });
  }

  #toWaiting(args: SendArgs | ReadArgs, { notifyProgress }: ToolCall) {
    const { returnAfterMs, progressEveryMs } = this.#settings;
    return {
      timeoutMs: args.timeout_ms,
      quietMs: args.quiet_ms,
      autoMore: args.auto_more,
      maxChars: Math.min(args.max_chars, MAX_OUTPUT_CHARS),
      ...('settle_ms' in args && { settleMs: args.settle_ms }),
      // An empty pattern is how some models leave it out.
      ...(args.expect !== undefined && args.expect !== '' && { expect: args.expect }),
      ...(notifyProgress === undefined ? { returnAfterMs } : { progressEveryMs }),
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
      outcome.output,
    ];
    const commit = (): void => {
      // If it fails, the connection is lost, and the next one is handed the same output again.
      client.request('reader.commit', { end: outcome.output.end }).catch(() => {});
    };
    this.#deliveries.prepare({ id, signal, slices, commit });
    return toOutcomeResult(outcome, { undelivered, note: note ?? this.#link.takeStartNote() });
  }
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
