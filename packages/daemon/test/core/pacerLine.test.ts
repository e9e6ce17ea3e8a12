/** The pacer against a far end that keeps 65 characters: what arrives, how fast, and what is told when it does not. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { NO_ECHO_MS, SILENT_MS, STALL_MS, TIMED_INTERVAL_MS } from '../../src/core/pacer.ts';
import { FAR_BUFFER_CHARS } from '../../src/core/pacing/readProofState.ts';
import { charactersOf } from './bytes.ts';
import { sendTo, TICK_MS, usualEcho } from './farEnd.ts';
import { outputOf } from './recordings.ts';

const IS_SOAK = process.env['PIDP10_SOAK'] === '1';
const WORDS = 'the quick brown fox, jumps OVER 13 lazy dogs; and so ON (or not) - :vk * !';

/** Text of so many characters with line ends, TABs and repetitions, the same for the same seed. */
function textOf(chars: number, seed = 1): string {
  const words = WORDS.split(' ');
  let text = '';
  for (let n = seed; text.length < chars; n = (n * 1_103_515_245 + 12_345) % 2_147_483_648) {
    text += `${words[n % words.length]}${n % 11 === 0 ? '\r' : n % 23 === 0 ? '\t' : ' '}`;
  }
  return text.slice(0, chars);
}

/** Not reading from `from` to `to`, in ms. */
function stalled(...spans: readonly (readonly [from: number, to: number])[]): (nowMs: number) => boolean {
  return (nowMs) => !spans.some(([from, to]) => nowMs >= from && nowMs < to);
}

/** A flood of `text`, 130 characters a tick, from `from` to `to`. */
function flood(text: string, from: number, to: number): (nowMs: number) => string {
  let at = 0;
  return (nowMs) => {
    if (nowMs < from || nowMs >= to) return '';
    at = at + 130 > text.length ? 130 : at + 130;
    return text.slice(at - 130, at);
  };
}

describe('L13 · a paste', () => {
  test.each([
    ['5,000 characters', IS_SOAK ? 100_000 : 5_000, {}],
    ['a slow line', 1_000, { charMs: 40 }],
    ['a fast line', 5_000, { charMs: 2 }],
    [
      'a program that stops for a second again and again',
      3_000,
      { isReading: (nowMs: number) => nowMs % 3_000 > 1_000 },
    ],
    ['one that stops for 20 s', 500, { isReading: stalled([2_000, 22_000]) }],
    ['I12 · upper case echo', 2_000, { echo: (byte: number) => usualEcho(byte).toUpperCase() }],
  ])('%s: all of it arrives in order, no BEL, every character seen', (_title, chars, options) => {
    const text = textOf(chars);
    const result = sendTo(text, options);
    expect(result.arrived).toBe(text);
    expect(result).toMatchObject({ bells: 0, echoed: chars, echo: 'on', isComplete: true, sent: chars });
    expect(result.mostUnread).toBeLessThanOrEqual(32);
  });

  test('an editor that fills lines echoes a line end for a blank now and then: it goes on', () => {
    const text = 'words that an editor fills, line by line; '.repeat(30);
    let column = 0;
    const echo = (byte: number) => {
      column += 1;
      if (byte !== 0x20 || column < 60) return String.fromCharCode(byte);
      column = 0;
      return '\r\n\x1bK';
    };
    expect(sendTo(text, { echo })).toMatchObject({ arrived: text, bells: 0, isComplete: true });
  });

  test('takes the time that the line takes', () => {
    const { sentMs } = sendTo(textOf(5_000));
    expect(sentMs).toBeLessThan(5_000 * TICK_MS * 1.02);
  });

  test('P9 · at 65 characters a second, with stalls, within 1.2 times what the far end itself takes', () => {
    const chars = IS_SOAK ? 100_000 : 5_000;
    const charMs = 1_000 / 65;
    const text = textOf(chars);
    const [everyMs, stallMs] = [10_000, 2_000];
    const result = sendTo(text, { charMs, isReading: (nowMs) => nowMs % everyMs < everyMs - stallMs });
    expect(result).toMatchObject({ arrived: text, bells: 0, isComplete: true });
    // While it stalls it takes as many as its buffer holds.
    const lostMs = stallMs - 65 * charMs;
    const ownMs = (chars * charMs) / (1 - lostMs / everyMs);
    expect(result.sentMs).toBeLessThan(ownMs * 1.2);
  }, 120_000);

  test('any stalls once it has begun to echo, any speed, in any order: 0 BEL', () => {
    const span = fc.tuple(fc.integer({ min: 1_000, max: 20_000 }), fc.nat({ max: 8_000 }));
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 60 }),
        fc.array(span, { maxLength: 6 }),
        fc.nat({ max: 1_000 }),
        fc.integer({ min: 200, max: 800 }),
        (charMs, spans, seed, chars) => {
          const text = textOf(chars, seed);
          const isReading = stalled(...spans.map(([from, ms]) => [from, from + ms] as const));
          const result = sendTo(text, { charMs, isReading });
          expect(result.bells).toBe(0);
          expect(result.arrived).toBe(text);
        },
      ),
      { numRuns: IS_SOAK ? 2_000 : 60 },
    );
  });

  test('I3 · frozen and thawed at every tick it goes on the same', () => {
    const options = { isReading: stalled([1_000, 4_000]), echo: usualEcho };
    const text = textOf(600);
    expect(sendTo(text, { ...options, isThawed: true })).toEqual(sendTo(text, options));
  });
});

