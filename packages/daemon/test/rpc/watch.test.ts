import { METHODS, NOTIFICATIONS } from '@pidp10/protocol/methods';
import { MAX_WATCHES } from '@pidp10/protocol/watchSchemas';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { bytesOf, lineOutput } from '../core/bytes.ts';
import { StubLine, type StubOutlet, type Told } from './stubLine.ts';

/** What a client hears, one line each. */
function lines({ told }: StubOutlet): string[] {
  return told.map(({ name, params }) => {
    const { offset, start, end, text, bytes, why, author, lineState } = params;
    switch (name) {
      case 'line.output':
        return `${start}-${end} ${JSON.stringify(text ?? bytes)}`;
      case 'line.input':
        return `${offset} ${author?.client} typed ${text ?? bytes}`;
      case 'floor.changed':
        return `${offset} ${why}`;
      case 'line.state':
        return `${offset} ${lineState?.state}`;
      default:
        return `${offset} ${name} ${text ?? ''}`.trim();
    }
  });
}

const texts = (told: readonly Told[]) => told.map(({ params }) => params.text ?? '').join('');
/** Output of several kilobytes in one piece. */
const CHUNK = `${'the quick brown fox jumps over a lazy dog '.repeat(97)}\r\n`;

describe('what is told', () => {
  test('output, input, floor, marks, words and states, in the order in which they happened', async () => {
    const line = new StubLine();
    const [me, you] = [line.connect('me'), line.connect('you')];
    await line.call('line.watch', {}, me);
    line.hear('one');
    await line.type(you, ':vk\r');
    line.hear(':vk');
    await line.call('line.mark', { text: 'here' }, you);
    await line.call('line.say', { text: 'hello' }, you);
    line.hear('two');
    line.pass(10_000);
    line.close();
    expect(lines(me.outlet)).toEqual([
      '0-3 "one"',
      '3 YOU (you) has the floor',
      '3 YOU typed :vk',
      '3-6 ":vk"',
      '6 line.mark here',
      '6 line.said hello',
      '6-9 "two"',
      "9 YOU (you)'s lease is over; nobody has the floor",
      '9 closed',
    ]);
    for (const { name, params } of me.outlet.told) NOTIFICATIONS[name].params.parse(params);
  });

  test('a mark in the middle of a long input stands behind what was typed of it before', async () => {
    const line = new StubLine({ profile: 'its' });
    const [me, you] = [line.connect('me'), line.connect('you')];
    await line.call('line.watch', { form: 'none' }, me);
    await line.type(you, 'x'.repeat(40));
    await line.call('line.mark', { text: 'now' }, me);
    line.hear('x'.repeat(32));
    line.pass(2_000);
    expect(lines(me.outlet).slice(1)).toEqual([
      `0 YOU typed ${'x'.repeat(32)}~-`,
      '0 line.mark now',
      `32 YOU typed ${'x'.repeat(8)}~-`,
    ]);
  });

  test('from the past: what is kept, with what happened there', async () => {
    const line = new StubLine();
    const [me, you] = [line.connect('me'), line.connect('you')];
    line.hear('one');
    await line.call('line.mark', { text: 'a' }, you);
    line.hear('two');
    await line.call('line.mark', { text: 'b' }, you);
    const { offset, truncated } = await line.call('line.watch', { from: 3 }, me);
    expect([offset, truncated, lines(me.outlet)]).toEqual([
      3,
      false,
      ['3 line.mark a', '3-6 "two"', '6 line.mark b'],
    ]);
  });

  test('until: up to there and nothing behind it, also when it lies in the past', async () => {
    const line = new StubLine();
    const [me, you] = [line.connect('me'), line.connect('you')];
    line.hear('one');
    await line.call('line.mark', { text: 'a' }, you);
    line.hear('two');
    await line.call('line.mark', { text: 'b' }, you);
    await line.call('line.watch', { from: 0, until: 4 }, me);
    expect(lines(me.outlet)).toEqual([
      '0 connecting',
      '0 open',
      '0-3 "one"',
      '3 line.mark a',
      '3-4 "t"',
      '4 line.watchEnded',
    ]);
    expect(line.clients.watches(me)).toBe(0);
    me.outlet.told.length = 0;
    await line.call('line.watch', { until: 8 }, me);
    line.hear('three');
    expect(lines(me.outlet)).toEqual(['6-8 "th"', '8 line.watchEnded']);
    line.hear('more');
    expect(me.outlet.told).toHaveLength(2);
  });

  test('what lies behind the end is refused', async () => {
    const line = new StubLine();
    expect(await line.refusal('line.watch', { from: 1 }, line.connect('me'))).toBe('offset_out_of_range');
  });

  test('of what is older than the ring it says so', async () => {
    const line = new StubLine({ ringBytes: 8_192 });
    const me = line.connect('me');
    for (let count = 0; count < 10; count += 1) line.hear(CHUNK);
    const { oldest } = line.channel.conversation.scrollback;
    expect(await line.call('line.watch', { from: 0, until: oldest }, me)).toMatchObject({
      offset: oldest,
      truncated: true,
    });
  });
});

