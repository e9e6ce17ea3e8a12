import { describe, expect, onTestFinished, test } from 'vitest';
import { AnsiScreen, REPLY_BYTES_LIMIT, SCREEN_BACKLOG_BYTES } from '../../src/io/ansiScreen.ts';

async function screen(rows = 5, columns = 20) {
  const replies: Uint8Array[] = [];
  const made = await AnsiScreen.create({ size: { rows, columns }, reply: (bytes) => replies.push(bytes) });
  onTestFinished(() => made[Symbol.dispose]());
  const feed = (text: string) => made.feed(new TextEncoder().encode(text));
  return { screen: made, feed, reply: () => Buffer.concat(replies).toString('latin1') };
}

describe('what is on the screen', () => {
  test('rows, cursor and size at now, whatever the chunks', async () => {
    const { screen: made } = await screen();
    for (const byte of Buffer.from('one\r\ntwo \x1b[31mré🙂d\x1b[0m\x1b[4;3Hx'))
      made.feed(Uint8Array.of(byte));
    expect(await made.now()).toEqual({
      size: { rows: 5, columns: 20 },
      lines: ['one', 'two ré🙂d', '', '  x', ''],
      cursor: { row: 3, column: 3 },
      isAlternate: false,
      droppedBytes: 0,
    });
  });

  test('blanks that were printed at the end of a row are not told', async () => {
    const { screen: made, feed } = await screen(3, 10);
    feed('~         \r\n  two   \r\n   ');
    expect((await made.now()).lines).toEqual(['~', '  two', '']);
  });

  test('the grid tells colours and widths', async () => {
    const { screen: made, feed } = await screen(1, 4);
    feed('\x1b[1;31ma\x1b[0;7;38;2;1;2;3m日\x1b[m');
    const { grid } = await made.now({ hasGrid: true });
    expect(grid).toEqual([
      [
        { text: 'a', width: 1, isBold: true, foreground: { kind: 'palette', value: 1 } },
        { text: '日', width: 2, isInverse: true, foreground: { kind: 'rgb', value: 0x010203 } },
        { text: ' ', width: 1 },
      ],
    ]);
  });

  test('the newest rows when it has scrolled, and the alternate screen', async () => {
    const { screen: made, feed } = await screen(2);
    feed('1\r\n2\r\n3');
    expect((await made.now()).lines).toEqual(['2', '3']);
    feed('\x1b[?1049h\x1b[Hvi');
    expect(await made.now()).toMatchObject({ lines: ['vi', ''], isAlternate: true });
    feed('\x1b[?1049l');
    expect((await made.now()).lines).toEqual(['2', '3']);
  });

  test('a cursor behind the last column stands on it', async () => {
    const { screen: made, feed } = await screen(1, 3);
    feed('abc');
    expect((await made.now()).cursor).toEqual({ row: 0, column: 2 });
  });

  test('another size, behind what was fed before', async () => {
    const { screen: made, feed } = await screen(2, 4);
    feed('abcdefgh');
    await made.resize({ rows: 3, columns: 10 });
    feed('\x1b[3;10Hx');
    const { size, lines } = await made.now();
    expect(size).toEqual({ rows: 3, columns: 10 });
    expect(lines[2]).toBe('         x');
  });
});

describe('queries', () => {
  test('are answered: cursor position, device attributes, status, modes', async () => {
    const { screen: made, feed, reply } = await screen();
    feed('ab\x1b[6n\x1b[c\x1b[5n\x1b[?25$p');
    await made.now();
    expect(reply()).toBe('\x1b[1;3R\x1b[?1;2c\x1b[0n\x1b[?25;1$y');
  });

  test('titles and the clipboard are not told to the program', async () => {
    const { screen: made, feed, reply } = await screen();
    feed('\x1b]0;rm -rf\x07\x1b[21t\x1b]52;c;?\x07');
    await made.now();
    expect(reply()).toBe('');
  });

  test('a flood of them is no flood of input', async () => {
    const { screen: made, feed, reply } = await screen();
    feed('\x1b[6n'.repeat(10_000));
    await made.now();
    expect(reply().length).toBeGreaterThan(REPLY_BYTES_LIMIT - 10);
    expect(reply().length).toBeLessThanOrEqual(REPLY_BYTES_LIMIT);
    feed('\x1b[5n');
    await made.now();
    expect(reply().endsWith('\x1b[0n')).toBe(true);
  });
});

test('X12 · enormous counts show what small ones show, in no time', async () => {
  const finals = '@ABCDEFGHILMPSTXZ`abdefr';
  for (const final of finals) {
    const [huge, enough] = [await screen(24, 80), await screen(24, 80)];
    const start = `${'hello\r\n'.repeat(10)}x`;
    huge.feed(start);
    enough.feed(start);
    await Promise.all([huge.screen.now(), enough.screen.now()]);
    const since = performance.now();
    huge.feed(`\x1b[1000000000${final}`);
    const { lines, cursor } = await huge.screen.now();
    // The emulation's own turn takes a millisecond; carried out one by one the counts would take minutes.
    expect({ final, isSlow: performance.now() - since > 50 }).toEqual({ final, isSlow: false });
    enough.feed(`\x1b[80${final}`);
    expect({ final, lines, cursor }).toEqual({ final, ...pick(await enough.screen.now()) });
  }
});

function pick({ lines, cursor }: { lines: readonly string[]; cursor: object }) {
  return { lines, cursor };
}

test('a flood is bounded: its oldest part is dropped and counted, its newest is on the screen', async () => {
  const { screen: made, feed } = await screen();
  const block = new Uint8Array(1024 * 1024).fill(0x61);
  for (let fed = 0; fed <= SCREEN_BACKLOG_BYTES; fed += block.length) made.feed(block);
  feed('\r\nlast');
  const { lines, droppedBytes } = await made.now();
  expect(lines).toContain('last');
  expect(droppedBytes).toBeGreaterThan(0);
  expect(droppedBytes).toBeLessThanOrEqual(2 * block.length);
});

test('who waits when it is disposed of is answered, and what is fed then is forgotten', async () => {
  const { screen: made, feed, reply } = await screen();
  feed('kept');
  await made.now();
  feed('x'.repeat(500_000));
  const waiting = made.now();
  made[Symbol.dispose]();
  made[Symbol.dispose]();
  expect((await waiting).lines[0]).toMatch(/^kept/);
  feed('\x1b[6n');
  expect((await made.now({ hasGrid: true })).grid?.[0]?.[0]).toMatchObject({ text: 'k' });
  expect(reply()).toBe('');
});