describe('14e · a flood while input waits gives no credit beyond what ITS keeps', () => {
  const library = charactersOf(outputOf('14e-typeahead-flood')).slice(1_000, 40_000);
  const inputs = {
    digits: '0123456789'.repeat(30),
    prose: textOf(1_500),
    octal: Array.from({ length: 400 }, (_, n) => ((n * 7_919) % 512).toString(8)).join(' '),
  };
  const floods = {
    'a library': library,
    'help of DDT': charactersOf(outputOf('05a-ddt-altmode')),
    listings: charactersOf(outputOf('04a-login-listf')),
    'the same words': textOf(9_000, 77).replaceAll('\r', '\r\n'),
  };
  const cases = Object.entries(inputs).flatMap(([input, text]) =>
    Object.entries(floods).map(([name, said]) => [input, name, text, said] as const),
  );

  test.each(cases)('%s against %s', (_input, _name, text, said) => {
    const result = sendTo(text, { isReading: stalled([500, 9_000]), chatter: flood(said, 500, 9_000) });
    expect(result.mostUnread).toBeLessThanOrEqual(65);
    expect([result.bells, result.arrived === text, result.echoed]).toEqual([0, true, text.length]);
  });
});

describe('I13 · no echo at all', () => {
  test('a secret goes by the clock after a while, finishes, and says so', () => {
    const text = textOf(200).replaceAll('\r', ' ');
    const result = sendTo(text, { echo: () => '', isSecret: true });
    expect(result).toMatchObject({ arrived: text, bells: 0, echoed: 0, echo: 'off', isComplete: true });
    expect(result.sentMs).toBeGreaterThanOrEqual(NO_ECHO_MS + 167 * TIMED_INTERVAL_MS);
    expect(result.sentMs).toBeLessThan(NO_ECHO_MS + 169 * (TIMED_INTERVAL_MS + TICK_MS));
  });

  test('what is no longer than the window needs no echo and no clock', () => {
    const result = sendTo('a secret', { echo: () => '' });
    expect(result).toMatchObject({ arrived: 'a secret', sentMs: 0, echo: 'unknown', isComplete: true });
  });

  test(`what the buffer certainly holds, ${FAR_BUFFER_CHARS} characters, is not waited for longer than ${NO_ECHO_MS} ms`, () => {
    const result = sendTo('x'.repeat(FAR_BUFFER_CHARS), { echo: () => '', isReading: () => false });
    expect(result).toMatchObject({ bells: 0, echo: 'unknown', sent: FAR_BUFFER_CHARS, isComplete: true });
    expect(result.sentMs).toBeLessThan(NO_ECHO_MS + 25 * (TIMED_INTERVAL_MS + TICK_MS));
  });

  test(`a program that says nothing for ${SILENT_MS} ms is taken for one that reads: it gets all, by the clock`, () => {
    const text = textOf(400).replaceAll('\r', ' ');
    const result = sendTo(text, { echo: () => '' });
    expect(result).toMatchObject({ arrived: text, bells: 0, echoed: 0, echo: 'off', isComplete: true });
    expect(result.sentMs).toBeGreaterThanOrEqual(NO_ECHO_MS + SILENT_MS + 367 * TIMED_INTERVAL_MS);
    expect(result.sentMs).toBeLessThan(NO_ECHO_MS + SILENT_MS + 369 * (TIMED_INTERVAL_MS + TICK_MS));
  });

  test('one that does not read at all gets no more than its buffer holds, and the BEL behind it is told', () => {
    const result = sendTo('x'.repeat(400), { echo: () => '', isReading: () => false });
    // What goes until the BEL comes is lost: two ticks of it.
    expect(result).toMatchObject({ isComplete: false, overflow: 65 });
    expect(result.bells).toBeLessThanOrEqual(2);
    expect((result.sent ?? 0) - 65).toBeLessThanOrEqual(2);
  });

  test('a program that stalls before anything was echoed loses nothing, and gets all when it goes on', () => {
    const text = textOf(400);
    const result = sendTo(text, { isReading: stalled([0, SILENT_MS - 100]) });
    expect(result).toMatchObject({ arrived: text, bells: 0, echo: 'on', isComplete: true });
  });

  test('one whose first echo comes when the clock has begun: from then on its echo paces it', () => {
    const text = textOf(400);
    const result = sendTo(text, { isReading: stalled([0, NO_ECHO_MS + SILENT_MS + 500]) });
    expect(result).toMatchObject({ arrived: text, bells: 0, echo: 'on', isComplete: true });
    expect(result.mostUnread).toBeLessThanOrEqual(65);
  });

  test('a BEL stops a secret, and says where: not behind the first that was lost', () => {
    const text = 'x'.repeat(400);
    const result = sendTo(text, { echo: () => '', isReading: (nowMs) => nowMs < 4_000, isSecret: true });
    expect(result.isComplete).toBe(false);
    expect(result.bells).toBeGreaterThan(0);
    expect(result.overflow).toBeGreaterThanOrEqual(65);
    // What was read and the 65 that are kept.
    expect(result.overflow).toBeLessThanOrEqual(result.arrived.length + 65);
  });
});

test('a program that thinks is not taken for one that does not echo', () => {
  const text = textOf(300);
  const result = sendTo(text, { isReading: stalled([400, 400 + STALL_MS - 1_000]) });
  expect(result).toMatchObject({ arrived: text, bells: 0, echo: 'on', isComplete: true });
});

test(`a far end that stops for good: after ${STALL_MS} ms the rest is dropped and told`, () => {
  const result = sendTo(textOf(500), { isReading: (nowMs) => nowMs < 2_000 });
  expect(result.isComplete).toBe(false);
  expect(result.sent).toBeLessThan(500);
  expect([result.bells, (result.sent ?? 0) - result.arrived.length]).toEqual([0, 32]);
});
