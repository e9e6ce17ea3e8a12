import { PassThrough } from 'node:stream';
import { parseJSONRPCMessage } from '@modelcontextprotocol/server';
import { describe, expect, it, vi } from 'vitest';
import { MAX_LINE_BYTES, StdioTransport } from '../src/stdioTransport.ts';

/** A transport whose far end is the test: what it wrote, and the system's word that it took it. */
function rig() {
  const input = new PassThrough();
  const lines: string[] = [];
  const taken: ((error?: Error | null) => void)[] = [];
  const events: string[] = [];
  let isBroken: (error: Error) => void = () => {};
  let isDrained = () => {};
  const output = {
    queuedBytes: 0,
    write: (text: string, done?: (error?: Error | null) => void) => {
      lines.push(text);
      if (done !== undefined) taken.push(done);
    },
    onError: (listener: (error: Error) => void) => {
      isBroken = listener;
    },
    onDrain: (listener: () => void) => {
      isDrained = listener;
    },
  };
  const transport = new StdioTransport({
    input,
    output,
    parse: parseJSONRPCMessage,
    onAnswer: (id, isResult) => {
      events.push(`answer ${id} ${isResult}`);
      return () => events.push(`written ${id}`);
    },
    onEnd: () => events.push('end'),
  });
  const messages: unknown[] = [];
  transport.onmessage = (message) => messages.push(message);
  void transport.start();
  const breakOutput = () => isBroken(new Error('EPIPE'));
  return { input, output, lines, taken, events, messages, transport, breakOutput, drain: () => isDrained() };
}

const PING = '{"jsonrpc":"2.0","id":0,"method":"ping"}\n';

describe('lines that come in', () => {
  it('are messages, in any pieces, with LF or CR LF; blank ones are nothing', async () => {
    const { input, messages, lines } = rig();
    for (const byte of Buffer.from(`\n  \r\n${PING}`)) input.write(Uint8Array.of(byte));
    input.write(PING.replace('\n', '\r\n') + PING);
    await vi.waitFor(() => expect(messages).toHaveLength(3));
    expect(messages[0]).toEqual({ jsonrpc: '2.0', id: 0, method: 'ping' });
    expect(lines).toEqual([]);
  });

  it.each([
    ['M12 · no JSON', '{"jsonrpc"\n', -32_700, null],
    ['M12 · a batch', `[${PING.trim()}]\n`, -32_600, null],
    ['M12 · JSON of another kind', '{"id":"x","method":"ping"}\n', -32_600, 'x'],
    [
      'M12 · params of a kind that the SDK would drop in silence',
      '{"jsonrpc":"2.0","id":4,"method":"ping","params":[]}\n',
      -32_600,
      4,
    ],
    ['M12 · no UTF-8', Buffer.from([0x22, 0xff, 0x22, 0x0a]), -32_700, null],
    ['M14 · one byte too many', `"${'x'.repeat(MAX_LINE_BYTES - 1)}"\n`, -32_600, null],
    ['M15 · a header of another framing', 'Content-Length: 5\r\n', -32_700, null],
  ])('%s is answered with an error, and the next line is served', async (_what, line, code, id) => {
    const { input, messages, lines } = rig();
    input.write(line);
    input.write(PING);
    await vi.waitFor(() => expect(messages).toHaveLength(1));
    expect(lines.map((text) => JSON.parse(text))).toMatchObject([{ jsonrpc: '2.0', id, error: { code } }]);
  });

  it('an error never takes the id of a request that is still to be answered', async () => {
    const { input, messages, lines } = rig();
    input.write(`${PING}{"id":0}\n`);
    await vi.waitFor(() => expect(lines).toHaveLength(1));
    expect(messages).toHaveLength(1);
    expect(JSON.parse(lines[0] ?? '')).toMatchObject({ id: null });
  });

  it('I6 · wait while the client takes nothing, and go on when it does', async () => {
    const { input, output, messages, drain } = rig();
    output.queuedBytes = 8_388_609;
    input.write(PING);
    await vi.waitFor(() => expect(messages).toHaveLength(1));
    expect(input.isPaused()).toBe(true);
    output.queuedBytes = 0;
    drain();
    input.write(PING);
    await vi.waitFor(() => expect(messages).toHaveLength(2));
  });
});

describe('what goes out', () => {
  it('is one line each, and the writer of an answer hears when it is out, of an id 0 too', async () => {
    const { transport, lines, taken, events } = rig();
    await transport.send({ jsonrpc: '2.0', id: 0, result: { text: 'a\nb' } });
    await transport.send({ jsonrpc: '2.0', method: 'notifications/progress', params: {} });
    await transport.send({ jsonrpc: '2.0', id: 1, error: { code: 1, message: '' } });
    expect(lines.every((line) => line.indexOf('\n') === line.length - 1)).toBe(true);
    expect(events).toEqual(['answer 0 true', 'answer 1 false']);
    taken[0]?.();
    taken[2]?.(new Error('EPIPE'));
    expect(events.slice(2)).toEqual(['written 0']);
  });

  it('M05 · is well-formed Unicode whatever it was', async () => {
    const { transport, lines } = rig();
    const text = 'half \ud800, backslash \\ud800, both \\\ud800\\, whole \u{1f600}';
    await transport.send({ jsonrpc: '2.0', id: 1, result: { text } });
    expect(JSON.parse(lines[0] ?? '').result.text).toBe(
      'half \ufffd, backslash \\ud800, both \\\ufffd\\, whole \u{1f600}',
    );
  });
});

describe('the end', () => {
  it('comes with the end of input, at once when nothing is owed', async () => {
    const { input, events } = rig();
    input.end();
    await vi.waitFor(() => expect(events).toEqual(['end']));
  });

  it('waits a moment for an answer that is owed, and no longer', async () => {
    const { input, events, transport, taken } = rig();
    input.end(PING);
    await vi.waitFor(() => expect(input.readableEnded).toBe(true));
    expect(events).toEqual([]);
    await transport.send({ jsonrpc: '2.0', id: 0, result: {} });
    taken[0]?.();
    expect(events).toEqual(['answer 0 true', 'written 0', 'end']);
    const late = rig();
    late.input.end(PING);
    await vi.waitFor(() => expect(late.events).toEqual(['end']));
  });

  it('owes nothing for a request that was cancelled', async () => {
    const { input, events } = rig();
    input.end(`${PING}{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":0}}\n`);
    await vi.waitFor(() => expect(events).toEqual(['end']));
  });

  it('M03 · comes once when nobody takes our output any more', () => {
    const { breakOutput, events, input } = rig();
    breakOutput();
    breakOutput();
    input.end();
    expect(events).toEqual(['end']);
  });
});
