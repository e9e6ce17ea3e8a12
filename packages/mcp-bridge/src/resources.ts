/**
 * What the daemon holds as resources of MCP (PARITY B14): the output of each session, the line's scrollback and screen. Reading
 * one moves nobody's place. Names and descriptions are ours and ids alone: what others chose or printed stands in no list (A02).
 */
import type { ToolCall } from './defineTool.ts';
import type { Groups } from './groups.ts';
import type { Requests } from './requests.ts';
import { toGrid } from './screenText.ts';
import { MAX_OUTPUT_CHARS } from './toolResult.ts';
import { toVisible } from './visibleText.ts';
import type { Source } from './watches.ts';

/** Bytes of a session's output that a resource shows, the newest; the tools page through all of it. */
export const MAX_RESOURCE_BYTES = 50_000;
/** Sessions whose resources are listed, the newest. */
const MAX_LISTED = 100;

export const SCROLLBACK_URI = 'pidp10://line/scrollback';
export const SCREEN_URI = 'pidp10://line/screen';

/** A resource of a URI that we gave out, or one like it. */
export type Target =
  | { readonly kind: 'session'; readonly session: string; readonly stream: 'out' | 'err' }
  | { readonly kind: 'scrollback' | 'screen' };

export interface ListedResource {
  readonly uri: string;
  readonly name: string;
  readonly title: string;
  readonly mimeType: 'text/plain';
}

/** Undefined: none of ours. */
export function tryParseUri(uri: string): Target | undefined {
  if (uri === SCROLLBACK_URI) return { kind: 'scrollback' };
  if (uri === SCREEN_URI) return { kind: 'screen' };
  const [, session, stream] = /^session:\/\/([A-Za-z0-9._-]{1,64})\/(stdout|stderr)$/.exec(uri) ?? [];
  if (session === undefined) return undefined;
  return { kind: 'session', session, stream: stream === 'stderr' ? 'err' : 'out' };
}

/** What is watched for its changes; the screen changes with the line's output. */
export function toSource(target: Target): Source {
  return target.kind === 'session' ? { session: target.session, stream: target.stream } : undefined;
}

export function hasTarget(target: Target, groups: Groups): boolean {
  return groups.has(target.kind === 'session' ? 'commands' : 'line');
}

export class Resources {
  readonly #requests: Requests;

  constructor(requests: Requests) {
    this.#requests = requests;
  }

  /** Those of sessions. Without a daemon, or with one that knows no sessions, there are none. */
  async list(call: ToolCall): Promise<readonly ListedResource[]> {
    const { sessions } = await this.#requests
      .ask('session.list', {}, call)
      .catch(() => ({ sessions: [] as const }));
    const newest = sessions.slice(-MAX_LISTED);
    return newest.flatMap(({ session, splitStderr }) => [
      toListed(session, 'stdout'),
      ...(splitStderr ? [toListed(session, 'stderr')] : []),
    ]);
  }

  /** Rejects as the daemon does, with `session_unknown` and others. */
  async read(target: Target, call: ToolCall): Promise<string> {
    switch (target.kind) {
      case 'scrollback': {
        const { output } = await this.#requests.ask('line.peek', { chars: MAX_OUTPUT_CHARS }, call);
        return toVisible(output.text);
      }
      case 'screen': {
        const { rows, cursor } = await this.#requests.ask('line.screen', {}, call);
        return toGrid(
          rows.map((text, row) => ({ row, text })),
          cursor,
        );
      }
      case 'session':
        return await this.#readSession(target, call);
      default:
        return target satisfies never;
    }
  }

  async #readSession(
    { session, stream }: Extract<Target, { kind: 'session' }>,
    call: ToolCall,
  ): Promise<string> {
    const { end, errEnd = 0, oldest } = await this.#requests.ask('session.status', { session }, call);
    const last = stream === 'out' ? end : errEnd;
    const from = Math.max(stream === 'out' ? oldest : 0, last - MAX_RESOURCE_BYTES, 0);
    const { output } = await this.#requests.ask(
      'session.read',
      { session, stream, from, timeoutMs: 0, maxChars: MAX_OUTPUT_CHARS, tidy: false },
      call,
    );
    const text = toVisible(output.text);
    return output.start > 0
      ? `[offsets ${output.start}-${output.end}; older output is not shown here]\n${text}`
      : text;
  }
}

function toListed(session: string, stream: 'stdout' | 'stderr'): ListedResource {
  return {
    uri: `session://${session}/${stream}`,
    name: `${session} ${stream}`,
    title: `${stream} of session ${session}`,
    mimeType: 'text/plain',
  };
}
