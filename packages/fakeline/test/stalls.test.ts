import { expect, test } from 'vitest';
import { Stalls } from '../src/stalls.ts';
import { openDdt } from './open.ts';

test('stalls are about as often as asked for, and the same for the same seed', () => {
  const placesOf = (seed: number): readonly number[] => {
    const stalls = new Stalls(100, seed);
    return Array.from({ length: 100_000 }, (_, i) => (stalls.isDue() ? i : -1)).filter((i) => i >= 0);
  };
  const places = placesOf(7);
  expect(places.length).toBeGreaterThan(900);
  expect(places.length).toBeLessThan(1100);
  expect(placesOf(7)).toEqual(places);
  expect(placesOf(8)).not.toEqual(places);
});

const CREATING = 'for help.\r\n\x1bK';
const LINE = `${'0123456789'.repeat(6)}0123456\r`;

test('L13: of 100,000 characters pasted 32 ahead of the echo none is lost, however often the program stops', async () => {
  await using on = await openDdt({ stallEvery: 1000, stallMs: 1 });
  on.client.send(':create rms;a b\r');
  await on.client.untilEnd(CREATING);
  const paste = LINE.repeat(Math.ceil(100_000 / LINE.length)).slice(0, 100_000);
  const { client } = on;
  let from = client.received.length;
  for (let at = 0; at < paste.length; at += 32) {
    const piece = paste.slice(at, at + 32);
    client.send(piece);
    const echoed = (): boolean => {
      const text = client.received.subarray(from).toString('latin1');
      // A newline is CR LF and a cleared line, or the top of the screen and a cleared line.
      const plain = text.replaceAll('\x1bH', '\r').replaceAll('\n', '').replaceAll('\x1bK', '');
      return plain.length >= piece.length;
    };
    await client.until(echoed, 'the echo');
    from = client.received.length;
  }
  client.send('\x03');
  await client.untilEnd(':KILL \r\n\x1bK*');
  expect(client.text.slice(client.text.indexOf(CREATING))).not.toContain('\x07');
  client.send(':tctyp la36\r');
  await client.untilEnd(':KILL\r\n*');
  on.take();
  client.send(':print rms;a b\r');
  await client.until(() => client.received.length > 200_000 && client.text.endsWith('\r\n*'), 'the file');
  const printed = on
    .take()
    .replaceAll(/[\r\n]/g, '')
    .slice(':print rms;a b'.length);
  expect(printed).toBe(`${paste.replaceAll('\r', '')}*`);
}, 30_000);

test.each([
  [false, 1],
  [true, 35],
])('in a stall 65 characters are kept; echoed at once: %s', async (stallEchoes, bells) => {
  await using on = await openDdt({ stallEvery: 1, stallMs: 200, stallEchoes });
  on.client.send(':create rms;a b\r');
  await on.client.untilEnd(CREATING);
  on.take();
  on.client.send('x'.repeat(101));
  // One is read, then the program stops: 65 are kept, 35 lost.
  await on.client.until(() => on.client.after(CREATING).split('\x07').length > bells, 'the bells');
  expect(on.take().split('\x07')).toHaveLength(bells + 1);
});
