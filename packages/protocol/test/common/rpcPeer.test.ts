import { describe, expect, test, vi } from 'vitest';
import { LocalError, RpcError, rpcError } from '../../src/common/errors.ts';
import { MAX_FRAME_BYTES } from '../../src/common/framing.ts';
import { MAX_IN_FLIGHT_REQUESTS, type RequestContext } from '../../src/common/incomingRequests.ts';
import { MAX_BAD_FRAMES, RpcPeer, type RpcPeerOptions } from '../../src/common/rpcPeer.ts';

/** A peer whose other side is the test: what it sent, parsed. */
function lonePeer(options: Partial<RpcPeerOptions> = {}) {
  const sent: Record<string, unknown>[] = [];
  const peer = new RpcPeer({ send: (text) => sent.push(JSON.parse(text)), ...options });
  const receive = (message: object) => peer.handleText(JSON.stringify({ jsonrpc: '2.0', ...message }));
  return { peer, sent, receive };
}

/** Two peers, each the other's transport. Delivery is a microtask, as on a socket: never inside `send`. */
function peerPair(server: Partial<RpcPeerOptions>, client: Partial<RpcPeerOptions> = {}) {
  const left: RpcPeer = new RpcPeer({
    ...client,
    send: (text) => queueMicrotask(() => right.handleText(text)),
  });
  const right: RpcPeer = new RpcPeer({
    ...server,
    send: (text) => queueMicrotask(() => left.handleText(text)),
  });
  return { client: left, server: right };
}

/** A handler that the test answers: calls in order of arrival. */
function heldHandler() {
  const calls: {
    method: string;
    params: unknown;
    context: RequestContext;
    answer: (result: unknown) => void;
  }[] = [];
  const handler = (method: string, params: unknown, context: RequestContext) =>
    new Promise<unknown>((answer) => calls.push({ method, params, context, answer }));
  return { calls, handler };
}

