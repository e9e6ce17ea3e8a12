import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { Transcript } from '../../src/core/transcript.ts';
import type { Archive } from '../../src/rpc/archive.ts';
import { MAX_ANSWER_CHARS, MAX_LINE_CHARS, SEARCH_SLICE_MS, search } from '../../src/rpc/search.ts';
import { SearchBlocks } from '../../src/rpc/searchBlocks.ts';
import { MIN_FILTER_CHARS, toSearchTerm } from '../../src/rpc/searchTerm.ts';
import { bytesOf, lineOutput } from '../core/bytes.ts';

const OPTIONS = { ringBytes: 1 << 20, bits: 7, profile: 'its' } as const;

interface Sought {
  readonly text?: string;
  readonly pattern?: string;
  readonly ignoreCase?: boolean;
  readonly order?: 'newest' | 'oldest';
  readonly limit?: number;
  readonly context?: number;
  readonly from?: number;
  readonly to?: number;
  readonly blockBytes?: number;
  readonly signal?: AbortSignal;
  readonly onBlock?: (bytes: number) => void;
  readonly yieldTurn?: () => Promise<void>;
  readonly nowMs?: () => number;
}

/** A line that has said `bytes`; memory holds the newest `ringBytes`, the archive all. */
function lineThatSaid(bytes: Uint8Array, ringBytes: number = OPTIONS.ringBytes) {
  const transcript = new Transcript({ ...OPTIONS, ringBytes });
  transcript.append(bytes, 0);
  const blank = new Transcript(OPTIONS);
  const asked: string[] = [];
  const archive: Pick<Archive, 'view' | 'bytes' | 'oldest'> = {
    oldest: 0,
    view: async (_start, end) => {
      asked.push('view');
      return blank.renderFrom(blank.checkpointState(), 0, bytes.slice(0, end));
    },
    bytes: async (start, end) => {
      asked.push('bytes');
      return bytes.slice(start, end);
    },
  };
  const line = { conversation: transcript, archive } as unknown as ConstructorParameters<
    typeof SearchBlocks
  >[0];
  return { line, scrollback: transcript.scrollback, asked };
}

function find({ line, scrollback }: ReturnType<typeof lineThatSaid>, sought: Sought) {
  const { from = 0, to = scrollback.safeEnd, blockBytes, limit = 1_000, context = 0 } = sought;
  const span = { from, to };
  return search({
    blocks: new SearchBlocks(line, { ...span, ...(blockBytes !== undefined && { blockBytes }) }),
    term: toSearchTerm({ ignoreCase: false, order: 'newest', limit, context, ...sought }),
    span,
    order: sought.order ?? 'newest',
    limit,
    context,
    signal: sought.signal ?? new AbortController().signal,
    ...(sought.onBlock && { onBlock: sought.onBlock }),
    yieldTurn: sought.yieldTurn ?? (async () => {}),
    nowMs: sought.nowMs ?? (() => 0),
  });
}

/** Lines of the whole text at once. */
function linesOf(text: string): readonly string[] {
  return (text.endsWith('\n') || text === '' ? text.slice(0, -1) : text).split('\n');
}

const lines = fc.array(
  fc.oneof(fc.stringMatching(/^[abAB ]{0,12}$/), fc.constant('needle'), fc.constant('')),
  {
    maxLength: 60,
  },
);
const ends = fc.constantFrom('\r\n', '\r\n\x1bK', '\x1bH\x1bK');

