import { METHODS } from '@pidp10/protocol/methods';
import { expect, test } from 'vitest';
import type { Archive } from '../../src/rpc/archive.ts';
import { createSearchHandlers } from '../../src/rpc/searchHandlers.ts';
import type { Call } from '../../src/rpc/session.ts';
import { StubLine } from './stubLine.ts';

const TEXT = 'one word\r\nno\r\ntwo words\r\n';

/** Calls line.search with parameters as they come from the wire. */
async function call(
  line: StubLine,
  params: object,
  told: object[] = [],
  signal = new AbortController().signal,
) {
  const [session] = line.clients.all;
  const sendProgress: Call['sendProgress'] = (progress) => void told.push(progress);
  const given: Call = {
    id: 1,
    signal,
    session: session ?? line.connect('me'),
    sendProgress,
    afterSend: () => undefined,
  };
  const { search } = { search: createSearchHandlers(line)['line.search'] };
  return METHODS['line.search'].result.parse(
    await search(METHODS['line.search'].params.parse(params), given),
  );
}

/** A line whose output so far has also been kept, the byte at `offset` at second `offset`. */
function keptLine(): StubLine {
  const line = new StubLine();
  line.hear(TEXT);
  const archive: Partial<Archive> = {
    oldest: 0,
    timeAt: async (offset) => (offset === 0 ? undefined : offset * 1_000),
    offsetAt: async (wallMs) => wallMs / 1_000,
  };
  return Object.defineProperty(line, 'archive', { value: archive });
}

test('lines with their places, newest first; without a journal without times', async () => {
  const line = new StubLine();
  line.hear(TEXT);
  expect(await call(line, { text: 'word', context: 1 })).toEqual({
    matches: [
      { start: 14, end: 23, line: 'two words', before: ['no'], after: [] },
      { start: 0, end: 8, line: 'one word', before: [], after: ['no'] },
    ],
    searched: { from: 0, to: 25 },
    isComplete: true,
  });
});

test('times of what is found, and a span in times', async () => {
  const line = keptLine();
  const all = await call(line, { pattern: 'word|no', order: 'oldest' });
  expect(all.matches.map(({ at }) => at)).toEqual([
    undefined,
    '1970-01-01T00:00:10.000Z',
    '1970-01-01T00:00:14.000Z',
  ]);
  const span = { since: '1970-01-01T00:00:09Z', until: '1970-01-01T01:00:13+01:00' };
  const some = await call(line, { pattern: '.', ...span });
  expect(some.searched).toEqual({ from: 9, to: 13 });
  expect(some.matches.map(({ line: text }) => text)).toEqual(['no']);
});

test.each<[object, unknown]>([
  [{}, 'invalid_params'],
  [{ text: 'a', pattern: 'a' }, 'invalid_params'],
  [{ text: 'a', since: '1970-01-01T00:00:09Z' }, 'invalid_params'],
  [{ text: 'a', until: '1970-01-01T00:00:09Z' }, 'invalid_params'],
  [{ text: 'a', from: 26 }, 'offset_out_of_range'],
  [{ pattern: 'a(' }, 'pattern_invalid'],
  [{ pattern: 'a'.repeat(997), ignoreCase: true }, 'pattern_invalid'],
])('%j is refused', async (params, name) => {
  const line = new StubLine();
  line.hear(TEXT);
  await expect(call(line, params)).rejects.toMatchObject({ data: { name } });
});

test('the place of a fault in a pattern is that in what was given, whether or not case counts', async () => {
  for (const ignoreCase of [false, true]) {
    await expect(call(new StubLine(), { pattern: 'abc[', ignoreCase })).rejects.toMatchObject({
      data: { position: 3 },
    });
  }
  const longest = { pattern: `${'a?'.repeat(10)}${'a'.repeat(4)}`, ignoreCase: true };
  expect((await call(keptLine(), longest)).isComplete).toBe(true);
});

test.each([
  [{ from: 25 }, { from: 25, to: 25 }],
  [
    { from: 10, to: 5 },
    { from: 10, to: 10 },
  ],
  [{ to: 99_999 }, { from: 0, to: 25 }],
])('span %j', async (span, searched) => {
  const line = new StubLine();
  line.hear(TEXT);
  expect(await call(line, { text: 'nowhere', ...span })).toEqual({ matches: [], searched, isComplete: true });
});

test('the limit, and at it the end of the span', async () => {
  const line = new StubLine();
  line.hear(TEXT);
  expect((await call(line, { text: 'word', limit: 1 })).isComplete).toBe(false);
  // The second one begins where the span does.
  expect((await call(line, { text: 'word', limit: 2 })).isComplete).toBe(true);
});

test('a call that was given up says what it has', async () => {
  const signal = AbortSignal.abort();
  const line = keptLine();
  expect(await call(line, { text: 'word' }, [], signal)).toEqual({
    matches: [],
    searched: { from: 25, to: 25 },
    isComplete: false,
  });
});

test('progress is told to those who asked for it, by the clock', async () => {
  const line = new StubLine({ ringBytes: 1 << 20 });
  line.hear('some words\r\n'.repeat(50_000));
  let nowMs = 0;
  line.nowMs = () => (nowMs += 60);
  const told: object[] = [];
  await call(line, { text: 'nowhere', progressEveryMs: 100 }, told);
  expect(told).toEqual([{ elapsedMs: 120, bytes: expect.any(Number) }]);
  const silent: object[] = [];
  await call(line, { text: 'nowhere' }, silent);
  expect(silent).toEqual([]);
});

test('I18: while a search of much goes on, others have their turn within 50 ms', async () => {
  const line = new StubLine({ ringBytes: 4 << 20 });
  line.hear(`${'some words that are not it '.repeat(3)}\r\n`.repeat(30_000));
  const pauses: number[] = [];
  // Of our own processor time: what else the machine does meanwhile is not ours. The best of three counts.
  const ownMs = () => {
    const { user, system } = process.cpuUsage();
    return (user + system) / 1_000;
  };
  for (let round = 0; round < 3; round += 1) {
    let latest = ownMs();
    let longest = 0;
    let isOver = false;
    const look = () => {
      const now = ownMs();
      longest = Math.max(longest, now - latest);
      latest = now;
      if (!isOver) setImmediate(look);
    };
    setImmediate(look);
    await call(line, { pattern: '(some|words|that|are|not)+ at$', ignoreCase: true });
    isOver = true;
    pauses.push(longest);
  }
  expect(Math.min(...pauses)).toBeLessThan(50);
});
