import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type HistoryView, renderFrom } from '../../src/core/historyView.ts';
import { Screen } from '../../src/core/screen.ts';
import { TextView } from '../../src/core/text.ts';
import { Transcript, type TranscriptOptions } from '../../src/core/transcript.ts';
import { bytesOf, charactersOf, cuts, lineOutput, thawed } from './bytes.ts';
import { outputOf } from './recordings.ts';

const OPTIONS: TranscriptOptions = { ringBytes: 1 << 20, bits: 7, profile: 'its' };

/** The live view of `bytes`, its checkpoint at `at`, and what is made of the bytes behind that. */
function kept(bytes: Uint8Array, at: number, options = OPTIONS, to = bytes.length) {
  const live = new Transcript(options);
  live.append(bytes.subarray(0, at), 0);
  const checkpoint = live.checkpointState();
  live.append(bytes.subarray(at), 0);
  const { offset } = checkpoint;
  const old = live.renderFrom(thawed(checkpoint), offset, bytes.subarray(offset, to));
  return { live, checkpoint, old };
}

/** What each of both shows of a span. */
function shown(old: HistoryView, live: Transcript, [start, end]: readonly [start: number, end: number]) {
  const made = [old.text(start, end), old.text(start, end, 7), old.screenAt(end)];
  const { scrollback, screens } = live;
  return { made, live: [scrollback.text(start, end), scrollback.text(start, end, 7), screens.at(end)] };
}

const folded = fc.constantFrom(
  `${'x'.repeat(79)}!\r\n\x1bK`,
  `${'x'.repeat(79)}!\x1bH\x1bK`,
  `${'\r\n'.repeat(30)}`,
);
const output = fc
  .array(fc.oneof(lineOutput.map(charactersOf), folded), { maxLength: 6 })
  .map((parts) => bytesOf(parts.join('')));

test('any span of old bytes has the text, the counts and the screens that the live view has', () => {
  fc.assert(
    fc.property(
      output,
      fc.nat(),
      cuts,
      fc.constantFrom<TranscriptOptions>(
        OPTIONS,
        { ...OPTIONS, bits: 8, profile: 'plain' },
        { ...OPTIONS, screen: { rows: 40, columns: 132 } },
      ),
      (bytes, at, places, options) => {
        const { live, checkpoint, old } = kept(bytes, at % (bytes.length + 1), options);
        expect(old.safeEnd).toBe(Math.max(live.scrollback.safeEnd, checkpoint.offset));
        expect([old.oldest, old.end]).toEqual([checkpoint.offset, bytes.length]);
        for (const [index, place] of places.entries()) {
          const start = Math.min(checkpoint.offset + place, bytes.length);
          const end = Math.min(start + (places[index + 1] ?? 0), bytes.length);
          const same = shown(old, live, [start, end]);
          expect(same.made).toEqual(same.live);
        }
        const same = shown(old, live, [checkpoint.offset, bytes.length]);
        expect(same.made).toEqual(same.live);
      },
    ),
    { numRuns: 300 },
  );
});

test('a long recording, from checkpoints all over it, crosses many of the text’s own', () => {
  const bytes = outputOf('14e-typeahead-flood').subarray(15);
  for (const at of [0, 1, 4_096, 10_001, 33_333, bytes.length]) {
    const { live, checkpoint, old } = kept(bytes, at);
    for (let start = checkpoint.offset; start <= bytes.length; start += 7_001) {
      const same = shown(old, live, [start, Math.min(start + 9_000, bytes.length)]);
      expect(same.made).toEqual(same.live);
    }
  }
});

test('a checkpoint is safe: half a sequence, CR LF or fold before it belongs to what comes', () => {
  for (const [head, offset] of [
    ['abc\x1b', 3],
    ['abc\r', 3],
    [`${'x'.repeat(79)}!\r\n`, 79],
    ['abc', 3],
  ] as const) {
    const transcript = new Transcript(OPTIONS);
    transcript.append(bytesOf(head), 0);
    expect(transcript.checkpointState().offset).toBe(offset);
  }
});

test('text before the checkpoint is gone, and a span says so', () => {
  const { old } = kept(bytesOf('first\r\nsecond\r\n'), 7);
  expect(old.text(0, 15)).toMatchObject({ start: 7, text: 'second\n', truncated: true });
  expect(old.text(7, 15).truncated).toBe(false);
  expect(old.screenAt(0).offset).toBe(7);
});

