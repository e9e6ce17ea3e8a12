import { expect, it } from 'vitest';
import { watchListens } from '../src/listens.ts';

function watch() {
  const heard: unknown[] = [];
  const subscriptions = {
    listen: async (...args: unknown[]) => void heard.push(['listen', ...args]),
    unlisten: (...args: unknown[]) => void heard.push(['unlisten', ...args]),
  };
  return { heard, parse: watchListens((json) => json, subscriptions) };
}

it('a request that listens is passed on with the resources that it names, and whose it is', () => {
  const { heard, parse } = watch();
  const _meta = { 'io.modelcontextprotocol/clientInfo': { name: 'agent', version: '0' } };
  const notifications = { resourceSubscriptions: ['session://s1/stdout', 7], toolsListChanged: true };
  const message = { jsonrpc: '2.0', id: 5, method: 'subscriptions/listen', params: { _meta, notifications } };
  expect(parse(message)).toBe(message);
  expect(heard).toEqual([['listen', 5, ['session://s1/stdout'], 'agent']]);
});

it('a cancelled request may have been one that listens', () => {
  const { heard, parse } = watch();
  parse({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 5 } });
  expect(heard).toEqual([['unlisten', 5]]);
});

it.each([
  [{ jsonrpc: '2.0', id: 5, method: 'subscriptions/listen', params: {} }],
  [{ jsonrpc: '2.0', method: 'subscriptions/listen' }],
  [
    {
      jsonrpc: '2.0',
      id: 5,
      method: 'tools/list',
      params: { notifications: { resourceSubscriptions: ['x'] } },
    },
  ],
  [{ jsonrpc: '2.0', method: 'notifications/cancelled' }],
  [null],
])('%j is nothing of the kind', (message) => {
  const { heard, parse } = watch();
  expect(parse(message)).toBe(message);
  expect(heard).toEqual([]);
});
