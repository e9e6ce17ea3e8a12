import { rpcError } from '@pidp10/protocol/errors';
import { describe, expect, it, vi } from 'vitest';
import { DaemonLink } from '../src/daemonLink.ts';
import { Watches, type WatchListener } from '../src/watches.ts';
import { FACTS } from './support/answers.ts';
import { ScriptedDaemon } from './support/scriptedDaemon.ts';

const OUT = { source: { session: 's1', stream: 'out' }, clientName: 'x' } as const;
const AT = '2026-01-01T00:00:00.000Z';

class Heard implements WatchListener {
  readonly texts: string[] = [];
  ends = 0;
  handleOutput(text: string): void {
    this.texts.push(text);
  }
  handleEnd(): void {
    this.ends += 1;
  }
}

function output(watch: number, start: number, text: string) {
  return { watch, start, end: start + text.length, at: AT, text };
}

function watching(daemon: ScriptedDaemon): Watches {
  const link = new DaemonLink(daemon.settings, {
    onConnect: () => watches.handleConnect(),
    onNotification: (name, params) => watches.handleNotification(name, params),
  });
  const watches = new Watches(link);
  return watches;
}

async function start() {
  const daemon = await ScriptedDaemon.start();
  let next = 1;
  daemon.scripts['session.watch'] = ({ from = 0 }) => ({
    watch: next++,
    offset: from,
    truncated: false,
    floor: { state: 'free', waiting: 0 },
    ...FACTS,
  });
  daemon.scripts['session.unwatch'] = () => ({});
  return { daemon, watches: watching(daemon) };
}

describe('watches', () => {
  it('tell their listener what comes, in order, and nothing of others', async () => {
    const { daemon, watches } = await start();
    await using _daemon = daemon;
    const [one, two] = [new Heard(), new Heard()];
    await watches.follow({ ...OUT, from: 0 }, one);
    await watches.follow({ ...OUT, source: { session: 's2', stream: 'err' } }, two);
    expect(daemon.last('session.watch')).toEqual({ session: 's2', stream: 'err' });
    daemon.notify('session.output', output(1, 0, 'a'));
    daemon.notify('session.output', output(2, 0, 'b'));
    // Numbers of the line's watches are not those of sessions'.
    daemon.notify('line.output', output(1, 0, 'of the line'));
    daemon.notify('session.output', output(1, 1, 'c'));
    daemon.notify('session.watchEnded', { watch: 1, offset: 2 });
    await vi.waitFor(() => expect(one.ends).toBe(1));
    expect([one.texts, two.texts, two.ends]).toEqual([['a', 'c'], ['b'], 0]);
  });

  it('lose nothing that overtakes the answer', async () => {
    const { daemon, watches } = await start();
    await using _daemon = daemon;
    const heard = new Heard();
    daemon.hold('session.watch');
    const following = watches.follow({ ...OUT, from: 0 }, heard);
    await vi.waitFor(() => expect(daemon.last('session.watch')).toBeDefined());
    daemon.notify('session.output', output(1, 0, 'early'));
    daemon.notify('session.watchEnded', { watch: 1, offset: 5 });
    daemon.release('session.watch');
    await following;
    expect([heard.texts, heard.ends]).toEqual([['early'], 1]);
  });

  it('go on where they were: after they lagged, and on a new connection', async () => {
    const { daemon, watches } = await start();
    await using _daemon = daemon;
    const heard = new Heard();
    await watches.follow({ ...OUT, from: 0 }, heard);
    daemon.notify('session.output', output(1, 0, 'abc'));
    daemon.notify('session.lagged', { watch: 1, offset: 3, end: 900 });
    await vi.waitFor(() => expect(daemon.last('session.watch')).toMatchObject({ from: 3 }));
    daemon.notify('session.output', output(2, 3, 'defg'));
    await vi.waitFor(() => expect(heard.texts).toEqual(['abc', 'defg']));
    daemon.hangUp();
    // Whatever dials next brings it back.
    const other = { ...OUT, source: { session: 's2', stream: 'out' } } as const;
    await vi.waitFor(() => watches.follow(other, new Heard()));
    await vi.waitFor(() =>
      expect(daemon.received.filter(({ params }) => params['from'] === 7)).toHaveLength(1),
    );
    expect(heard.ends).toBe(0);
  });

  it('end when the session is gone meanwhile', async () => {
    const { daemon, watches } = await start();
    await using _daemon = daemon;
    const heard = new Heard();
    await watches.follow(OUT, heard);
    daemon.scripts['session.watch'] = () => {
      throw rpcError('session_unknown');
    };
    daemon.notify('session.lagged', { watch: 1, offset: 0, end: 9 });
    await vi.waitFor(() => expect(heard.ends).toBe(1));
  });

  it('end when nobody wants them any more, at the daemon too', async () => {
    const { daemon, watches } = await start();
    await using _daemon = daemon;
    const heard = new Heard();
    const stop = await watches.follow(OUT, heard);
    stop();
    stop();
    await vi.waitFor(() => expect(daemon.last('session.unwatch')).toEqual({ watch: 1 }));
    daemon.notify('session.output', output(1, 0, 'late'));
    await watches.follow({ ...OUT, source: { session: 's2', stream: 'out' } }, new Heard());
    expect([heard.texts, heard.ends]).toEqual([[], 0]);
    expect(daemon.received.filter(({ method }) => method === 'session.unwatch')).toHaveLength(1);
  });
});
