import { describe, expect, test } from 'vitest';
import { OutageClock } from '../../src/core/outage.ts';
import type { Entry } from '../../src/core/timeline.ts';
import { thawed } from './bytes.ts';
import { GREETED, LineRun } from './lineRun.ts';

function outagesOf(run: LineRun): readonly Entry[] {
  return run.channel.conversation.timeline.since(0).filter(({ kind }) => kind === 'outage');
}

describe('an outage', () => {
  test('L16 · L18 · is kept with reason, length and the place where the new connection begins', () => {
    const run = new LineRun().opened().hear('before');
    const end = run.channel.conversation.scrollback.end;
    run.after(1_000).feed({ kind: 'failed', failure: 'reset', detail: 'ECONNRESET' });
    const diedMs = run.nowMs;
    run.after(65_000).opened();
    expect(outagesOf(run)).toMatchObject([
      { reason: 'reset', detail: 'ECONNRESET', durationMs: run.nowMs - diedMs, offset: end, atMs: run.nowMs },
    ]);
    const kinds = run.channel.conversation.timeline.since(0).map(({ kind, offset }) => [kind, offset]);
    expect(kinds.slice(-3)).toEqual([
      ['state', end],
      ['outage', end],
      ['state', end + GREETED],
    ]);
  });

  test('L06 · L17 · the reason is that of the end, whatever was tried in vain meanwhile', () => {
    const clock = new OutageClock();
    const facts = { codec: 'telnet' } as const;
    expect(clock.step('connecting', { ...facts, state: 'open' }, 0)).toBeUndefined();
    clock.step('open', { ...facts, state: 'dead', reason: 'keepalive_timeout' }, 100);
    clock.step('dead', { ...facts, state: 'connecting' }, 200);
    clock.step('connecting', { ...facts, state: 'dead', reason: 'connect_refused' }, 300);
    clock.step('dead', { ...facts, state: 'closed' }, 400);
    const again = new OutageClock(thawed(clock.snapshot()));
    for (const each of [clock, again]) {
      expect(each.step('connecting', { ...facts, state: 'open' }, 500)).toEqual({
        reason: 'keepalive_timeout',
        durationMs: 400,
      });
      expect(each.snapshot()).toBeUndefined();
    }
  });

  test('a line that somebody closed says so; the first connection has none before it', () => {
    const run = new LineRun().opened();
    expect(outagesOf(run)).toEqual([]);
    run.feed({ kind: 'close' }).after(5_000).opened();
    expect(outagesOf(run)).toMatchObject([{ reason: 'closed', durationMs: 5_000 }]);
  });
});
