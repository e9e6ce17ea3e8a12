/** Resources and prompts as the SDK's server offers them. */
import {
  type McpServer,
  ProtocolError,
  ProtocolErrorCode,
  ResourceNotFoundError,
  ResourceTemplate,
  type ServerContext,
} from '@modelcontextprotocol/server';
import { RPC_ERRORS, RpcError } from '@pidp10/protocol/errors';
import { toCall } from './defineTool.ts';
import type { Groups } from './groups.ts';
import { loadGuide, promptsOf } from './prompts.ts';
import { hasTarget, type Resources, SCREEN_URI, SCROLLBACK_URI, tryParseUri } from './resources.ts';
import type { Subscriptions } from './subscriptions.ts';
import { toVisibleLine } from './visibleText.ts';

const MAX_MESSAGE_CHARS = 500;
const TEXT = { mimeType: 'text/plain' } as const;

export interface PublishingOptions {
  readonly groups: Groups;
  readonly resources: Resources;
  readonly subscriptions: Subscriptions;
  /** Subscribing is a request of its own, not one that listens (before 2026-07-28). */
  readonly hasSubscribe: boolean;
}

export function publish(server: McpServer, options: PublishingOptions): void {
  const { groups } = options;
  publishResources(server, options);
  for (const { name, title, description } of promptsOf(groups)) {
    server.registerPrompt(name, { title, description }, async () => ({
      messages: [{ role: 'user', content: { type: 'text', text: await loadGuide(name) } }],
    }));
  }
}

function publishResources(server: McpServer, options: PublishingOptions): void {
  const { groups, resources, subscriptions, hasSubscribe } = options;
  const read = async (uri: URL, context: ServerContext) => {
    const target = tryParseUri(uri.href);
    if (target === undefined || !hasTarget(target, groups)) throw new ResourceNotFoundError(uri.href);
    const text = await attempt(uri.href, () => resources.read(target, toCall(server, context)));
    return { contents: [{ uri: uri.href, ...TEXT, text }] };
  };
  if (groups.has('line')) {
    server.registerResource(
      'line scrollback',
      SCROLLBACK_URI,
      { title: 'Newest output of the ITS line', ...TEXT },
      read,
    );
    server.registerResource('line screen', SCREEN_URI, { title: 'Screen of the ITS line', ...TEXT }, read);
  }
  if (groups.has('commands')) {
    const list = async (context: ServerContext) => ({
      resources: [...(await resources.list(toCall(server, context)))],
    });
    // One of the two lists them all.
    for (const [stream, lister] of [
      ['stdout', list],
      ['stderr', undefined],
    ] as const) {
      server.registerResource(
        `session ${stream}`,
        new ResourceTemplate(`session://{id}/${stream}`, { list: lister }),
        { title: `${stream} of a program, its newest part`, ...TEXT },
        (uri, _variables, context) => read(uri, context),
      );
    }
  }
  if (!hasSubscribe) return;
  server.server.setRequestHandler('resources/subscribe', async ({ params: { uri } }, context) => {
    await attempt(uri, () => subscriptions.subscribe(uri, toCall(server, context).clientName));
    return {};
  });
  server.server.setRequestHandler('resources/unsubscribe', ({ params: { uri } }) => {
    subscriptions.unsubscribe(uri);
    return {};
  });
}

/** A resource has no results that are errors: what went wrong is an error of the protocol. */
async function attempt<T>(uri: string, run: () => Promise<T>): Promise<T> {
  try {
    return await run();
  } catch (error) {
    if (error instanceof RpcError && error.code === RPC_ERRORS.session_unknown.code)
      throw new ResourceNotFoundError(uri);
    const message = error instanceof Error ? error.message : String(error);
    throw new ProtocolError(ProtocolErrorCode.InvalidParams, toVisibleLine(message, MAX_MESSAGE_CHARS), {
      uri,
    });
  }
}
