import type { Outcome } from '@pidp10/protocol/schemas';
import { describe, expect, test } from 'vitest';
import { MAX_BOXES, MAX_LETTERS } from '../../src/rpc/mailboxes.ts';
import type { Session } from '../../src/rpc/session.ts';
import { StubLine } from './stubLine.ts';

/** News without the times of day. */
function newsOf(line: StubLine, { reader = '' }: Session): readonly string[] | undefined {
  return line.mailboxes.take(reader).news?.map((text) => text.replace(/ at \d{4}-[\d:T-]+\.\d+Z/, ''));
}

function wordsOf(line: StubLine, { reader = '' }: Session): Outcome['messages'] {
  return line.mailboxes.take(reader).messages;
}

function three() {
  const line = new StubLine();
  return { line, a: line.connect('a'), b: line.connect('b'), c: line.connect('c') };
}

describe('what others say', () => {
  test('everybody else is told once, with who said it and when', async () => {
    const { line, a, b, c } = three();
    expect(await line.call('line.say', { text: 'hello' }, a)).toEqual({ clients: 2 });
    expect(wordsOf(line, a)).toBeUndefined();
    for (const session of [b, c]) {
      expect(wordsOf(line, session)).toEqual([
        { from: { client: 'A', reader: 'a' }, text: 'hello', at: expect.stringMatching(/^\d{4}-.*Z$/) },
      ]);
      expect(wordsOf(line, session)).toBeUndefined();
    }
  });

  test('a client without a reader has a box, too, and its number is no name', async () => {
    const { line, a } = three();
    const nameless = line.connect('x', { isNamed: false });
    await line.call('line.say', { text: 'hello' }, nameless);
    expect(wordsOf(line, a)?.[0]?.from).toEqual({ client: 'X' });
    await line.call('line.say', { text: 'you too' }, a);
    expect(wordsOf(line, nameless)).toHaveLength(1);
  });

  test(`I6 · the newest ${MAX_LETTERS} are kept`, async () => {
    const { line, a, b } = three();
    for (let count = 0; count < MAX_LETTERS; count += 1) await line.call('line.say', { text: `${count}` }, a);
    expect(line.mailboxes.take('b').messages?.[0]?.text).toBe('0');
    for (let count = 0; count <= MAX_LETTERS; count += 1)
      await line.call('line.say', { text: `${count}` }, a);
    const messages = wordsOf(line, b);
    expect([messages?.length, messages?.[0]?.text]).toEqual([MAX_LETTERS, '1']);
  });

  test('nobody is told who is gone, and what waited for him is not kept', async () => {
    const { line, a, b } = three();
    await line.call('line.say', { text: 'one' }, a);
    line.disconnect(b);
    await line.call('line.say', { text: 'two' }, a);
    expect(wordsOf(line, b)).toBeUndefined();
  });
});

