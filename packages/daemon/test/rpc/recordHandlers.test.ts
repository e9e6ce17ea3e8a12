import { expandEscapes } from '@pidp10/protocol/escapes';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { toTyped } from '../../src/rpc/floorFacts.ts';
import { MAX_HISTORY_OUTPUT_CHARS } from '../../src/rpc/recordHandlers.ts';
import { StubLine } from './stubLine.ts';

interface Row {
  readonly kind: string;
  readonly offset: number;
  readonly seq: number;
  readonly text?: string;
  readonly output?: string;
  readonly input?: { readonly text?: string; readonly bytes: number; readonly masked: boolean };
}

function rows(entries: readonly Row[]): string[] {
  return entries.map(({ kind, offset, text, input, output }) =>
    [
      offset,
      kind,
      text ?? input?.text ?? input?.bytes,
      ...(output === undefined ? [] : [JSON.stringify(output)]),
    ].join(' '),
  );
}

async function lived() {
  const line = new StubLine();
  const [a, b] = [line.connect('a'), line.connect('b')];
  await line.type(a, ':vk\r');
  line.hear('answer to vk\r\n');
  await line.call('line.mark', { text: 'between' }, b);
  line.pass(6_000);
  await line.type(b, ':listf\r');
  line.hear('answer to listf\r\n');
  await line.call('line.say', { text: 'done' }, b);
  return { line, a, b };
}

describe('line.history', () => {
  test('who typed what, what came of it, and all that happened beside, in order', async () => {
    const { line, a } = await lived();
    const { entries, truncated } = await line.call('line.history', { outputChars: 100 }, a);
    expect(truncated).toBe(false);
    expect(rows(entries)).toEqual([
      '0 state connecting',
      '0 state open',
      '0 floor A (a) has the floor',
      '0 input :vk "answer to vk\\n"',
      '14 mark between',
      "14 floor A (a)'s lease is over; nobody has the floor",
      '14 floor B (b) has the floor',
      '14 input :listf "answer to listf\\n"',
      '31 said done',
    ]);
    expect(entries[3]).toMatchObject({
      at: expect.stringMatching(/Z$/),
      input: { author: { client: 'A', reader: 'a' }, text: ':vk', bytes: 4, masked: false },
    });
    const seqs = entries.map(({ seq }: Row) => seq);
    expect(seqs).toEqual(seqs.toSorted((x: number, y: number) => x - y));
  });

  test('a span, and its newest entries; it says when there are more', async () => {
    const { line, a } = await lived();
    const span = await line.call('line.history', { from: 14, to: 30 }, a);
    expect([span.entries.length, span.truncated, span.entries[0].text]).toEqual([4, false, 'between']);
    const newest = await line.call('line.history', { from: 14, to: 30, limit: 1, outputChars: 6 }, a);
    expect([rows(newest.entries), newest.truncated]).toEqual([['14 input :listf "answer"'], true]);
  });

  test('of the last input of a span the output up to the next one, which is behind it', async () => {
    const { line, a } = await lived();
    const { entries } = await line.call('line.history', { to: 0, limit: 1, outputChars: 1_000 }, a);
    expect(rows(entries)).toEqual(['0 input :vk "answer to vk\\n"']);
  });

  test('C04 · a secret is a number of bytes', async () => {
    const line = new StubLine();
    const a = line.connect('a');
    line.hear('\r\nPassword: ');
    await line.type(a, 'hunter2\rhunter3\r');
    const { entries } = await line.call('line.history', {}, a);
    expect(entries.at(-1).input).toEqual({ author: { client: 'A', reader: 'a' }, bytes: 16, masked: true });
    expect(JSON.stringify(entries)).not.toContain('hunter');
    expect(JSON.stringify(line.channel.conversation.timeline.snapshot())).not.toContain('104,117');
  });

  test('I6 · I18 · output of an answer is limited in all, and the newest is given', async () => {
    const line = new StubLine({ ringBytes: 1_048_576 });
    const a = line.connect('a');
    const [perInput, inputs] = [10_000, 40];
    for (let count = 0; count < inputs; count += 1) {
      await line.type(a, `${count}`);
      line.hear('x'.repeat(perInput));
    }
    const { entries } = await line.call('line.history', { outputChars: perInput }, a);
    const outputs = entries
      .filter(({ kind }: Row) => kind === 'input')
      .map(({ output }: Row) => output?.length);
    const whole = Math.floor(MAX_HISTORY_OUTPUT_CHARS / perInput);
    expect(outputs.slice(-whole)).toEqual(Array.from({ length: whole }, () => perInput));
    expect(outputs.at(-whole - 1)).toBe(MAX_HISTORY_OUTPUT_CHARS % perInput);
    expect(outputs.slice(0, -whole - 1)).toEqual(Array.from({ length: inputs - whole - 1 }, () => undefined));
  });

  test('what was pushed out is told only of spans that it may belong to', async () => {
    const line = new StubLine();
    const a = line.connect('a');
    line.hear('0123456789');
    const author = { client: 'A', reader: 'a' };
    for (let count = 0; count < 10_000; count += 1) line.note('mark', author, 'm');
    line.hear('0123456789');
    line.note('mark', author, 'last');
    expect((await line.call('line.history', { limit: 1_000, from: 20 }, a)).truncated).toBe(false);
    expect((await line.call('line.history', { limit: 1_000, from: 0, to: 0 }, a)).truncated).toBe(true);
  });
});

test('line.mark names the place where the output stands', async () => {
  const line = new StubLine();
  const a = line.connect('a');
  line.hear('12345');
  expect(await line.call('line.mark', { text: 'here' }, a)).toEqual({ offset: 5 });
});

test('what was typed is told as the input that types exactly that', () => {
  fc.assert(
    fc.property(fc.uint8Array({ minLength: 1, maxLength: 12 }), fc.boolean(), (bytes, hasReturn) => {
      const typed = hasReturn ? [...bytes, 0x0d] : [...bytes];
      const expansion = expandEscapes(toTyped(typed), { bits: 8, raw: false });
      expect(expansion.kind === 'refused' ? expansion : [...expansion.bytes]).toEqual(typed);
    }),
  );
  expect([toTyped([0x3a, 0x0d]), toTyped([0x0d]), toTyped([0x07])]).toEqual([':', '~r~-', '~g~-']);
});
