import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { Transcript } from '../../src/core/transcript.ts';
import { bytesOf, charactersOf, cut, cuts, lineOutput, thawed } from './bytes.ts';
import { MORE, printed, TURNED } from './itsPrinter.ts';
import { LineRun } from './lineRun.ts';

const OPTIONS = { ringBytes: 65_536, bits: 7, profile: 'its' } as const;
const MESSAGE = '\x07\x07\x07\x07\x07[Message from FOO at KA  8:37pm]\r\n\x1bKhello\r\n';

function transcriptOf(...outputs: readonly string[]): Transcript {
  const transcript = new Transcript(OPTIONS);
  for (const [index, output] of outputs.entries()) transcript.append(bytesOf(output), index * 50);
  transcript.pause();
  return transcript;
}

function all(transcript: Transcript): string {
  return transcript.text({ start: 0, end: transcript.scrollback.end }).text;
}

describe('spoken text', () => {
  test('has no notices and no page turns, and the scrollback has both', () => {
    const transcript = new Transcript(OPTIONS);
    transcript.append(bytesOf(`page 1\r\n\x1bK${MORE}`), 0);
    transcript.turns.turn('page 1\r\n\x1bK'.length, transcript.scrollback.end);
    transcript.append(bytesOf(`${TURNED}page 2\r\n\x1bK\x1bK${MESSAGE}\x1bKpage 2 too\r\n`), 20);
    expect(all(transcript)).toBe('page 1\npage 2\npage 2 too\n');
    const { scrollback } = transcript;
    expect(scrollback.text(0, scrollback.end).text).toContain(`${MORE} \npage 2\n[Message`);
    expect(transcript.notices({ start: 0, end: scrollback.end }).map(({ text }) => text)).toEqual([
      '[Message from FOO at KA  8:37pm]\nhello',
    ]);
  });

  test('I15 · BELs of a notice are not counted, others are', () => {
    const transcript = transcriptOf(`a\x07b\r\n\x1bK\x1bK${MESSAGE}`, '\x07c\x07');
    expect(transcript.text({ start: 0, end: transcript.scrollback.end })).toMatchObject({
      text: 'ab\nc',
      bells: 3,
    });
  });

  test('its characters are counted for a limit, not those that are left out', () => {
    const transcript = transcriptOf(`ab\r\n\x1bK\x1bK${MESSAGE}`, '\x1bKcdef');
    const end = transcript.endOf({ start: 0, end: transcript.scrollback.end }, 4);
    expect(transcript.text({ start: 0, end }).text).toBe('ab\nc');
    expect(transcript.endOf({ start: 0, end: transcript.scrollback.end }, 400)).toBe(
      transcript.scrollback.end,
    );
  });

  test('a plain line has no notices, no folds and no endings', () => {
    const transcript = new Transcript({ ...OPTIONS, profile: 'plain' });
    transcript.append(bytesOf(`${'x'.repeat(79)}!\r\n${MESSAGE}*`), 0);
    expect(all(transcript)).toContain(`!\n[Message from FOO at KA  8:37pm]\nhello\n*`);
    expect(transcript.ending(0)).toBeUndefined();
  });
});

describe('how it ends', () => {
  test.each<[title: string, output: string, kind: string | undefined]>([
    ['the prompt at the start of a line', 'text\r\n\x1bK*', 'prompt'],
    ['a message behind the prompt', `text\r\n\x1bK*\r\n\x1bK${MESSAGE}`, 'prompt'],
    ['a * elsewhere on the screen', 'text\r\n\x1bK\t*', undefined],
    [
      'a banner with its two fresh lines',
      'KA ITS.1652. DDT.1549.\r\n\x1bKTTY 52\r\n\x1bKHappy hacking!\r\n\x1bK\x1bK\x1bK',
      'ready',
    ],
    [
      '… and the answer to the CR behind ^Z',
      'KA ITS.1652. DDT.1549.\r\n\x1bKHappy hacking!\r\n\x1bK\x1bK\x1bK\r\n\x1bK',
      'ready',
    ],
    ['a banner that still goes on', 'KA ITS.1652. DDT.1549.\r\n\x1bKTTY 52\r\n\x1bK', undefined],
    ['a pager', `text\r\n\x1bK${MORE}`, 'pager'],
  ])('%s', (_title, output, kind) => {
    expect(transcriptOf(output).ending(0)?.ending.kind).toBe(kind);
  });

  test('the offset is that of the last words, notices in front of them or not', () => {
    const before = `text\r\n\x1bK\x1bK${MESSAGE}`;
    const transcript = transcriptOf(before, '\x1bKmore\r\n\x1bK*');
    const ending = transcript.ending(0);
    expect(transcript.text({ start: ending?.start ?? 0, end: transcript.scrollback.end }).text).toBe('*');
    expect(ending?.start).toBe(before.length + '\x1bKmore\r\n\x1bK'.length);
  });

  test('T8 · behind a painted screen a prompt stands on two fresh lines, or behind the end of the program', () => {
    expect(transcriptOf('text\r\n\x1bK*').ending(0, true)).toBeUndefined();
    expect(transcriptOf('\x1bH\x1bK\x1bK*').ending(0, true)?.ending.kind).toBe('prompt');
    expect(transcriptOf('Q\r\n\x1bK:KILL \r\n\x1bK*').ending(0, true)?.ending.kind).toBe('prompt');
    expect(transcriptOf('DSK: RMS; FOO - FILE NOT FOUND\r\n\x1bK').ending(0, true)).toBeUndefined();
    expect(transcriptOf(`page\r\n\x1bK${MORE}`).ending(0, true)?.ending.kind).toBe('pager');
  });
});