describe('what befalls the floor', () => {
  test('a polite request is told to the holder, with its words', async () => {
    const { line, a, b } = three();
    await line.call('floor.request', {}, a);
    await line.refusal('floor.request', { message: 'need "it"' }, b);
    expect(newsOf(line, a)).toEqual([String.raw`B (b) asks for the floor: "need \"it\""`]);
    await line.refusal('floor.request', { message: '' }, b);
    expect(newsOf(line, a)).toEqual(['B (b) asks for the floor']);
    expect(newsOf(line, b)).toBeUndefined();
  });

  test('who took it by force, and what he typed until he gave it back', async () => {
    const { line, a, b } = three();
    await line.call('floor.request', {}, a);
    await line.type(a, ':mine\r');
    await line.call('floor.request', { force: true }, b);
    expect(newsOf(line, a)).toEqual(['B (b) took the floor by force.']);
    await line.type(b, ':his\r');
    await line.type(b, 'x');
    await line.call('floor.release', {}, b);
    expect(newsOf(line, a)).toEqual([
      'B (b) gave the floor back. He had typed ":his", "x~-"; your output shows what came of it.',
    ]);
    expect(newsOf(line, b)).toBeUndefined();
  });

  test('of a long input that is still going out, what went out', async () => {
    const line = new StubLine({ profile: 'its' });
    const [a, b, c] = [line.connect('a'), line.connect('b'), line.connect('c')];
    await line.call('floor.request', {}, a);
    await line.call('floor.request', { force: true }, b);
    await line.type(b, 'x'.repeat(50));
    await line.call('floor.request', { force: true }, c);
    expect(newsOf(line, a)).toEqual([
      'B (b) took the floor by force.',
      `B (b) lost the floor. He had typed "${'x'.repeat(32)}~-"; your output shows what came of it.`,
    ]);
    expect(newsOf(line, b)).toEqual(['C (c) took the floor by force.']);
  });

  test('he may have typed nothing, and the floor may come back by force', async () => {
    const { line, a, b } = three();
    await line.call('floor.request', {}, a);
    await line.call('floor.request', { force: true }, b);
    await line.call('floor.request', { force: true }, a);
    expect(newsOf(line, a)).toEqual([
      'B (b) took the floor by force.',
      'B (b) lost the floor. He typed nothing; your output shows what came of it.',
    ]);
    expect(newsOf(line, b)).toEqual(['A (a) took the floor by force.']);
    await line.call('floor.release', {}, a);
    expect(newsOf(line, b)).toEqual([
      'A (a) gave the floor back. He typed nothing; your output shows what came of it.',
    ]);
  });

  test('C04 · of a secret only its length', async () => {
    const { line, a, b } = three();
    await line.call('floor.request', {}, a);
    await line.call('floor.request', { force: true }, b);
    line.hear('\r\nPassword: ');
    await line.type(b, 'hunter2\r');
    await line.call('floor.release', {}, b);
    expect(newsOf(line, a)?.[1]).toContain('He had typed a secret of 8 bytes');
  });

  test('ordinary turns are no news', async () => {
    const { line, a, b, c } = three();
    await line.type(a, 'x');
    line.pass(10_000);
    await line.type(b, 'y');
    for (const session of [a, b, c]) expect(newsOf(line, session)).toBeUndefined();
  });

  test('whoever is gone hears of nothing; a taker who goes has given it back', async () => {
    const { line, a, b, c } = three();
    await line.call('floor.request', {}, a);
    await line.call('floor.request', { force: true }, b);
    line.disconnect(a);
    await line.call('floor.release', {}, b);
    expect(newsOf(line, a)).toBeUndefined();
    const nameless = line.connect('x', { isNamed: false });
    await line.call('floor.request', {}, c);
    await line.call('floor.request', { force: true }, nameless);
    line.disconnect(nameless);
    expect(newsOf(line, c)?.at(-1)).toBe(
      'X gave the floor back. He typed nothing; your output shows what came of it.',
    );
  });
});

test('a new name takes the box and the takeovers along', async () => {
  const { line, a, b } = three();
  await line.call('floor.request', {}, a);
  await line.call('floor.request', { force: true }, b);
  await line.call('reader.rename', { name: 'a', to: 'anna' }, a);
  await line.call('reader.rename', { name: 'b', to: 'bob' }, b);
  expect(newsOf(line, a)).toEqual(['B (b) took the floor by force.']);
  await line.call('floor.release', {}, b);
  expect(newsOf(line, a)).toEqual([
    'B (bob) gave the floor back. He typed nothing; your output shows what came of it.',
  ]);
});

test(`I6 · ${MAX_BOXES} boxes of those who are gone, and the oldest goes`, async () => {
  const line = new StubLine();
  const taker = line.connect('taker');
  const lose = async (name: string) => {
    const session = line.connect(name);
    await line.call('floor.request', {}, session);
    line.disconnect(session);
    await line.call('floor.request', { force: true }, taker);
    await line.call('floor.release', {}, taker);
  };
  for (let count = 0; count < MAX_BOXES; count += 1) await lose(`r${count}`);
  expect(line.mailboxes.take('r0').news).toHaveLength(2);
  await lose('r0');
  await lose('more');
  expect([line.mailboxes.take('r1').news, line.mailboxes.take('r2').news?.length]).toEqual([undefined, 2]);
});
