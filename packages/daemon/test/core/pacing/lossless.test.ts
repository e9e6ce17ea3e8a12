/** The pacer against every far end that one can think of, in virtual time: nothing that was typed is lost. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { usualEcho } from '../farEnd.ts';
import { type LineOutcome, type ReadingProgram, runLine, type Schedule } from './lineModel.ts';
import { ScreenEditor } from './screenEditor.ts';

const IS_SOAK = process.env['PIDP10_SOAK'] === '1';
const RUNS = IS_SOAK ? 1_000 : 100;
const BUFFER_CHARS = 65;

const STYLES = [
  'plain',
  'folding',
  'caret',
  'upper case',
  'rubout',
  'painting',
  'painting in a line',
] as const;
type Style = (typeof STYLES)[number] | 'none';

function programOf(style: Style): ReadingProgram {
  if (style === 'painting' || style === 'painting in a line') {
    const editor = new ScreenEditor(
      style === 'painting' ? '' : ' and what stands behind the point\nfox jumps over\n',
    );
    const kinds = ['row', 'row', 'mode', 'screen'] as const;
    return {
      read: (byte) => editor.read(byte),
      paint: (choice) => editor.paint(kinds[choice % 4] ?? 'row', choice >> 2),
      spoil: () => editor.spoil(),
    };
  }
  let column = 0;
  const read = (byte: number): string => {
    if (style === 'none') return '';
    const echo = style === 'upper case' ? usualEcho(byte).toUpperCase() : usualEcho(byte);
    if (byte === 0x0d) column = 0;
    else if (style === 'folding' && column === 79) {
      column = 1;
      return `!\r\n\x1bK${echo}`;
    } else column += 1;
    return echo;
  };
  return { read, spoil: () => (column = 0) };
}

const WORDS = 'the quick brown fox jumps over a lazy dog while nobody reads'.split(' ');
const prose = fc
  .array(fc.tuple(fc.constantFrom(...WORDS), fc.constantFrom(' ', ' ', ' ', ' ', '\r', ', ')), {
    maxLength: 120,
  })
  .map((words) => words.flat().join(''));
const alike = fc
  .tuple(
    fc.constantFrom('x', 'xxxxxxxxxx\r', 'the quick brown fox\r', '\r', 'a\r', 'ab'),
    fc.nat({ max: 80 }),
  )
  .map(([line, times]) => line.repeat(times).slice(0, 600));
const numbered = fc
  .nat({ max: 25 })
  .map((lines) =>
    Array.from({ length: lines }, (_, n) =>
      `L${n} the quick brown fox jumps over a lazy dog while `.repeat(n % 3),
    ).join('\r'),
  );

function textFor(style: Style): fc.Arbitrary<string> {
  // A line of more than a screenful is another editor's matter.
  const text = fc.oneof(prose, alike, numbered).map((all) => all.slice(0, 350));
  if (style === 'caret') return text.map((all) => all.replaceAll('o', '\x0f').replaceAll('q', '\x1b'));
  if (style === 'rubout') return text.map((all) => all.replaceAll('k ', 'k\x7f '));
  if (style === 'folding') return text.map((all) => all.replaceAll('\r', ' '));
  return text;
}

/** Longest stall, in ms: with all that is read slowly and heard late no silence of `SILENT_MS` comes of it. */
const MAX_STALL_MS = 14_000;
/** Between two stalls, in ms: enough for what is unread to be read. */
const STALL_GAP_MS = 5_000;

/** Stalls one after the other, never two without a pause. */
function apart(stalls: Schedule['stalls']): Schedule['stalls'] {
  let freeMs = 0;
  return stalls
    .toSorted((a, b) => a.from - b.from)
    .map(({ from, ms }) => {
      const stall = { from: Math.max(from, freeMs), ms };
      freeMs = stall.from + ms + STALL_GAP_MS;
      return stall;
    });
}

function scheduleFor(style: Style, maxStallMs = MAX_STALL_MS): fc.Arbitrary<Schedule> {
  const at = (max: number) => fc.nat({ max });
  const instants = fc.array(at(60_000), { maxLength: 30 }).map((list) => list.toSorted((a, b) => a - b));
  const send = fc.record({
    atMs: at(20_000),
    text: fc.oneof(
      textFor(style),
      textFor(style).map((text) => text.slice(0, 32)),
    ),
  });
  return fc.record({
    sends: fc
      .array(send, { minLength: 1, maxLength: 4 })
      .map((list) => list.filter(({ text }) => text !== '').toSorted((a, b) => a.atMs - b.atMs)),
    stalls: fc.array(fc.record({ from: at(40_000), ms: at(maxStallMs) }), { maxLength: 4 }).map(apart),
    messages: fc.oneof(fc.constant([]), instants),
    paints: instants.chain((list) =>
      fc.tuple(...list.map((atMs) => fc.record({ atMs: fc.constant(atMs), choice: fc.nat({ max: 200 }) }))),
    ),
    takesMs: fc.integer({ min: 5, max: 20 }),
    readsMs: fc.oneof(fc.constant(0), fc.constant(0), fc.nat({ max: 60 })),
    latencyMs: fc.constantFrom(0, 0, 20, 150),
    isScreenProgram: fc.boolean(),
    hasScreen: fc.boolean(),
    isThawed: fc.constant(false),
  });
}

/** What was sent of each, one after the other. */
function sentOf({ sends }: Schedule, { ends }: LineOutcome): string {
  return sends.map(({ text }, index) => text.slice(0, ends[index]?.sent ?? 0)).join('');
}

