/** Watches whose clients are slow: what is given ahead, when they lag, and that nothing is lost by it. */
import { describe, expect, test } from 'vitest';
import { DEFAULT_RING_BYTES } from '../../src/core/scrollback.ts';
import { CHECKPOINT_BYTES } from '../../src/core/spanText.ts';
import { LAG_MARGIN, MAX_LAG_BYTES, WATCH_AHEAD_BYTES } from '../../src/rpc/watch.ts';
import { StubLine, type Told } from './stubLine.ts';

const texts = (told: readonly Told[]) => told.map(({ params }) => params.text ?? '').join('');
/** Output of several kilobytes in one piece. */
const CHUNK = `${'the quick brown fox jumps over a lazy dog '.repeat(97)}\r\n`;

describe('D12 · a client that takes nothing', () => {
  const RING = 4 * MAX_LAG_BYTES;

  /** A watch whose client has stopped, and has all that is given ahead. */
  async function stuck(ringBytes = RING) {
    const line = new StubLine({ ringBytes });
    const me = line.connect('me');
    await line.call('line.watch', {}, me);
    me.outlet.isStopped = true;
    while (me.outlet.unsentBytes < WATCH_AHEAD_BYTES) line.hear(CHUNK);
    return { line, outlet: me.outlet, me };
  }

  test('is given so much ahead and no more', async () => {
    const { line, outlet } = await stuck();
    const { length } = outlet.told;
    for (let count = 0; count < 100; count += 1) line.hear(CHUNK);
    expect(outlet.told).toHaveLength(length);
    expect(outlet.unsentBytes).toBeLessThan(WATCH_AHEAD_BYTES + 20_000);
  });

  test(`at ${MAX_LAG_BYTES} bytes it goes on when it takes again, and has lost nothing`, async () => {
    const { line, outlet } = await stuck();
    line.hear(new Uint8Array(MAX_LAG_BYTES).fill(0x41));
    expect(outlet.told.at(-1)?.name).toBe('line.output');
    outlet.isStopped = false;
    outlet.take();
    const { scrollback } = line.channel.conversation;
    expect(texts(outlet.told)).toBe(scrollback.text(0, scrollback.end).text);
  });

  test('one byte more, and it is told that it lags; from that offset on nothing is lost', async () => {
    const { line, outlet, me } = await stuck();
    line.hear(new Uint8Array(MAX_LAG_BYTES + 1).fill(0x41));
    const last = outlet.told.at(-1);
    const { scrollback } = line.channel.conversation;
    expect([last?.name, last?.params.end, line.clients.watches(me)]).toEqual([
      'line.lagged',
      scrollback.end,
      0,
    ]);
    const told = texts(outlet.told);
    outlet.told.length = 0;
    outlet.isStopped = false;
    outlet.take();
    expect(outlet.told).toEqual([]);
    await line.call('line.watch', { from: last?.params.offset }, me);
    expect(told + texts(outlet.told)).toBe(scrollback.text(0, scrollback.end).text);
  });

  test('one that is slow but takes something now and then does not lag', async () => {
    const { line, outlet } = await stuck();
    for (let count = 0; count < 600; count += 1) {
      outlet.take(WATCH_AHEAD_BYTES / 2);
      line.hear(CHUNK);
    }
    expect(outlet.told.some(({ name }) => name === 'line.lagged')).toBe(false);
    outlet.isStopped = false;
    outlet.take();
    const { scrollback } = line.channel.conversation;
    expect(texts(outlet.told)).toBe(scrollback.text(0, scrollback.end).text);
  });

  test('with a small ring it is told before anything is lost', async () => {
    const { line, outlet, me } = await stuck(65_536 * 6);
    while (outlet.told.at(-1)?.name === 'line.output') line.hear(CHUNK);
    const last = outlet.told.at(-1);
    expect(last?.name).toBe('line.lagged');
    for (let count = 0; count < 10; count += 1) line.hear(CHUNK);
    outlet.isStopped = false;
    outlet.take();
    expect(await line.call('line.watch', { from: last?.params.offset }, me)).toMatchObject({
      offset: last?.params.offset,
      truncated: false,
    });
  });

  test('with the default ring that is when three quarters of it have come since', async () => {
    const { line, outlet, me } = await stuck(DEFAULT_RING_BYTES);
    const told = outlet.told.at(-1)?.params.end ?? 0;
    while (outlet.told.at(-1)?.name === 'line.output') line.hear(CHUNK);
    const { scrollback } = line.channel.conversation;
    const wanted = DEFAULT_RING_BYTES * (1 - LAG_MARGIN);
    expect(Math.abs(scrollback.end - told - wanted)).toBeLessThan(CHECKPOINT_BYTES + CHUNK.length);
    outlet.isStopped = false;
    outlet.take();
    const again = await line.call('line.watch', { from: told }, me);
    expect(again).toMatchObject({ offset: told, truncated: false });
  });

  test('what is lost all the same is not passed over in silence', async () => {
    const { line, outlet } = await stuck(65_536 * 6);
    line.hear(new Uint8Array(65_536 * 8).fill(0x41));
    expect(outlet.told.at(-1)?.name).toBe('line.lagged');
  });
});
