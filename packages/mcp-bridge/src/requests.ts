/** The way of a tool call to the daemon: its progress, its limits, its failures. */
import type { MethodInput, MethodName, MethodResult } from '@pidp10/protocol/methods';
import type { Answer, DaemonLink } from './daemonLink.ts';
import type { ToolCall } from './defineTool.ts';
import type { LongCalls } from './longCalls.ts';
import { reportProgress } from './progress.ts';
import type { Settings } from './settings.ts';
import { readFacts, type ToolName, toFailure } from './toolError.ts';
import type { ToolResult } from './toolResult.ts';

/** Methods for which a daemon is started if there is none. */
const STARTERS: ReadonlySet<MethodName> = new Set(['line.open', 'line.send', 'session.start']);

export class Requests {
  readonly settings: Settings;
  readonly #link: DaemonLink;

  constructor(link: DaemonLink, settings: Settings) {
    this.#link = link;
    this.settings = settings;
  }

  /** Runs a tool; what the daemon refuses, and what stands in the way to it, is a result. */
  async attempt<T>(tool: ToolName, run: () => Promise<ToolResult | T>): Promise<ToolResult | T> {
    try {
      return await run();
    } catch (error) {
      const { maySpawn } = this.settings;
      return toFailure(error, { tool, maySpawn, facts: await readFacts(error) });
    }
  }

  /** A request that may last, and may start a daemon where its tool may. */
  async wait<M extends MethodName>(
    method: M,
    input: MethodInput<M>,
    call: ToolCall,
    everyMs = this.settings.progressEveryMs,
  ): Promise<Answer<M>> {
    const { signal, clientName, notifyProgress, startMs } = call;
    const mayStart = STARTERS.has(method);
    const options = { signal, clientName, mayStart, waitMs: toWaitMs(input) };
    if (notifyProgress === undefined) return await this.#link.call(method, input, options);
    await using report = reportProgress(notifyProgress, { everyMs, startMs });
    return await this.#link.call(method, input, { ...options, onProgress: report.update });
  }

  /** A request that cannot return halfway: for a client that asks for no progress the tool does. */
  waitLong<T>(
    calls: LongCalls<T>,
    key: string,
    call: ToolCall,
    begin: (own: ToolCall) => Promise<T>,
  ): Promise<T | undefined> {
    const { signal, notifyProgress } = call;
    const patienceMs = notifyProgress === undefined ? this.settings.returnAfterMs : undefined;
    return calls.run(key, (own) => begin({ ...call, signal: own }), { signal, patienceMs });
  }

  /** A request that is answered at once. */
  async ask<M extends MethodName>(
    method: M,
    input: MethodInput<M>,
    { signal, clientName }: ToolCall,
  ): Promise<MethodResult<M>> {
    return (await this.#link.call(method, input, { signal, clientName, mayStart: false })).result;
  }

  /** The daemon's part of the progress that the client asked for. */
  toProgress(
    { notifyProgress }: ToolCall,
    everyMs = this.settings.progressEveryMs,
  ): { readonly progressEveryMs?: number } {
    return notifyProgress === undefined ? {} : { progressEveryMs: everyMs };
  }
}

/**
 * The request's own wait, by which a daemon that is silent is known, in ms. Time in the floor's queue is no part of it: a
 * daemon that lets a call wait there answers when it is asked for a sign of life.
 */
function toWaitMs(input: object): number {
  const { graceMs = 0, timeoutMs = graceMs, returnAfterMs = timeoutMs }: WaitTimes = input;
  return Math.min(timeoutMs, returnAfterMs);
}

interface WaitTimes {
  readonly graceMs?: number | undefined;
  readonly timeoutMs?: number | undefined;
  readonly returnAfterMs?: number | undefined;
}
