/** What the tools for commands do beside typing and reading: signals, stopping, deleting, looking. */
import type { MethodResult } from '@pidp10/protocol/methods';
import type { SessionFacts } from '@pidp10/protocol/sessionSchemas';
import type { ResizeArgs, SessionArgs, SignalArgs, StopArgs } from './commandInputs.ts';
import type { ToolCall } from './defineTool.ts';
import { LongCalls } from './longCalls.ts';
import type { Requests } from './requests.ts';
import { toListText, toProcesses, toSessionScreenTexts, toStatusText } from './sessionText.ts';
import { toSessionWords, toStateWords, toTrailer } from './sessionTrailer.ts';
import { type ToolResult, toBlockResult, toTextResult } from './toolResult.ts';
import { toVisibleLine } from './visibleText.ts';

const MAX_ID_CHARS = 64;
const MAX_SIGNAL_CHARS = 16;
/** Those of Ctrl-C, Ctrl-\\ and Ctrl-Z. Like the keys they are for who reads from the terminal: a shell's own group never hears of its jobs. */
const KEY_SIGNALS: ReadonlySet<string> = new Set(['SIGINT', 'SIGQUIT', 'SIGTSTP']);

export interface CommandControlOptions {
  readonly requests: Requests;
  /** There is a session less. */
  readonly onDelete: () => void;
}

export class CommandControl {
  readonly #requests: Requests;
  readonly #onDelete: () => void;
  readonly #stops = new LongCalls<MethodResult<'session.stop'>>();

  constructor({ requests, onDelete }: CommandControlOptions) {
    this.#requests = requests;
    this.#onDelete = onDelete;
  }

  signal({ session_id: session, signal, target: asked }: SignalArgs, call: ToolCall): Promise<ToolResult> {
    const name = toSignalName(signal);
    const target = asked ?? (KEY_SIGNALS.has(name) ? 'foreground' : 'group');
    return this.#requests.attempt('send_signal', async () => {
      const facts = await this.#requests.ask('session.signal', { session, signal: name, target }, call);
      return toFactsResult(
        `${toVisibleLine(name, MAX_SIGNAL_CHARS)} sent`,
        facts,
        'read_output shows what came of it',
      );
    });
  }

  stop({ session_id: session, grace_ms: graceMs }: StopArgs, call: ToolCall): Promise<ToolResult> {
    return this.#requests.attempt('stop_command', async () => {
      const stopped = await this.#requests.waitLong(
        this.#stops,
        `${session} ${graceMs}`,
        call,
        async (own) => (await this.#requests.wait('session.stop', { session, graceMs }, own)).result,
      );
      if (stopped === undefined)
        return toTextResult('Still stopping: make the same call again to hear the end.');
      const { survivors } = stopped;
      const left =
        survivors.length === 0
          ? []
          : [`still alive, not even SIGKILL ended them: ${toProcesses(survivors)}; tell the person`];
      return toFactsResult('stopped', stopped, ...left, 'read_output gives what it printed last');
    });
  }

  delete({ session_id: session }: SessionArgs, call: ToolCall): Promise<ToolResult> {
    return this.#requests.attempt('delete_session', async () => {
      await this.#requests.ask('session.delete', { session }, call);
      this.#onDelete();
      return toTextResult(
        `[deleted: session ${toVisibleLine(session, MAX_ID_CHARS)} and its output are gone]`,
      );
    });
  }

  status({ session_id: session }: SessionArgs, call: ToolCall): Promise<ToolResult> {
    return this.#requests.attempt('get_status', async () =>
      toTextResult(
        toStatusText(await this.#requests.ask('session.status', { session, processes: true }, call)),
      ),
    );
  }

  list(call: ToolCall): Promise<ToolResult> {
    return this.#requests.attempt('list_sessions', async () =>
      toTextResult(toListText(await this.#requests.ask('session.list', {}, call))),
    );
  }

  resize({ session_id: session, rows, cols }: ResizeArgs, call: ToolCall): Promise<ToolResult> {
    return this.#requests.attempt('resize_session', async () => {
      const facts = await this.#requests.ask('session.resize', { session, rows, columns: cols }, call);
      return toFactsResult(`the terminal is ${rows}x${cols} now`, facts);
    });
  }

  screen({ session_id: session }: SessionArgs, call: ToolCall): Promise<ToolResult> {
    return this.#requests.attempt('read_screen', async () => {
      const { grid, trailer } = toSessionScreenTexts(
        await this.#requests.ask('session.screen', { session }, call),
      );
      return toBlockResult([grid, trailer]);
    });
  }
}

/** `int`, `INT`, `SIGINT`. */
function toSignalName(text: string): string {
  const name = text.trim().toUpperCase();
  return name.startsWith('SIG') ? name : `SIG${name}`;
}

function toFactsResult(what: string, facts: SessionFacts, ...more: readonly string[]): ToolResult {
  return toTextResult(toTrailer([what, toSessionWords(facts), toStateWords(facts), ...more]));
}
