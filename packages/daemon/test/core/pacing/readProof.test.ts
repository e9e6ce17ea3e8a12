import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { PROBE_CHARS, ReadProof } from '../../../src/core/pacing/readProof.ts';
import { AT_ONCE_CHARS, FAR_BUFFER_CHARS, ROUND_CHARS } from '../../../src/core/pacing/readProofState.ts';
import { blankScreen } from '../../../src/core/screen.ts';
import { bytesOf, charactersOf, cut, cuts, lineOutput, thawed } from '../bytes.ts';

/** More characters than fit. */
const MANY = 1_000;

function written(text: string): ReadProof {
  const proof = new ReadProof();
  proof.wrote(bytesOf(text), 0);
  return proof;
}

/** Each character at a moment of its own. */
function hearSlowly(proof: ReadProof, text: string, isPainting = false): void {
  for (const [at, character] of Array.from(text).entries()) proof.hear(character, isPainting, at + 1);
}

describe('what proves a character read on a line that prints', () => {
  test.each<[title: string, typed: string, heard: string, left: number]>([
    ['its echo', 'abc', 'abc', 0],
    ['in upper case too', 'abc', 'ABC', 0],
    ['one by one', 'abcdef', 'abcd', 2],
    ['a control character by ^X', 'a\x03b', 'a^Cb', 0],
    ['not half of it', 'a\x03', 'a^', 1],
    ['a line end, once something follows it', 'a\rb', 'a\nb', 0],
    ['not a line end alone, which a message makes too', 'a\r', 'a\n', 1],
    ['nothing behind other text', 'abcd', 'ab*cd', 2],
    ['nothing of other text', 'abc', 'xyz', 3],
  ])('%s', (_title, typed, heard, left) => {
    const proof = written(typed);
    hearSlowly(proof, heard);
    expect(proof.unproved).toBe(left);
  });

  test(`${AT_ONCE_CHARS} at one moment, and the next in silence`, () => {
    const proof = written('x'.repeat(AT_ONCE_CHARS + 1));
    expect(proof.hear('x'.repeat(AT_ONCE_CHARS + 1), false, 1)).toBe(AT_ONCE_CHARS);
    expect([proof.pause(), proof.unproved]).toEqual([1, 0]);
  });

  test('not what comes at the moment of the writing', () => {
    const proof = written('abc');
    expect([proof.hear('abc', false, 0), proof.unproved]).toEqual([0, 3]);
  });

  test.each<[title: string, typed: string, heard: string, left: number]>([
    ['8 characters in a row, if they are all', 'fox jump', '\n*fox jump', 0],
    ['not 7', 'fox jum', '\n*fox jum', 7],
    ['not 8 of 9', 'fox jumps', '\n*ox jumps', 9],
    ['not with a line end, as a message has one', 'fox jumps\r', '\n*fox jumps\n', 10],
  ])('as the last words before a silence: %s', (_title, typed, heard, left) => {
    const proof = written(typed);
    proof.hear(heard, false, 1);
    proof.pause();
    expect(proof.unproved).toBe(left);
  });

  test.each<[title: string, heard: string, left: number]>([
    ['24 characters in a row before a silence, behind anything', '\n* the quick brown fox jumps', 0],
    ['not 23', '\n*e quick brown fox jumps', 25],
    ['not in the middle', '* the quick brown fox jumps *', 25],
    ['not 24 of others', '\n* the quick brown fox jumpers', 25],
  ])('%s', (_title, heard, left) => {
    const proof = written('the quick brown fox jumps');
    proof.hear(heard, false, 1);
    proof.pause();
    expect(proof.unproved).toBe(left);
  });
});

describe('a message in the middle of the echo', () => {
  const typed = 'the quick brown fox jumps';

  function broken(behind: string, isPainting = false): ReadProof {
    const proof = written(typed);
    for (const [at, character] of Array.from(`the\n${behind}`).entries())
      proof.hear(character, isPainting, at + 1);
    return proof;
  }

  test.each<[title: string, behind: string, left: number]>([
    ['12 that come next, and one at a later moment', ' quick brown ', 9],
    ['not 11 and one', ' quick brown', 22],
    ['another message in it', ' quick\n brown f', 8],
    ['not 12 of which the first have gone with it', 'ick brown fox jum', 22],
    ['not other text', ' quick brawn fox ', 22],
  ])('L13 · what follows goes on without a silence: %s', (_title, behind, left) => {
    expect(broken(behind).unproved).toBe(left);
  });

  test('a line end at its end may be that of another message: what follows tells', () => {
    const proof = written('and one two three\rfour');
    const left = ['\nand one two three\n', 'f', 'o'].map((text, at) => {
      proof.hear(text, false, at + 1);
      return proof.unproved;
    });
    expect(left).toEqual([22, 22, 2]);
  });

  test('not with what was typed when that had come already', () => {
    const proof = written('the qui');
    for (const [at, character] of Array.from('\nthe quick brown fox').entries())
      proof.hear(character, false, at + 1);
    proof.wrote(bytesOf('ck brown fox jumps'), 30);
    proof.hear(' ', false, 31);
    expect(proof.unproved).toBe(typed.length);
  });

  test('not all at one moment, when it may be a picture, nor when that is what it was', () => {
    const proof = written(typed);
    proof.hear('\nthe quick brown', false, 1);
    expect(proof.unproved).toBe(typed.length);
    proof.hear(' ', true, 2);
    expect(proof.unproved).toBe(typed.length);
  });

  test.each([
    [false, 'the\n quick\n bro', typed.length - 13],
    [true, 'the\n quick\n bro', typed.length],
  ])('line ends in a round are passed over where nothing is painted (%s)', (isPainting, heard, left) => {
    const proof = written(typed);
    proof.hear(heard, isPainting, 1);
    proof.pause();
    expect(proof.unproved).toBe(left);
  });
});

