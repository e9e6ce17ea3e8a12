/**
 * `subscriptions/listen` of the era since 2026-07-28. The SDK answers it and keeps its filter, but tells nobody; which
 * resources are to be watched is read from the messages as they come in.
 */
import { isRequestId } from '@pidp10/protocol/jsonrpc';
import { toClientName, UNNAMED } from './defineTool.ts';
import type { Subscriptions } from './subscriptions.ts';

/** The parser, and what passes it is looked at. */
export function watchListens(
  parse: (json: unknown) => unknown,
  subscriptions: Pick<Subscriptions, 'listen' | 'unlisten'>,
): (json: unknown) => unknown {
  return (json) => {
    const message = parse(json);
    const id = fieldOf(message, 'id');
    const params = fieldOf(message, 'params');
    switch (fieldOf(message, 'method')) {
      case 'subscriptions/listen': {
        const uris = fieldOf(fieldOf(params, 'notifications'), 'resourceSubscriptions');
        if (isRequestId(id) && Array.isArray(uris))
          void subscriptions.listen(
            id,
            uris.filter((uri) => typeof uri === 'string'),
            toClientName(fieldOf(params, '_meta')) ?? UNNAMED,
          );
        break;
      }
      case 'notifications/cancelled': {
        const listening = fieldOf(params, 'requestId');
        if (isRequestId(listening)) subscriptions.unlisten(listening);
        break;
      }
      default:
    }
    return message;
  };
}

function fieldOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined;
}