describe('L13 · nothing is lost', () => {
  test.each(STYLES)(
    '%s: any stalls, speeds, messages and repaints: no BEL, no hole, never more than 65 unread',
    (style) => {
      fc.assert(
        fc.property(scheduleFor(style), (schedule) => {
          const outcome = runLine(programOf(style), schedule);
          expect(outcome.firstDropped).toBeUndefined();
          expect(outcome.mostUnread).toBeLessThanOrEqual(BUFFER_CHARS);
          expect(outcome.arrived).toBe(sentOf(schedule, outcome));
          expect(outcome.ends.every(({ overflow }) => overflow === undefined)).toBe(true);
        }),
        { numRuns: RUNS },
      );
    },
    600_000,
  );
});

describe('L13 · a paste that meets a stall arrives, and fast', () => {
  const lines = Array.from({ length: 20 }, (_, n) =>
    `L${n} ${WORDS.join(' ')}`.slice(0, 20 + ((n * 37) % 50)),
  );
  const text = `${lines.join('\r')}\r`;
  const quiet = {
    sends: [{ atMs: 0, text }],
    stalls: [],
    messages: [],
    paints: [],
    takesMs: 1_000 / 60,
    readsMs: 0,
    latencyMs: 0,
    isScreenProgram: true,
    hasScreen: true,
    isThawed: false,
  } as const satisfies Schedule;

  test.each(STYLES)('%s: within 1.2 times the line’s own time', (style) => {
    const outcome = runLine(programOf(style), { ...quiet, isScreenProgram: style.startsWith('painting') });
    expect(outcome).toMatchObject({ arrived: text, ends: [{ isComplete: true }] });
    expect(outcome.sentMs).toBeLessThan(text.length * quiet.takesMs * 1.2);
  });

  test.each(['plain', 'folding', 'upper case'] as const)(
    '%s: lines of the same words and two messages a second cost nothing',
    (style) => {
      const alike = Array.from({ length: 40 }, (_, n) => `${n} ${'abcdefgh '.repeat(n % 12)}\r`).join('');
      // Never twice at the same place of a line.
      const messages = Array.from({ length: 100 }, (_, n) => n * 500 + ((n * 97) % 250));
      const sends = [{ atMs: 0, text: alike }];
      const outcome = runLine(programOf(style), { ...quiet, sends, messages, isScreenProgram: false });
      expect(outcome).toMatchObject({ arrived: alike, ends: [{ isComplete: true }] });
      expect(outcome.sentMs).toBeLessThan(alike.length * quiet.takesMs * 1.02);
    },
    60_000,
  );

  test.each(STYLES)(
    '%s: whole after any stalls that last less than half a minute in all',
    (style) => {
      fc.assert(
        fc.property(scheduleFor(style, 6_000), (schedule) => {
          const told = { ...schedule, hasScreen: true, stalls: schedule.stalls.slice(0, 3) };
          const distinct = { ...told, sends: [{ atMs: 0, text }] };
          const outcome = runLine(programOf(style), distinct);
          expect(outcome).toMatchObject({ arrived: text, ends: [{ isComplete: true }] });
        }),
        { numRuns: Math.ceil(RUNS / 3) },
      );
    },
    600_000,
  );

  test('without the screen a program that shows what it likes is stopped and told, not overrun', () => {
    const stalled = { ...quiet, hasScreen: false };
    const outcome = runLine(programOf('painting in a line'), stalled);
    expect(outcome.firstDropped).toBeUndefined();
    expect(outcome.ends).toEqual([{ sent: outcome.arrived.length, isComplete: false }]);
  });

  test('I3 · frozen and thawed at every moment it goes on the same', () => {
    const schedule = {
      ...quiet,
      stalls: [{ from: 900, ms: 1_500 }],
      messages: [1_500, 4_000],
      isScreenProgram: false,
    };
    for (const style of STYLES)
      expect(runLine(programOf(style), { ...schedule, isThawed: true })).toEqual(
        runLine(programOf(style), schedule),
      );
  });
});

describe('I13 · no echo at all', () => {
  test('a program that shows nothing: what is lost of anything that is typed is told', () => {
    let lost = 0;
    fc.assert(
      fc.property(scheduleFor('none', 60_000), (schedule) => {
        const { firstDropped, ends } = runLine(programOf('none'), schedule);
        if (firstDropped === undefined) return;
        lost += 1;
        const starts = ends.map((_, index) => ends.slice(0, index).reduce((sum, { sent }) => sum + sent, 0));
        const told = ends.findIndex(({ sent }, index) => (starts[index] ?? 0) + sent > firstDropped);
        expect(ends[told]?.overflow).toBeLessThanOrEqual(firstDropped - (starts[told] ?? 0));
      }),
      { numRuns: RUNS },
    );
    expect(lost).toBeGreaterThan(0);
  }, 600_000);

  test('a secret goes by the clock; what is lost of it is told, by an offset that is not behind the loss', () => {
    let lost = 0;
    fc.assert(
      fc.property(scheduleFor('none'), fc.integer({ min: 20, max: 400 }), (schedule, chars) => {
        const sends = [{ atMs: 0, text: 'p'.repeat(chars), isSecret: true }];
        const outcome = runLine(programOf('none'), { ...schedule, messages: [], sends });
        const { firstDropped, ends } = outcome;
        if (firstDropped === undefined) return;
        lost += 1;
        expect(ends[0]?.overflow).toBeLessThanOrEqual(firstDropped);
      }),
      { numRuns: RUNS },
    );
    expect(lost).toBeGreaterThan(0);
  }, 600_000);
});