describe('requests', () => {
  test('are answered by the handler of the other side', async () => {
    const { client } = peerPair({ handler: async (method, params) => ({ method, params }) });
    await expect(client.request('m', { a: 1 })).resolves.toEqual({ method: 'm', params: { a: 1 } });
  });

  test('an RpcError of the handler arrives with code, message and data', async () => {
    const { client } = peerPair({
      handler: () => Promise.reject(rpcError('line_busy', 'Held.', { holder: 'x' })),
    });
    const error = await client.request('m', {}).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(RpcError);
    expect(error).toMatchObject({ code: 1101, data: { name: 'line_busy', holder: 'x' } });
  });

  test('any other fault is an internal error that tells the peer nothing, and the log everything', async () => {
    const onFault = vi.fn<(error: unknown, method: string) => void>();
    const fault = new Error('secret /path');
    const { client } = peerPair({ handler: () => Promise.reject(fault), onFault });
    const error = await client.request('m', {}).catch((reason: unknown) => reason);
    expect(error).toMatchObject({ code: -32603, data: { name: 'internal_error' } });
    expect(String(error)).not.toContain('secret');
    expect(onFault).toHaveBeenCalledExactlyOnceWith(fault, 'm');
  });

  test('a handler that throws before its first await is answered too', async () => {
    const { client } = peerPair({
      handler: () => {
        throw rpcError('shutting_down');
      },
    });
    await expect(client.request('m', {})).rejects.toMatchObject({ code: 1003 });
  });

  test.each([
    ['a bigint', { n: 1n }],
    ['a depth that cannot be written', deeply(100_000)],
  ])('I10 · a result that is no JSON (%s) is an internal error', async (_title, result) => {
    const { client } = peerPair({ handler: async () => result });
    await expect(client.request('m', {})).rejects.toMatchObject({ code: -32603 });
  });

  test('a peer without handler knows no method', async () => {
    const { client } = peerPair({});
    await expect(client.request('m', {})).rejects.toMatchObject({ code: -32601 });
  });

  test('answers go out in the order in which the handlers finish', async () => {
    const { calls, handler } = heldHandler();
    const { receive, sent } = lonePeer({ handler });
    for (const id of [1, 2, 3]) receive({ id, method: 'm' });
    for (const index of [1, 2, 0]) calls[index]?.answer({});
    await vi.waitFor(() => expect(sent.map((message) => message['id'])).toEqual([2, 3, 1]));
  });

  test('I10 · id 0 and the empty id are answered as any other', async () => {
    const { receive, sent } = lonePeer({ handler: async () => 'x' });
    receive({ id: 0, method: 'm' });
    receive({ id: '', method: 'm' });
    await vi.waitFor(() => expect(sent).toHaveLength(2));
    expect(sent).toEqual([
      { jsonrpc: '2.0', id: 0, result: 'x' },
      { jsonrpc: '2.0', id: '', result: 'x' },
    ]);
  });

  test('one request more than the limit is refused at once, the others are not disturbed', async () => {
    const { calls, handler } = heldHandler();
    const { receive, sent } = lonePeer({ handler });
    for (let id = 0; id <= MAX_IN_FLIGHT_REQUESTS; id += 1) receive({ id, method: 'm' });
    expect(sent).toMatchObject([{ id: MAX_IN_FLIGHT_REQUESTS, error: { code: 1004 } }]);
    calls[0]?.answer({});
    await vi.waitFor(() => expect(sent).toHaveLength(2));
    receive({ id: 'again', method: 'm' });
    expect(calls).toHaveLength(MAX_IN_FLIGHT_REQUESTS + 1);
  });

  test('D11 · I10 · a duplicate id is an invalid request without id, and the first one is answered once', async () => {
    const { calls, handler } = heldHandler();
    const { receive, sent } = lonePeer({ handler });
    receive({ id: 5, method: 'm' });
    receive({ id: 5, method: 'm' });
    expect(sent).toMatchObject([{ id: null, error: { code: -32600, data: { id: 5 } } }]);
    calls[0]?.answer('first');
    await vi.waitFor(() => expect(sent).toHaveLength(2));
    expect(sent[1]).toEqual({ jsonrpc: '2.0', id: 5, result: 'first' });
    receive({ id: 5, method: 'm' });
    expect(calls).toHaveLength(2);
  });

  test('a request that the other side would have to skip is refused before it is sent', async () => {
    const { peer, sent } = lonePeer();
    await expect(peer.request('m', { text: 'x'.repeat(MAX_FRAME_BYTES) })).rejects.toMatchObject({
      code: 1006,
    });
    expect(sent).toEqual([]);
  });

  test('answers nobody waits for are ignored: late, unknown, twice', async () => {
    const { peer, receive } = lonePeer();
    receive({ id: 99, result: 1 });
    receive({ id: 'x', error: { code: 1, message: 'x' } });
    const answer = peer.request('m', {});
    receive({ id: 1, result: 'first' });
    receive({ id: 1, result: 'second' });
    await expect(answer).resolves.toBe('first');
    expect(peer.isClosed).toBe(false);
  });

  test('an error without id is told to its listener', () => {
    const onPeerError = vi.fn<(error: RpcError) => void>();
    const { receive, sent } = lonePeer({ onPeerError });
    receive({ id: null, error: { code: 1005, message: 'full' } });
    expect(onPeerError.mock.calls).toMatchObject([[{ code: 1005, message: 'full' }]]);
    expect(sent).toEqual([]);
  });

  test('other notifications are told to their listener, and never answered', () => {
    const onNotification = vi.fn<(method: string, params: unknown) => void>();
    const { receive, sent } = lonePeer({ onNotification });
    receive({ method: 'event', params: { a: 1 } });
    expect(onNotification.mock.calls).toEqual([['event', { a: 1 }]]);
    expect(sent).toEqual([]);
  });
});

