import { describe, expect, test, vi } from 'vitest';
import { RpcLine } from './rpcLine.ts';

const TEXT = [
  '\ttitle hello',
  'a=1',
  '',
  "go:\t.open ttyo,[.uao,,'tty]",
  `${'long '.repeat(20)}end!`,
  'done:\t.logout 1,',
  '',
].join('\n');

describe('files over the line', () => {
  test('what is put is what is got, to the character', async () => {
    await using line = await RpcLine.loggedIn();
    const put = await line.call('line.putFile', { file: 'rms;hello text', text: TEXT });
    expect(put).toMatchObject({ verified: true, lines: 6 });
    const got = await line.call('line.getFile', { file: 'rms;hello text' });
    expect(got.text).toBe(TEXT);
    expect(got).toMatchObject({ lines: 6, chars: TEXT.length });
  });

  test('the terminal is a VT52 meanwhile, and what it was again', async () => {
    await using line = await RpcLine.loggedIn({ terminalType: 'la36' });
    const { text } = await line.call('line.getFile', { file: 'info;pages text' });
    expect(line.received).toMatch(/:tctyp vt52\r[^]*:print info;pages text\r *:tctyp la36\r$/);
    expect(text).not.toContain('--More--');
    expect(line.driver.channel.conversation.activity.kind).toBe('ddt');
  });

  test('a file that is not there: what ITS said, and the terminal is put back', async () => {
    await using line = await RpcLine.loggedIn({ terminalType: 'la36' });
    expect(await line.refusal('line.getFile', { file: 'rms;nosuch file' })).toMatchObject({
      name: 'RpcError',
      message: expect.stringMatching(
        /^To :print rms;nosuch file ITS said: ".* - FILE NOT FOUND"\. Nothing half-done is left/,
      ),
    });
    expect(line.received).toMatch(/:tctyp la36\r$/);
  });

  test('a get that is cancelled at a page puts its print away: the rest is flushed, and DDT waits again', async () => {
    await using line = await RpcLine.loggedIn();
    const cancel = new AbortController();
    const got = line.call('line.getFile', { file: 'info;pages text' }, { signal: cancel.signal });
    const refused = got.then(
      () => 'got',
      (error: unknown) => String(error),
    );
    const { scrollback } = line.driver.channel.conversation;
    await vi.waitFor(() => expect(scrollback.lastLine().line).toContain('--More--'), {
      timeout: 20_000,
      interval: 2,
    });
    cancel.abort();
    expect(await refused).toContain('ended with cancelled');
    expect(line.driver.channel.conversation.activity.kind).toBe('ddt');
    expect(['\u007f', '\u0013']).toContain(line.received.split(':print info;pages text\r')[1]?.trimStart());
    const next = await line.call('line.send', { input: ':vk', echo: 'strip' });
    expect(next).toMatchObject({ reason: 'prompt', output: { text: '*' } });
  });

  test('nothing is typed where no DDT waits', async () => {
    await using line = await RpcLine.loggedIn();
    await line.call('line.send', { input: ':create rms;x text', quietMs: 1_000 });
    const before = line.received.length;
    expect(await line.refusal('line.putFile', { file: 'rms;y text', text: 'a' })).toMatchObject({
      message: expect.stringContaining('program create'),
    });
    expect(line.received.length).toBe(before);
  });

  test('what cannot be typed into a file is refused before the first byte, with its place', async () => {
    await using line = await RpcLine.loggedIn();
    const before = line.received.length;
    for (const text of ['ab\u00e9', 'ab\x03', 'ab\x7f', 'ab\x1a', 'ab\0']) {
      expect(await line.refusal('line.putFile', { file: 'rms;y text', text })).toMatchObject({
        data: { position: 2 },
      });
    }
    expect(line.received.length).toBe(before);
  });
});
