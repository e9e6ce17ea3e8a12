import { describe, expect, test } from 'vitest';
import { EXPECTATION } from '../core/lineRun.ts';
import { StubLine } from './stubLine.ts';

describe('reader.list', () => {
  test('all that have a name, who holds them, how far behind they are', async () => {
    const line = new StubLine();
    const [a, b] = [line.connect('a'), line.connect('b')];
    line.connect('x', { isNamed: false });
    line.hear('12345');
    line.channel.conversation.readers.hand('a', 3);
    line.channel.conversation.readers.commit('a', 2);
    line.disconnect(b);
    expect(await line.call('reader.list', {}, a)).toEqual({
      readers: [
        { name: 'a', owner: 'A', offset: 3, committed: 2, lag: 2 },
        { name: 'b', offset: 0, committed: 0, lag: 5 },
      ],
    });
  });
});

describe('reader.remove', () => {
  test('one that nobody holds; it begins anew when it comes again', async () => {
    const line = new StubLine();
    const [a, b] = [line.connect('a'), line.connect('b')];
    expect(await line.refusal('reader.remove', { name: 'b' }, a)).toBe('reader_in_use');
    expect(await line.refusal('reader.remove', { name: 'a' }, a)).toBe('reader_in_use');
    expect(await line.refusal('reader.remove', { name: 'c' }, a)).toBe('reader_unknown');
    line.disconnect(b);
    line.hear('12345');
    await line.call('reader.remove', { name: 'b' }, a);
    expect((await line.call('reader.list', {}, a)).readers).toHaveLength(1);
    line.connect('b');
    expect(line.channel.conversation.readers.cursor('b')).toBe(5);
  });
});

describe('reader.rename', () => {
  test('the place goes along, and the name that was is free', async () => {
    const line = new StubLine();
    const a = line.connect('a');
    line.hear('12345');
    line.channel.conversation.readers.hand('a', 3);
    await line.call('reader.rename', { name: 'a', to: 'anna' }, a);
    expect([a.reader, (await line.call('reader.list', {}, a)).readers[0]]).toEqual([
      'anna',
      { name: 'anna', owner: 'A', offset: 3, committed: 0, lag: 2 },
    ]);
    expect(line.connect('a').reader).toBe('a');
    await line.call('reader.commit', { end: 2 }, a);
    expect(line.channel.conversation.readers.committed('anna')).toBe(2);
  });

  test('a read of its own goes on meanwhile, and what it gives counts as read under the new name', async () => {
    const line = new StubLine();
    const a = line.connect('a');
    const expectation = { ...EXPECTATION, quietMs: 100 };
    const { settled } = line.wait({ kind: 'read', reader: 'a', expectation });
    line.hear('12345');
    await line.call('reader.rename', { name: 'a', to: 'anna' }, a);
    line.pass(1_000);
    expect((await settled).output).toEqual({ start: 0, end: 5 });
    const { readers } = line.channel.conversation;
    expect([readers.cursor('anna'), readers.cursor('a')]).toEqual([5, undefined]);
  });

  test('not to a name that is there, nor of one that another connection holds', async () => {
    const line = new StubLine();
    const [a, b] = [line.connect('a'), line.connect('b')];
    expect(await line.refusal('reader.rename', { name: 'a', to: 'b' }, a)).toBe('reader_in_use');
    expect(await line.refusal('reader.rename', { name: 'b', to: 'c' }, a)).toBe('reader_in_use');
    expect(await line.refusal('reader.rename', { name: 'x', to: 'c' }, a)).toBe('reader_unknown');
    line.disconnect(b);
    expect(await line.refusal('reader.rename', { name: 'b', to: 'c' }, a)).toBe('none');
  });

  test('I8 · what it is typing goes on, and nobody comes between', async () => {
    const line = new StubLine({ profile: 'its' });
    const [a, b] = [line.connect('a'), line.connect('b')];
    await line.type(a, 'x'.repeat(50));
    line.hear('x'.repeat(10));
    await line.call('reader.rename', { name: 'a', to: 'anna' }, a);
    line.pass(1_400);
    expect((await line.call('floor.status', {}, b)).holder).toMatchObject({ reader: 'anna' });
    line.hear('x'.repeat(32));
    expect(line.typed).toBe('x'.repeat(50));
    line.pass(10_000);
    expect((await line.call('floor.status', {}, b)).state).toBe('free');
  });

  test('the floor goes along, and so does being the one who typed last', async () => {
    const line = new StubLine({ profile: 'its' });
    const [a, b] = [line.connect('a'), line.connect('b')];
    await line.call('floor.request', { leaseMs: 1_000 }, a);
    await line.type(a, 'x');
    await line.call('reader.rename', { name: 'a', to: 'anna' }, a);
    expect((await line.call('floor.status', {}, b)).holder?.reader).toBe('anna');
    expect(
      (await line.call('daemon.clients', {}, b)).clients.map(
        (client: { holdsFloor: boolean }) => client.holdsFloor,
      ),
    ).toEqual([true, false]);
    line.pass(20_000);
    expect((await line.call('floor.status', {}, b)).state).toBe('free');
    line.hear('x\r\nmuch\r\n--More--');
    line.wait({ kind: 'read', reader: 'anna', expectation: EXPECTATION });
    line.pass(500);
    expect(line.typed).toBe('x ');
  });
});

describe('daemon.clients', () => {
  test('who is connected, how, and what he has', async () => {
    const line = new StubLine();
    const a = line.connect('a');
    const spy = line.connect('spy', { isNamed: false, access: 'read' });
    await line.call('line.watch', {}, spy);
    await line.call('floor.request', {}, a);
    const since = expect.stringMatching(/Z$/) as string;
    expect(await line.call('daemon.clients', {}, spy)).toEqual({
      clients: [
        {
          client: 'A',
          version: '1',
          reader: 'a',
          access: 'full',
          since,
          watches: 0,
          holdsFloor: true,
          isYou: false,
        },
        { client: 'SPY', version: '1', access: 'read', since, watches: 1, holdsFloor: false, isYou: true },
      ],
    });
  });
});

describe('reader.commit', () => {
  test('needs a name, and output that is there', async () => {
    const line = new StubLine();
    const a = line.connect('a');
    expect(await line.refusal('reader.commit', { end: 1 }, a)).toBe('offset_out_of_range');
    expect(await line.refusal('reader.commit', { end: 0 }, line.connect('x', { isNamed: false }))).toBe(
      'reader_required',
    );
  });
});
