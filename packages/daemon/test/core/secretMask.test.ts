import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { HOLD_MS, MASK_BYTES, MASK_MS, MAX_MASKED, SecretMask } from '../../src/core/secretMask.ts';
import { MAX_GAP_BYTES } from '../../src/core/secretRuns.ts';
import { bytesOf, charactersOf, cut, cuts, lineOutput, thawed } from './bytes.ts';

const IS_SOAK = process.env['PIDP10_SOAK'] === '1';
const SECRET = 'Xyzzy-plugh-42';

function maskOf(...secrets: readonly string[]): SecretMask {
  const mask = new SecretMask(7);
  for (const [index, secret] of secrets.entries()) mask.arm(`s${index}`, bytesOf(`${secret}\r`));
  return mask;
}

/** What is shown of `output` that comes at once. */
function shown(output: string, secret = SECRET): string {
  const mask = maskOf(secret);
  return charactersOf(mask.push(bytesOf(output), 0)) + charactersOf(mask.flush());
}

/** Whether the secret is still looked for behind that many bytes of output. */
function isArmedBehind(bytes: number): boolean {
  const mask = maskOf(SECRET);
  mask.push(bytesOf('.'.repeat(bytes)), 0);
  return mask.isArmed;
}

const STARS = '*'.repeat(SECRET.length);

describe('C01 · I19 · a secret that is echoed', () => {
  test.each([
    ['whole', `${SECRET}\r\nLogin incorrect`, `${STARS}\r\nLogin incorrect`],
    ['behind the rest of the prompt', `d: ${SECRET}\r\n`, `d: ${STARS}\r\n`],
    ['later, in an error', `\r\nsudo: ${SECRET}: bad\r\n`, `\r\nsudo: ${STARS}: bad\r\n`],
    ['twice', `${SECRET}\r\n${SECRET}\r\n`, `${STARS}\r\n${STARS}\r\n`],
    ['as capitals', SECRET.toUpperCase(), STARS],
    [
      'coloured',
      `\x1b[1;31mXyz\x1b[0mzy-plu\x1b[7mgh-42\x1b[m\r\n`,
      `\x1b[1;31m***\x1b[0m******\x1b[7m*****\x1b[m\r\n`,
    ],
    ['with VT52 motions', `Xyz\x1bY!3zy-\x1bKplugh-42`, `***\x1bY!3***\x1bK********`],
    ['wrapped by a terminal', `Xyzzy-pl\r\nugh-42\r\n`, `********\r\n******\r\n`],
    ['wrapped by a shell', `Xyzzy-pl \rugh-42`, `******** \r******`],
    ['wrapped by ITS', `Xyzzy-pl!\r\n\x1bKugh-42`, `********!\r\n\x1bK******`],
    ['in a window title', `\x1b]0;${SECRET}\x07`, `\x1b]0;${STARS}\x07`],
    ['in its first half', `Xyzzy-\r\nSorry`, `******\r\nSorry`],
    ['in its second half', `\r\nbash: plugh-42: not found`, `\r\nbash: ********: not found`],
    ['by one character, where the echo is due', `X\r\nSorry`, `*\r\nSorry`],
  ])('%s', (_how, output, expected) => {
    expect(shown(output)).toBe(expected);
  });

  test.each([
    ['caret notation', `^Aab^[z^?`, '*********'],
    ['an altmode as $', `^Aab$z^?`, '********'],
  ])('with control characters, as %s', (_how, output, expected) => {
    expect(shown(`\r\n${output}\r\n`, '\x01ab\x1bz\x7f')).toBe(`\r\n${expected}\r\n`);
  });

  test('with control characters, as they are', () => {
    expect(shown('\r\n\x01ab\x02z\x7f\r\n', '\x01ab\x02z\x7f')).toBe('\r\n******\r\n');
  });

  test('a bit above the seven of the line hides nothing', () => {
    const high = Uint8Array.from(bytesOf(SECRET), (byte) => byte | 0x80);
    expect(charactersOf(maskOf(SECRET).push(high, 0))).toBe(STARS);
  });

  test('one character after another, each slower than anything is held back', () => {
    const mask = maskOf(SECRET);
    const out = SECRET.split('').map((character, index) => {
      const now = index * (HOLD_MS + 50);
      return charactersOf(mask.push(bytesOf(character), now)) + charactersOf(mask.tick(now + HOLD_MS));
    });
    expect(out.join('')).toBe(STARS);
  });

  test('slowly, where no echo is due any more: what is seen is no more than its first character', () => {
    const mask = maskOf(SECRET);
    mask.push(bytesOf('\r\nagain '), 0);
    const out = SECRET.split('').map((character, index) => {
      const now = 1_000 + index * (HOLD_MS + 50);
      return charactersOf(mask.push(bytesOf(character), now)) + charactersOf(mask.tick(now + HOLD_MS));
    });
    expect(out.join('')).toBe(`X${STARS.slice(1)}`);
  });
});