describe('forms', () => {
  test('bytes: exactly what came, in base64', async () => {
    const line = new StubLine();
    const me = line.connect('me');
    const all = Uint8Array.from({ length: 40_000 }, (_, at) => (at * 7) % 256);
    await line.call('line.watch', { form: 'bytes' }, me);
    line.hear(all);
    line.hear('\r\n');
    const got = Buffer.concat(
      me.outlet.told.map(({ params }) => Buffer.from(String(params.bytes), 'base64')),
    );
    expect(got.equals(Buffer.concat([all, bytesOf('\r\n')]))).toBe(true);
    expect(me.outlet.told.length).toBeGreaterThan(2);
  });

  test('none: only what happens beside the output', async () => {
    const line = new StubLine();
    const me = line.connect('me');
    await line.call('line.watch', { form: 'none' }, me);
    line.hear('output');
    await line.call('line.mark', { text: 'a' }, me);
    expect(lines(me.outlet)).toEqual(['6 line.mark a']);
  });

  test('ansi: the answer paints what stands there, and what follows goes on with it', async () => {
    const line = new StubLine({ profile: 'its' });
    const me = line.connect('me');
    line.hear('\x1bH\x1bJhello\r\nworld');
    const { paint, size } = await line.call('line.watch', { form: 'ansi' }, me);
    expect(size).toEqual({ rows: 24, columns: 80 });
    expect(paint).toContain('hello');
    line.hear('\x1bY%$there');
    expect(texts(me.outlet.told)).toContain('\x1b[6;5H');
    expect(texts(me.outlet.told)).toContain('there');
  });

  test('I3 · pieces of text make the text, wherever the output was cut and something happened between', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(lineOutput, { maxLength: 8 }),
        fc.array(fc.nat(8)),
        async (outputs, marks) => {
          const line = new StubLine({ profile: 'its' });
          const me = line.connect('me');
          await line.call('line.watch', {}, me);
          for (const [index, output] of outputs.entries()) {
            line.hear(output);
            if (marks.includes(index)) await line.call('line.mark', { text: 'm' }, me);
          }
          const { scrollback } = line.channel.conversation;
          const output = me.outlet.told.filter(({ name }) => name === 'line.output');
          expect(texts(output)).toBe(scrollback.text(0, scrollback.safeEnd).text);
          const starts = output.map(({ params }) => params.start);
          expect(starts).toEqual([0, ...output.map(({ params }) => params.end)].slice(0, starts.length));
        },
      ),
      { numRuns: 200 },
    );
  });
});

describe('a connection’s watches', () => {
  test('each has a number of its own, and ends by itself', async () => {
    const line = new StubLine();
    const [me, you] = [line.connect('me'), line.connect('you')];
    const first = await line.call('line.watch', {}, me);
    const second = await line.call('line.watch', { form: 'bytes' }, me);
    expect(line.clients.watches(me)).toBe(2);
    line.hear('a');
    expect(me.outlet.told.map(({ params }) => params.watch)).toEqual([first.watch, second.watch]);
    expect(await line.refusal('line.unwatch', { watch: first.watch }, you)).toBe('watch_unknown');
    await line.call('line.unwatch', { watch: first.watch }, me);
    expect(await line.refusal('line.unwatch', { watch: first.watch }, me)).toBe('watch_unknown');
    line.hear('b');
    expect(me.outlet.told.map(({ params }) => params.watch)).toEqual([
      first.watch,
      second.watch,
      second.watch,
    ]);
    line.disconnect(me);
    line.hear('c');
    expect(me.outlet.told).toHaveLength(3);
  });

  test(`I6 · ${MAX_WATCHES} at most`, async () => {
    const line = new StubLine();
    const me = line.connect('me');
    for (let count = 0; count < MAX_WATCHES; count += 1) await line.call('line.watch', {}, me);
    expect(await line.refusal('line.watch', {}, me)).toBe('too_many_watches');
    expect(await line.refusal('line.watch', {}, line.connect('you'))).toBe('none');
  });

  test('D20 · I5 · 32 readers each get every byte', async () => {
    const line = new StubLine();
    const all = Array.from({ length: 32 }, (_, index) => line.connect(`r${index}`));
    for (const [index, session] of all.entries()) {
      session.outlet.isStopped = index % 4 === 3;
      await line.call('line.watch', { form: 'text' }, session);
    }
    for (let count = 0; count < 20; count += 1) {
      line.hear(`${count} ${CHUNK}`);
      for (const { outlet } of all) outlet.take();
    }
    const { scrollback } = line.channel.conversation;
    const whole = Array.from({ length: 20 }, (_, count) => `${count} ${CHUNK}`.replace('\r', '')).join('');
    expect(scrollback.end).toBe(whole.length + 20);
    for (const { outlet } of all) expect(texts(outlet.told)).toBe(whole);
  });
});

test('a watch that begins in the middle of a fragment waits for its end', async () => {
  const line = new StubLine({ profile: 'its' });
  const me = line.connect('me');
  line.hear('ab\x1b');
  expect(await line.call('line.watch', {}, me)).toMatchObject({ offset: 2 });
  line.hear('Kcd');
  expect(lines(me.outlet)).toEqual(['2-6 "cd"']);
  expect(METHODS['line.watch'].access).toBe('read');
});
