import { expect, test, vi } from 'vitest';
import { IncomingRequests, type RequestContext } from '../../src/common/incomingRequests.ts';

/** What a peer sees of it is tested in rpcPeer.test.ts; this is what it must do on its own. */
function setUp() {
  const sent: string[] = [];
  const contexts: RequestContext[] = [];
  const answers: ((result: unknown) => void)[] = [];
  const incoming = new IncomingRequests({
    handler: (_method, _params, context) => {
      contexts.push(context);
      return new Promise((answer) => answers.push(answer));
    },
    send: (text) => sent.push(text),
  });
  return { incoming, sent, contexts, answers };
}

test('I10 · after closing nothing is sent: no answer, no progress, no callback', async () => {
  const { incoming, sent, contexts, answers } = setUp();
  const after = vi.fn<() => void>();
  incoming.start(0, 'm', {});
  contexts[0]?.afterSend(after);
  const reason = new Error('gone');
  incoming.close(reason);
  expect(contexts[0]?.signal.reason).toBe(reason);
  contexts[0]?.sendProgress({ bytes: 1 });
  answers[0]?.({});
  await new Promise((resolve) => setImmediate(resolve));
  expect(sent).toEqual([]);
  expect(after).not.toHaveBeenCalled();
});

test('I10 · the late end of a request does not answer another one with the same id', async () => {
  const { incoming, sent, answers } = setUp();
  incoming.start(7, 'old', {});
  incoming.close(new Error('gone'));
  incoming.start(7, 'new', {});
  answers[0]?.('old');
  await new Promise((resolve) => setImmediate(resolve));
  expect([sent, incoming.has(7)]).toEqual([[], true]);
  answers[1]?.('new');
  await new Promise((resolve) => setImmediate(resolve));
  expect(sent).toEqual(['{"jsonrpc":"2.0","id":7,"result":"new"}']);
  expect(incoming.size).toBe(0);
});