test('screens may be asked for in any order', () => {
  const { live, old } = kept(bytesOf('\x1bH\x1bJone\r\ntwo\r\nthree'), 4);
  for (const offset of [17, 5, 12, 12, 17, 4]) expect(old.screenAt(offset)).toEqual(live.screens.at(offset));
});

test('a blank checkpoint may be moved to where old bytes begin whose own is lost', () => {
  const bytes = bytesOf('one\r\ntwo');
  const blank = { ...new Transcript(OPTIONS).checkpointState(), offset: 1_000 };
  const old = renderFrom(blank, 1_000, bytes);
  for (const offset of [1_005, 1_005, 1_008]) {
    const screen = new Screen(7);
    screen.apply(bytes.subarray(0, offset - 1_000));
    const { rows } = screen.snapshot();
    expect(old.screenAt(offset)).toMatchObject({ offset, rows });
  }
  expect(old.text(1_000, 1_008).text).toBe('one\ntwo');
});

test('bytes in front of the checkpoint are passed over', () => {
  const bytes = bytesOf('first\r\nsecond\r\n');
  const { checkpoint } = kept(bytes, 7);
  expect(renderFrom(checkpoint, 3, bytes.subarray(3)).text(7, 99).text).toBe('second\n');
});

describe('what cannot be rendered', () => {
  const { checkpoint } = kept(bytesOf('first\r\nsecond\r\n'), 7);

  test.each<[title: string, checkpoint: unknown, offset: number, length: number]>([
    ['bytes that begin behind the checkpoint', checkpoint, 8, 100],
    ['bytes that end before it', checkpoint, 0, 6],
    ['no checkpoint', undefined, 0, 10],
    ['something else', { offset: 7 }, 0, 10],
    ['one of another version', { ...checkpoint, version: 2 }, 0, 10],
    ['one whose text context is none', { ...checkpoint, text: {} }, 0, 10],
  ])('%s', (_title, state, offset, length) => {
    expect(() => renderFrom(state, offset, new Uint8Array(length))).toThrow(RangeError);
  });

  test('but bytes that end at it have no text', () => {
    expect(renderFrom(checkpoint, 0, new Uint8Array(7)).text(0, 7)).toMatchObject({
      text: '',
      start: 7,
      end: 7,
    });
  });
});

describe('the size of a checkpoint in JSON', () => {
  const sizeOf = (transcript: Transcript) => JSON.stringify(transcript.checkpointState()).length;

  test('is under 1 kB at first, and under 4 kB for a full screen', () => {
    const transcript = new Transcript(OPTIONS);
    expect(sizeOf(transcript)).toBeLessThan(1_024);
    transcript.append(bytesOf(`${'x'.repeat(80)}\r\n`.repeat(24)), 0);
    expect(sizeOf(transcript)).toBeLessThan(4_096);
  });

  test('is under 4 kB all over EMACS', () => {
    const transcript = new Transcript(OPTIONS);
    const bytes = outputOf('07b-emacs');
    for (let at = 0; at < bytes.length; at += 47) {
      transcript.append(bytes.subarray(at, at + 47), 0);
      expect(sizeOf(transcript)).toBeLessThan(4_096);
    }
  });

  test('is some hundred bytes where there is no screen', () => {
    const transcript = new Transcript({ ...OPTIONS, profile: 'plain', screen: 'none' });
    transcript.append(bytesOf(`${'x'.repeat(80)}\r\n`.repeat(24)), 0);
    expect(sizeOf(transcript)).toBeLessThan(500);
  });
});

test('it is what the bytes say from the first one on, too', () => {
  const bytes = outputOf('16-midas-hello').subarray(15);
  const { old, checkpoint } = kept(bytes, 700);
  const view = new TextView(7, undefined, { joinsFolds: true });
  const before = view.render(bytes.subarray(0, checkpoint.offset)).text;
  expect(before + old.text(checkpoint.offset, bytes.length).text).toBe(
    new TextView(7, undefined, { joinsFolds: true }).render(bytes).text,
  );
  const screen = new Screen(7);
  screen.apply(bytes);
  expect(old.screenAt(bytes.length)).toEqual(screen.snapshot());
});