describe('cancelling', () => {
  test('I11 · an abort arrives as the abort of the handler, and the request settles by its answer', async () => {
    const { client } = peerPair({
      handler: (_method, _params, { signal }) =>
        new Promise((answer) =>
          signal.addEventListener('abort', () => answer({ reason: 'cancelled', got: 'part' })),
        ),
    });
    const controller = new AbortController();
    const answer = client.request('m', {}, { signal: controller.signal });
    controller.abort();
    await expect(answer).resolves.toEqual({ reason: 'cancelled', got: 'part' });
  });

  test.each([0, '', 7])('I11 · id %j can be cancelled, and only that one', (id) => {
    const { calls, handler } = heldHandler();
    const { receive, sent } = lonePeer({ handler });
    receive({ id, method: 'm' });
    receive({ id: 'other', method: 'm' });
    receive({ method: '$/cancelRequest', params: { id } });
    expect(calls.map(({ context }) => context.signal.aborted)).toEqual([true, false]);
    expect(sent).toEqual([]);
  });

  test.each([{ id: 99 }, { id: null }, {}, []])('a cancellation of nothing (%j) does nothing', (params) => {
    const { calls, handler } = heldHandler();
    const { receive, sent } = lonePeer({ handler });
    receive({ id: 1, method: 'm' });
    receive({ method: '$/cancelRequest', params });
    expect(calls[0]?.context.signal.aborted).toBe(false);
    expect(sent).toEqual([]);
  });

  test('aborted before the start: nothing is sent', async () => {
    const { peer, sent } = lonePeer();
    await expect(peer.request('m', {}, { signal: AbortSignal.abort() })).rejects.toMatchObject({
      code: 'cancelled',
    });
    expect(sent).toEqual([]);
  });

  test('aborted after the answer: nothing is sent any more', async () => {
    const { peer, receive, sent } = lonePeer();
    const controller = new AbortController();
    const answer = peer.request('m', {}, { signal: controller.signal });
    receive({ id: 1, result: {} });
    await answer;
    controller.abort();
    expect(sent).toHaveLength(1);
  });
});

describe('progress', () => {
  test('arrives at the request that it belongs to, until its answer', async () => {
    const { calls, handler } = heldHandler();
    const { client } = peerPair({ handler });
    const onProgress = vi.fn<(params: unknown) => void>();
    const answer = client.request('m', {}, { onProgress });
    await vi.waitFor(() => expect(calls).toHaveLength(1));
    calls[0]?.context.sendProgress({ bytes: 3 });
    calls[0]?.answer({});
    await answer;
    calls[0]?.context.sendProgress({ bytes: 4 });
    await Promise.resolve();
    expect(onProgress.mock.calls).toEqual([[{ bytes: 3, id: 1 }]]);
  });
});

describe('afterSend', () => {
  test('runs right after the result was given to send', async () => {
    const order: unknown[] = [];
    const { receive } = lonePeer({
      handler: async (_method, _params, context) => {
        context.afterSend(() => order.push('after'));
        return 'x';
      },
      send: (text) => order.push(JSON.parse(text).result),
    });
    receive({ id: 1, method: 'm' });
    await vi.waitFor(() => expect(order).toEqual(['x', 'after']));
  });

  test.each([
    ['an error', { fails: true, send: () => {} }],
    ['a send that failed', { fails: false, send: failing }],
  ])('never runs after %s', async (_title, { fails, send }) => {
    const after = vi.fn<() => void>();
    const { peer, receive } = lonePeer({
      handler: async (_method, _params, context) => {
        context.afterSend(after);
        if (fails) throw rpcError('line_busy');
        return 'x';
      },
      send,
    });
    receive({ id: 1, method: 'm' });
    await vi.waitFor(() => expect(peer.inFlight).toBe(0));
    expect(after).not.toHaveBeenCalled();
  });

  test('a fault in one callback is reported and keeps none of the others', async () => {
    const after = vi.fn<() => void>();
    const onFault = vi.fn<(error: unknown, method: string) => void>();
    const { receive, peer } = lonePeer({
      onFault,
      handler: async (_method, _params, context) => {
        context.afterSend(failing);
        context.afterSend(after);
      },
    });
    receive({ id: 1, method: 'm' });
    await vi.waitFor(() => expect(after).toHaveBeenCalledOnce());
    expect(onFault).toHaveBeenCalledOnce();
    expect(peer.isClosed).toBe(false);
  });
});