describe('what is no secret', () => {
  test.each([
    ['nothing of it', '\r\nWelcome to KA ITS\r\n'],
    ['a few of its characters', '\r\nXyz zy-p lugh'],
    ['its first characters, then others', '\r\nXyzzx Xyzzy.'],
    ['its characters with others between', 'the X-y-z-z-y-plu'],
  ])('stays: %s', (_what, output) => {
    expect(shown(output)).toBe(output);
  });

  test('three characters are only masked where the echo is due', () => {
    expect(shown('abc\r\nabc', 'abc')).toBe('***\r\nabc');
    expect(shown('\r\nabcd', 'abcd')).toBe('\r\n****');
  });

  test('nothing is looked for without a secret, nor for an empty one', () => {
    const mask = maskOf('');
    expect(mask.deadlineMs()).toBeUndefined();
    expect(charactersOf(mask.push(bytesOf('abc'), 0))).toBe('abc');
  });
});

describe('limits', () => {
  test('bytes that may be its beginning wait, and go when it is none', () => {
    const mask = maskOf(SECRET);
    mask.push(bytesOf('\r\n'), 0);
    expect(charactersOf(mask.push(bytesOf('Xyz'), 0))).toBe('');
    expect(charactersOf(mask.push(bytesOf('!?'), 10))).toBe('Xyz!?');
  });

  test(`I4 · they wait ${HOLD_MS} ms`, () => {
    const mask = maskOf(SECRET);
    mask.push(bytesOf('\r\n'), 0);
    mask.push(bytesOf('X'), 5);
    expect(mask.deadlineMs()).toBe(5 + HOLD_MS);
    expect(charactersOf(mask.tick(4 + HOLD_MS))).toBe('');
    expect(charactersOf(mask.tick(5 + HOLD_MS))).toBe('X');
    expect(mask.deadlineMs()).toBeUndefined();
  });

  test(`it is looked for ${MASK_MS} ms long after the last of it went out`, () => {
    const mask = maskOf(SECRET);
    expect(charactersOf(mask.push(bytesOf(SECRET), 10 * MASK_MS))).toBe(STARS);
    mask.typed('s0', 10 * MASK_MS);
    expect(charactersOf(mask.push(bytesOf(SECRET), 11 * MASK_MS - 1))).toBe(STARS);
    expect(mask.maskedBytes).toBe(2 * SECRET.length);
    expect(charactersOf(mask.push(bytesOf(SECRET), 11 * MASK_MS))).toBe(SECRET);
    expect(mask.snapshot()).toMatchObject({ masked: [], held: [] });
  });

  test(`I6 · it is looked for in ${MASK_BYTES} bytes of output`, () => {
    const filler = '.'.repeat(MASK_BYTES - SECRET.length);
    expect(shown(`${filler.slice(40)}${SECRET}`)).toBe(`${filler.slice(40)}${STARS}`);
    expect(shown(`${filler}${STARS}${SECRET}`)).toBe(`${filler}${STARS}${SECRET}`);
    expect(isArmedBehind(MASK_BYTES - 1)).toBe(true);
    expect(isArmedBehind(MASK_BYTES)).toBe(false);
  });

  test(`I6 · ${MAX_MASKED} secrets are looked for, the newest`, () => {
    const secrets = ['first-one', 'second-two', 'third-three', 'fourth-four', 'fifth-five'];
    const mask = maskOf(...secrets);
    const out = charactersOf(mask.push(bytesOf(`\r\n${secrets.join('.')}`), 0)) + charactersOf(mask.flush());
    const [first, ...rest] = secrets;
    expect(out).toBe(`\r\n${[first, ...rest.map((secret) => '*'.repeat(secret.length))].join('.')}`);
  });

  test(`I6 · ${MAX_GAP_BYTES} bytes of motions between two characters are passed over, one more is not`, () => {
    const gap = '\0'.repeat(MAX_GAP_BYTES);
    expect(shown(`\r\nXyzz${gap}y-plugh-42`)).toBe(`\r\n****${gap}${STARS.slice(4)}`);
    expect(shown(`\r\nXyzz${gap}\0y-plu.`)).toBe(`\r\nXyzz${gap}\0y-plu.`);
  });

  test('I18 · a chunk of the longest output takes no time that others feel', () => {
    const secret = 'ab'.repeat(64);
    const mask = maskOf(secret, secret, secret, secret);
    const began = process.cpuUsage();
    mask.push(bytesOf('aba'.repeat(20_000)), 0);
    const { user } = process.cpuUsage(began);
    expect(user).toBeLessThan(2_000_000);
  });
});