test('a search finds what stands in the lines of the whole text, wherever blocks and memory end', async () => {
  await fc.assert(
    fc.asyncProperty(
      lines,
      ends,
      fc.constantFrom<Sought>(
        { text: 'b' },
        { text: 'ab' },
        { text: 'needle' },
        { text: 'NEEDLE', ignoreCase: true },
        { text: 'aba', ignoreCase: true },
        { pattern: '^a.*b$' },
        { pattern: '^$' },
        { pattern: 'B\\b', ignoreCase: true },
        { pattern: '^a?(?:needle|b)+$' },
        { pattern: 'ne{2}dle\\b', ignoreCase: true },
      ),
      fc.record({
        order: fc.constantFrom('newest' as const, 'oldest' as const),
        blockBytes: fc.integer({ min: 32, max: 200 }),
        limit: fc.integer({ min: 1, max: 80 }),
        context: fc.nat(3),
      }),
      fc.boolean(),
      async (parts, end, sought, options, isKept) => {
        const held = lineThatSaid(
          bytesOf(parts.map((part) => `${part}${end}`).join('')),
          isKept ? 65_536 : 0,
        );
        const { scrollback } = lineThatSaid(bytesOf(parts.map((part) => `${part}${end}`).join('')));
        const to = scrollback.safeEnd;
        const all = linesOf(scrollback.text(0, to).text);
        const fold = (text: string) => (sought.ignoreCase === true ? text.toLowerCase() : text);
        const isIn = (text: string) =>
          sought.text === undefined
            ? new RegExp(sought.pattern ?? '', sought.ignoreCase === true ? 'i' : '').test(text)
            : fold(text).includes(fold(sought.text));
        // A text that is nothing but a line end is one empty line; nothing at all is none.
        const hits = (scrollback.text(0, to).text === '' ? [] : all)
          .map((text, index) => ({
            line: text,
            before: all.slice(Math.max(index - options.context, 0), index),
            after: all.slice(index + 1, index + 1 + options.context),
          }))
          .filter(({ line }) => isIn(line));
        const naive = options.order === 'newest' ? hits.toReversed() : hits;
        const found = await find(held, { ...sought, ...options, to });
        expect(found.matches.map(({ line, before = [], after = [] }) => ({ line, before, after }))).toEqual(
          naive.slice(0, options.limit),
        );
        for (const { start, end: stop, line } of found.matches)
          expect(scrollback.text(start, stop).text).toBe(line);
        const isWhole = found.isComplete && found.searched.from === 0 && found.searched.to === to;
        expect(isWhole || naive.length >= options.limit).toBe(true);
        // What an answer left out is found from where it stopped.
        const rest = { ...sought, order: options.order, blockBytes: options.blockBytes };
        const { from, to: until } = found.searched;
        const other = options.order === 'newest' ? { from: 0, to: from } : { from: until, to };
        const more = found.isComplete ? { matches: [] } : await find(held, { ...rest, ...other });
        expect([...found.matches, ...more.matches].map(({ line }) => line)).toEqual(
          naive.map(({ line }) => line),
        );
      },
    ),
  );
});

test('the raw look loses no line of what a VT52 line says, in one word or with motions, folds and blanks in it', async () => {
  const place = fc.nat();
  await fc.assert(
    fc.asyncProperty(
      lineOutput,
      place,
      place,
      fc.integer({ min: 64, max: 300 }),
      async (bytes, at, chars, blockBytes) => {
        const held = lineThatSaid(bytes);
        const text = held.scrollback.text(0, held.scrollback.safeEnd).text;
        const word =
          text
            .slice(at % (text.length + 1))
            .match(/[!-~]+/)?.[0]
            ?.slice(0, 4 + (chars % 20)) ?? '';
        if (word.length < MIN_FILTER_CHARS) return;
        const escaped = word.replace(/[^\w]/g, '\\$&');
        // Of two that have nothing in common no text is known to look for.
        const plain = await find(held, { pattern: `${escaped}|\\x00`, blockBytes });
        for (const sought of [{ text: word }, { pattern: escaped }, { pattern: `(^|.)${escaped}` }])
          expect((await find(held, { ...sought, blockBytes })).matches).toEqual(plain.matches);
      },
    ),
  );
});

describe('the raw look', () => {
  const far = `${'x'.repeat(62)}\r\n`.repeat(64);
  const said = bytesOf(`${far}the longword here\r\n${far}`);

  test('blocks without a half of the word are not rendered', async () => {
    const held = lineThatSaid(said, 0);
    const { matches } = await find(held, { text: 'longword', blockBytes: 1_024 });
    expect(matches.map(({ line }) => line)).toEqual(['the longword here']);
    expect(held.asked.filter((what) => what === 'view').length).toBeLessThanOrEqual(4);
    expect(held.asked.filter((what) => what === 'bytes')).toHaveLength(
      Math.ceil(held.scrollback.oldest / 1_024),
    );
  });

  test.each([
    ['a fold', `${'y'.repeat(75)}long!\r\n\x1bKword`],
    ['erasing', 'long\x1bKword'],
    ['parity', 'long\u00f7\u00efrd'],
  ])('%s within the word', async (_what, text) => {
    const held = lineThatSaid(bytesOf(`${far}${text}\r\n`));
    expect((await find(held, { text: 'longword' })).matches).toHaveLength(1);
  });

  test.each([
    ['abc', undefined],
    ['abcd', 'function'],
    ['a b c d e f', undefined],
    ['a bcde f', 'function'],
    ['\u00e4\u00f6\u00fc\u00df\u00e4', undefined],
  ])('%j: %s', (text, kind) => {
    const options = { ignoreCase: false, order: 'newest', limit: 1, context: 0 } as const;
    for (const sought of [{ text }, { pattern: `${text}+[0-9]*` }]) {
      const { mayBeIn } = toSearchTerm({ ...options, ...sought });
      expect(kind).toBe(mayBeIn === undefined ? undefined : typeof mayBeIn);
    }
  });

  test('blocks without what each match of a pattern has in it are not rendered, whatever its case', async () => {
    const held = lineThatSaid(said, 0);
    const sought = { pattern: '^\\w+ (?:LONG)word [a-z]', ignoreCase: true, blockBytes: 1_024 };
    const { matches } = await find(held, sought);
    expect(matches.map(({ line }) => line)).toEqual(['the longword here']);
    expect(held.asked.filter((what) => what === 'view').length).toBeLessThanOrEqual(4);
  });
});