describe('closing', () => {
  test('I9 · I10 · settles every request of ours and aborts every one of the other side, once', async () => {
    const { calls, handler } = heldHandler();
    const onClose = vi.fn<(reason: Error) => void>();
    const { peer, receive, sent } = lonePeer({ handler, onClose });
    const answers = [peer.request('a', {}), peer.request('b', {})];
    receive({ id: 'x', method: 'm' });
    peer.close();
    peer.close(new Error('again'));
    for (const answer of answers) await expect(answer).rejects.toMatchObject({ code: 'connection_lost' });
    expect(calls[0]?.context.signal.aborted).toBe(true);
    expect(onClose).toHaveBeenCalledOnce();
    calls[0]?.answer({});
    await Promise.resolve();
    expect(sent.map((message) => message['method'])).toEqual(['a', 'b']);
  });

  test('afterwards nothing is sent, taken or handled', async () => {
    const { calls, handler } = heldHandler();
    const { peer, receive, sent } = lonePeer({ handler });
    peer.close();
    receive({ id: 1, method: 'm' });
    peer.handleText('junk');
    peer.notify('n', {});
    await expect(peer.request('m', {})).rejects.toBeInstanceOf(LocalError);
    expect([calls, sent]).toEqual([[], []]);
  });

  test('a send that throws closes the peer and settles the request', async () => {
    const onClose = vi.fn<(reason: Error) => void>();
    const { peer } = lonePeer({ send: failing, onClose });
    await expect(peer.request('m', {})).rejects.toMatchObject({ code: 'connection_lost' });
    expect(onClose).toHaveBeenCalledOnce();
  });

  test('the end of its block closes it', () => {
    const { peer } = lonePeer();
    {
      using held = peer;
      expect(held.isClosed).toBe(false);
    }
    expect(peer.isClosed).toBe(true);
  });
});

describe('D11 · bad frames', () => {
  test.each([
    ['not JSON', { kind: 'frame', text: 'GET / HTTP/1.1' }, -32700],
    ['not UTF-8', { kind: 'invalid_utf8' }, -32700],
    ['too long', { kind: 'too_long', maxFrameBytes: MAX_FRAME_BYTES }, 1006],
    ['a batch', { kind: 'frame', text: '[]' }, -32600],
    ['100,000 levels of arrays', { kind: 'frame', text: `${'['.repeat(1e5)}${']'.repeat(1e5)}` }, -32600],
    ['100,000 levels, unfinished', { kind: 'frame', text: '['.repeat(1e5) }, -32700],
  ] as const)('%s: an error without id, and the connection goes on', async (_title, frame, code) => {
    const { peer, receive, sent } = lonePeer({ handler: async () => 'alive' });
    peer.handleFrame(frame);
    receive({ id: 1, method: 'm' });
    await vi.waitFor(() => expect(sent).toHaveLength(2));
    expect(sent).toMatchObject([
      { id: null, error: { code } },
      { id: 1, result: 'alive' },
    ]);
  });

  test('100,000 levels of params reach the handler', async () => {
    const { peer, sent } = lonePeer({ handler: async () => 'alive' });
    const deep = `${'{"a":'.repeat(1e5)}1${'}'.repeat(1e5)}`;
    peer.handleText(`{"jsonrpc":"2.0","id":1,"method":"m","params":${deep}}`);
    await vi.waitFor(() => expect(sent).toMatchObject([{ id: 1, result: 'alive' }]));
  });

  test('an invalid request with an id is answered under it', () => {
    const { receive, sent } = lonePeer();
    receive({ id: 3, method: 4 });
    expect(sent).toMatchObject([{ id: 3, error: { code: -32600 } }]);
  });

  test('so many in a row that it cannot be a client close the connection', () => {
    const onClose = vi.fn<(reason: Error) => void>();
    const { peer, receive, sent } = lonePeer({ onClose });
    for (let count = 1; count < MAX_BAD_FRAMES; count += 1) peer.handleText('junk');
    receive({ method: 'good' });
    for (let count = 1; count < MAX_BAD_FRAMES; count += 1) peer.handleText('junk');
    expect(peer.isClosed).toBe(false);
    peer.handleText('junk');
    expect(peer.isClosed).toBe(true);
    expect(onClose).toHaveBeenCalledOnce();
    expect(sent).toHaveLength(2 * MAX_BAD_FRAMES - 1);
  });

  test('a side that cannot lose an answer closes at the first one', async () => {
    const { peer, sent } = lonePeer({ badFrames: 'close' });
    const answer = peer.request('m', {});
    peer.handleText('junk');
    await expect(answer).rejects.toMatchObject({ code: 'unexpected_result' });
    expect(sent).toHaveLength(1);
  });
});

function deeply(levels: number): unknown {
  let value: unknown = 1;
  for (let level = 0; level < levels; level += 1) value = [value];
  return value;
}

function failing(): never {
  throw new Error('broken');
}