const character = fc.constantFrom(...'abc XYZ!*-$.0123\t'.split(''));
const fileLines = fc.array(
  fc.array(character, { maxLength: 200 }).map((line) => line.join('')),
  { minLength: 1, maxLength: 90 },
);

describe('a printed file', () => {
  /** The text of one `:print` on a channel, and how many pages and folds it took. */
  function print(lines: readonly string[], split?: (bytes: Uint8Array) => readonly Uint8Array[]) {
    const run = new LineRun(split === undefined ? {} : { split }).opened();
    run.send('vk', ':vk\r').hear('\x1bH\x1bJ:vk\r\n\x1bK\x1bK*').after(1_000);
    run.send('s', ':print foo\r', { maxPages: 100, timeoutMs: 60_000, maxChars: 1_000_000 });
    run.hear(':print foo\r\n\x1bK');
    const pages = printed(lines, 2);
    for (const [index, page] of pages.entries()) {
      run.hear(`${index > 0 ? TURNED : ''}${page}`);
      if (index < pages.length - 1) run.after(150);
    }
    run.hear('\x1bK*').after(5_000);
    return {
      ...run.end('s'),
      spaces: run.written.filter(({ text }) => text === ' ').length,
      pages: pages.length,
    };
  }

  test('T5 · T6 · T9 · over pages and folds has exactly the lines of the file', () => {
    const lines = Array.from({ length: 120 }, (_, n) =>
      n % 7 === 0 ? '' : `${n}\tLABEL:\tMOVE A,[440700,,MSG]\t; ${'folded here! '.repeat(n % 11)}`,
    );
    const { reason, text, spaces, pages } = print(lines);
    expect([reason, spaces]).toEqual(['prompt', pages - 1]);
    expect(pages).toBeGreaterThan(5);
    expect(text).toBe(`:print foo\n${lines.join('\n')}\n*`);
  });

  test('T5 · T6 · T9 · whatever is in it', () => {
    fc.assert(
      fc.property(fileLines, (lines) => {
        expect(print(lines).text).toBe(`:print foo\n${lines.join('\n')}\n*`);
      }),
      { numRuns: 60 },
    );
  });

  test('I3 · however it was split', () => {
    fc.assert(
      fc.property(fileLines, fc.integer({ min: 1, max: 90 }), (lines, size) => {
        const split = (bytes: Uint8Array) =>
          cut(
            bytes,
            Array.from({ length: 100 }, (_, index) => index * size),
          );
        expect(print(lines, split).text).toBe(`:print foo\n${lines.join('\n')}\n*`);
      }),
      { numRuns: 30 },
    );
  });
});

test('the spans that are no answer are told for a span that they touch', () => {
  const before = 'text\r\n\x1bK';
  const transcript = transcriptOf(before, `\x1bK${MESSAGE}`, '\x1bKmore');
  const { end } = transcript.scrollback;
  const notice = { start: before.length, end: before.length + 2 + MESSAGE.length - 1 };
  expect(transcript.cuts({ start: 0, end })).toEqual([notice]);
  expect(transcript.cuts({ start: notice.start + 1, end: notice.start + 2 })).toEqual([notice]);
  expect([
    transcript.cuts({ start: 0, end: notice.start }),
    transcript.cuts({ start: notice.end, end }),
  ]).toEqual([[], []]);
});

test('a message of several lines leaves the command in one piece, echo included', () => {
  const lines = MESSAGE + '\x1bKand more\r\n\x1bK';
  const transcript = transcriptOf(':list', `\r\n\x1bK${lines}`, 'f\r\n\x1bK');
  expect(all(transcript)).toBe(':listf\n');
});

test('I3 · any split, frozen and thawed between the pieces, makes the same transcript', () => {
  const said = fc
    .array(
      fc.oneof(
        { weight: 3, arbitrary: lineOutput.map(charactersOf) },
        fc.constantFrom(MESSAGE, `\r\n\x1bK${MESSAGE}`, `${'x'.repeat(79)}!\r\n\x1bKx`),
      ),
      { maxLength: 5 },
    )
    .map((parts) => parts.join(''));
  fc.assert(
    fc.property(said, cuts, (output, at) => {
      const bytes = bytesOf(output);
      const whole = new Transcript(OPTIONS);
      let pieces = new Transcript(OPTIONS);
      const heard = [whole.append(bytes, 0), whole.pause()].flat().map(({ rendered }) => rendered.text);
      const told: string[] = [];
      for (const piece of cut(bytes, at)) {
        told.push(...pieces.append(piece, 0).map(({ rendered }) => rendered.text));
        pieces = new Transcript(OPTIONS, thawed(pieces.snapshot()));
      }
      told.push(...pieces.pause().map(({ rendered }) => rendered.text));
      expect(told.join('')).toBe(heard.join(''));
      const span = { start: 0, end: whole.scrollback.end };
      expect([pieces.text(span), pieces.ending(0), pieces.motions, pieces.goingDown]).toEqual([
        whole.text(span),
        whole.ending(0),
        whole.motions,
        whole.goingDown,
      ]);
      expect(pieces.screens.at(span.end).rows).toEqual(whole.screens.at(span.end).rows);
    }),
    { numRuns: 300 },
  );
});