describe('limits', () => {
  test('a whole block without a line end is a line, from both sides; others are joined', async () => {
    const held = lineThatSaid(bytesOf(`one\r\n${'a'.repeat(200)}\r\nlast a`));
    const oldest = await find(held, { text: 'a', order: 'oldest', blockBytes: 64, context: 1 });
    const newest = await find(held, { text: 'a', order: 'newest', blockBytes: 64, context: 1 });
    expect(newest.matches).toEqual(oldest.matches.toReversed());
    expect(oldest.matches.map(({ line }) => line.length)).toEqual([59, 64, 64, 13, 6]);
  });

  test('a line is shown whole up to the limit, and around its match beyond', async () => {
    const whole = 'a'.repeat(MAX_LINE_CHARS - 1);
    const held = lineThatSaid(bytesOf(`${'\x1bY%!'}`));
    expect(held.scrollback.end).toBe(4);
    const long = new Transcript({ ...OPTIONS, profile: 'plain', screen: 'none' });
    long.append(bytesOf(`${whole}b\r\n${whole}bc\r\n${'x'.repeat(5_000)}needle${'y'.repeat(5_000)}\r\n`), 0);
    const line = { conversation: long, archive: undefined } as unknown as typeof held.line;
    const given = { line, scrollback: long.scrollback, asked: [] };
    const [one, other] = (await find(given, { text: 'a', order: 'oldest' })).matches;
    expect([one?.line.length, other?.line.length]).toEqual([MAX_LINE_CHARS, MAX_LINE_CHARS]);
    const [match] = (await find(given, { pattern: 'need.e' })).matches;
    expect(match?.line).toMatch(/^x+needley+$/);
    expect(match?.line).toHaveLength(MAX_LINE_CHARS);
  });

  test('an answer that is full stops, and says where', async () => {
    const count = 900;
    const held = lineThatSaid(bytesOf(`${'a'.repeat(70)}\r\n`.repeat(count)));
    const found = await find(held, { text: 'a', context: 20 });
    const chars = found.matches.flatMap((match) => [
      match.line,
      ...(match.before ?? []),
      ...(match.after ?? []),
    ]);
    expect(found.isComplete).toBe(false);
    expect(chars.join('').length).toBeGreaterThanOrEqual(MAX_ANSWER_CHARS);
    expect(chars.join('').length).toBeLessThan(MAX_ANSWER_CHARS + 41 * 70);
    expect(found.searched.from).toBe(found.matches.at(-1)?.start);
  });

  test.each(['newest', 'oldest'] as const)(
    'what memory alone held and has lost is left out, %s first',
    async (order) => {
      const said = bytesOf('some words\r\n'.repeat(8_000));
      const { scrollback, line } = lineThatSaid(said, 8_192);
      const given = { line: { ...line, archive: undefined }, scrollback, asked: [] };
      const { matches } = await find(given, { text: 'words', order, from: scrollback.oldest });
      expect(matches).toHaveLength(
        scrollback.text(scrollback.oldest, scrollback.safeEnd).text.match(/words/g)?.length ?? 0,
      );
    },
  );
});

describe('I18: everybody else has a turn', () => {
  const said = bytesOf('some words\r\n'.repeat(2_000));

  test('others come in while it looks at lines, however slow that is', async () => {
    let nowMs = 0;
    const turns: number[] = [];
    await find(lineThatSaid(said), {
      pattern: 'other|none',
      nowMs: () => (nowMs += SEARCH_SLICE_MS / 2),
      yieldTurn: async () => void turns.push(nowMs),
    });
    expect(turns.length).toBeGreaterThan(2_000 / 32 / 4);
  });

  test('others come in while it renders', async () => {
    let nowMs = 0;
    const turns: number[] = [];
    const long = bytesOf('some words\r\n'.repeat(20_000));
    await find(lineThatSaid(long), {
      text: 'some',
      limit: 1,
      nowMs: () => (nowMs += SEARCH_SLICE_MS / 2),
      yieldTurn: async () => void turns.push(nowMs),
    });
    // 59 pieces of 4,096 bytes, and hardly a line.
    expect(turns.length).toBeGreaterThanOrEqual(2);
  });

  test('cancelled: what was found, and how far it came', async () => {
    const stop = new AbortController();
    const found = await find(lineThatSaid(said), {
      text: 'words',
      blockBytes: 1_024,
      signal: stop.signal,
      onBlock: (bytes) => bytes > 5_000 && stop.abort(),
    });
    expect(found.isComplete).toBe(false);
    expect(found.searched.from).toBeGreaterThan(said.length - 8_000);
    expect(found.matches.length).toBe((said.length - found.searched.from) / 12);
  });
});