/** An echo of the secret as a far end may make it. */
const echo = fc
  .array(
    fc.constantFrom('', '', '', '\x1b[1m', '\x1b[0;3m', '\r\n', '\0', '\x1bY!!', ' \r', '!\r\n\x1bK', '\x07'),
    {
      minLength: SECRET.length,
      maxLength: SECRET.length,
    },
  )
  .map((between) =>
    SECRET.split('')
      .map((character, index) => `${between[index]}${character}`)
      .join(''),
  );

const output = fc
  .array(fc.oneof(lineOutput, echo.map(bytesOf), fc.constant(bytesOf(SECRET))), { maxLength: 6 })
  .map((parts) => bytesOf(parts.map(charactersOf).join('')));

describe('properties', () => {
  test('I3 · any split gives the same, and as many bytes as came', () => {
    fc.assert(
      fc.property(output, cuts, (bytes, at) => {
        const whole = maskOf(SECRET);
        const once = charactersOf(whole.push(bytes, 0)) + charactersOf(whole.flush());
        const split = maskOf(SECRET);
        const parts = cut(bytes, at).map((piece) => charactersOf(split.push(piece, 0)));
        expect(parts.join('') + charactersOf(split.flush())).toBe(once);
        expect(once.length).toBe(bytes.length);
      }),
      { numRuns: IS_SOAK ? 20_000 : 300 },
    );
  });

  test('I3 · frozen and thawed anywhere, with time passing, nothing changes', () => {
    fc.assert(
      fc.property(output, cuts, fc.array(fc.nat({ max: 300 }), { maxLength: 12 }), (bytes, at, waits) => {
        const kept = maskOf(SECRET);
        let thaw = maskOf(SECRET);
        let now = 0;
        for (const [index, piece] of cut(bytes, at).entries()) {
          now += waits[index] ?? 0;
          thaw = new SecretMask(7, thawed(thaw.snapshot()));
          expect(charactersOf(thaw.tick(now))).toBe(charactersOf(kept.tick(now)));
          expect(charactersOf(thaw.push(piece, now))).toBe(charactersOf(kept.push(piece, now)));
          expect(thaw.deadlineMs()).toBe(kept.deadlineMs());
        }
        expect(charactersOf(thaw.flush())).toBe(charactersOf(kept.flush()));
      }),
      { numRuns: IS_SOAK ? 20_000 : 300 },
    );
  });

  test('I19 · however an echo is dressed up, and wherever it stands, no six characters of it are seen', () => {
    const windows = Array.from({ length: SECRET.length - 5 }, (_, from) => SECRET.slice(from, from + 6));
    fc.assert(
      fc.property(lineOutput, echo, lineOutput, cuts, (before, dressed, behind, at) => {
        const mask = maskOf(SECRET);
        const bytes = bytesOf(`${charactersOf(before)}\x18\r\n${dressed}${charactersOf(behind)}`);
        const out = cut(bytes, at).map((piece) => charactersOf(mask.push(piece, 0)));
        const text = undressed(out.join('') + charactersOf(mask.flush()));
        for (const window of windows) expect(text).not.toContain(window);
      }),
      { numRuns: IS_SOAK ? 20_000 : 300 },
    );
  });
});

/** Characters alone. */
function undressed(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: escape sequences are what this is about
  // oxlint-disable-next-line no-control-regex -- escape sequences are what this is about
  return text.replace(/\x1b\[[0-9;]*m|\x1bY..|!\r\n\x1bK| \r|[\0-\x1f]/g, '');
}