describe('what proves a character read on a painted screen', () => {
  test.each<[title: string, typed: string, heard: string, left: number]>([
    ['all that came in a round is its echo', 'abcdef', 'abcdef', 0],
    ['as far as it came', 'abcdef', 'abc', 3],
    ['not with anything more', 'abcdef', 'abcdef\n*', 6],
    ['not with anything less in the middle', 'abcdef', 'abdef', 6],
    ['keys that show nothing between it', 'ab\x01cd', 'abcd', 0],
    ['a line end that stands last could be that of a painted row', 'abc\r', 'abc\n', 1],
    ['of several places the first', 'xxxxxxxx', 'xxx', 5],
  ])('%s', (_title, typed, heard, left) => {
    const whole = written(typed);
    hearSlowly(whole, heard, true);
    expect(whole.unproved).toBe(typed.length);
    whole.pause();
    expect(whole.unproved).toBe(left);
  });

  test.each([
    ['a long piece of it wherever it belongs', 'and found', 0],
    ['a short one only in front', 'found', 15],
  ])('in a later round: %s', (_title, heard, left) => {
    const proof = written('lost; and found');
    for (const text of ['\npainted\n', heard]) {
      proof.hear(text, true, 1);
      proof.pause();
    }
    expect(proof.unproved).toBe(left);
  });

  test('the whole of a short round', () => {
    const proof = written('an earlier text, unproved, ');
    proof.hear('\nsomething painted', true, 1);
    expect([proof.pause(), proof.roomFor(MANY)]).toEqual([0, PROBE_CHARS]);
    proof.wrote(bytesOf('quic'), 2);
    proof.hear('quic', true, 3);
    expect([proof.pause(), proof.unproved, proof.roomFor(MANY)]).toEqual([31, 0, ROUND_CHARS]);
  });

  test('the cursor at rest behind it', () => {
    const proof = written('the quick brown fox');
    proof.hear('\nMode\n   ', true, 1);
    const rows = blankScreen().rows.map((row, at) => (at === 4 ? 'the quick brown fox and more' : row));
    expect(proof.pause({ rows, row: 4, column: 15 })).toBe(15);
  });

  test('three sends in a row that are answered at once, whatever by', () => {
    const proof = new ReadProof();
    const answers = [0, 1_000, 2_000].map((atMs) => {
      proof.begin();
      proof.wrote(bytesOf('\x18n'), atMs);
      proof.hear(`\npicture ${atMs}\n`, true, atMs + 20);
      return [proof.pause(), proof.unproved];
    });
    expect(answers).toEqual([
      [0, 2],
      [0, 4],
      [6, 0],
    ]);
  });

  test('not when one of the answers comes late', () => {
    const proof = new ReadProof();
    for (const [at, lateMs] of [20, 301, 20, 20].entries()) {
      proof.begin();
      proof.wrote(bytesOf('\x18n'), at * 1_000);
      proof.hear('\npicture\n', true, at * 1_000 + lateMs);
      proof.pause();
    }
    expect(proof.unproved).toBe(8);
  });
});

describe('how many may go', () => {
  test(`a send that fits goes as a whole, one that does not in rounds of ${ROUND_CHARS}`, () => {
    const proof = new ReadProof();
    proof.begin();
    expect(proof.roomFor(FAR_BUFFER_CHARS)).toBe(FAR_BUFFER_CHARS);
    expect(proof.roomFor(FAR_BUFFER_CHARS + 1)).toBe(ROUND_CHARS);
  });

  test('behind a round that proved nothing a few at a time, until the buffer is full', () => {
    const proof = new ReadProof();
    proof.begin();
    const rooms: number[] = [];
    for (let atMs = 0; proof.roomFor(MANY) > 0; atMs += 100) {
      rooms.push(proof.roomFor(MANY));
      proof.wrote(bytesOf('z'.repeat(proof.roomFor(MANY))), atMs);
      proof.hear('\nrepainted\n', true, atMs + 1);
      proof.pause();
    }
    expect(rooms).toEqual([ROUND_CHARS, PROBE_CHARS, PROBE_CHARS, PROBE_CHARS, PROBE_CHARS]);
    expect(proof.unproved).toBe(FAR_BUFFER_CHARS);
  });
});

test('I3 · any split, frozen and thawed between the pieces, proves the same', () => {
  const typed = fc
    .constantFrom('abc', '*', ':vk\r', '^G$', '\x1b\x01', 'a b\tc\x03')
    .chain((word) => fc.integer({ min: 1, max: 4 }).map((times) => word.repeat(times)));
  fc.assert(
    fc.property(typed, lineOutput, cuts, fc.boolean(), (input, output, at, isPainting) => {
      const whole = written(input);
      let pieces = written(input);
      const text = input.replaceAll('\r', '\n') + charactersOf(output);
      whole.hear(text, isPainting, 1);
      for (const piece of cut(bytesOf(text), at)) {
        pieces.hear(charactersOf(piece), isPainting, 1);
        pieces = new ReadProof(thawed(pieces.snapshot()));
      }
      whole.pause();
      pieces.pause();
      expect(pieces.snapshot()).toEqual(thawed(whole.snapshot()));
    }),
  );
});
