/**
 * The acceptance session against a real emulator: PIDP10_LIVE=1, with PIDP10_HOST and PIDP10_PORT. It reads only (login,
 * listings, screens), logs out at its end, and leaves a line alone on which somebody is logged in. PIDP10_USER is the
 * name to log in with (rms), PIDP10_LISTF_DIR a directory of several pages (sys). PIDP10_LIVE_SLOW=1 adds the idle test.
 */
import { expect, test } from 'vitest';
import { Sandbox } from '../support/sandbox.ts';

const { PIDP10_LIVE, PIDP10_LIVE_SLOW, PIDP10_HOST = 'pidp10.local', PIDP10_PORT = '10018' } = process.env;
const { PIDP10_USER = 'rms', PIDP10_LISTF_DIR = 'sys' } = process.env;
/** Longer than the fakes need: a Raspberry Pi under load. */
const PATIENCE_MS = 120_000;
/** Six minutes without a byte, as measured on the real line. */
const IDLE_MS = 360_000;

test.skipIf(PIDP10_LIVE !== '1')(
  'A16 · the typical session on a real ITS, read-only',
  { timeout: PATIENCE_MS + IDLE_MS },
  async () => {
    await using sandbox = await Sandbox.create();
    await sandbox.daemon({ args: ['--host', PIDP10_HOST, '--port', PIDP10_PORT] });
    await using client = await sandbox.connect({ reader: 'live' });
    const send = async (input: string) => {
      const outcome = await client.request('line.send', { input, timeoutMs: 30_000, echo: 'strip' });
      if ('dryRun' in outcome) throw new Error('not what was asked for');
      return outcome;
    };

    const opened = await client.request('line.open', { login: PIDP10_USER, timeoutMs: 15_000 });
    expect(opened.login?.state, 'somebody is logged in, or a program runs: not our session').toBe(
      'logged_in',
    );
    try {
      const listing = await send(`:listf ${PIDP10_LISTF_DIR}`);
      expect([listing.reason, listing.activity.kind]).toEqual(['prompt', 'ddt']);
      expect(listing.output.text).not.toContain('--More--');
      expect(listing.output.lines).toBeGreaterThan(5);

      expect((await send(':time')).output.text).toMatch(/The time is/);
      expect((await send(':nosuchthing')).output.text).toMatch(/FILE NOT FOUND/);
      expect((await send('foo~ej~-')).output.text).toContain('!');

      const peek = await send(':peek');
      expect(['program', 'screen_program']).toContain(peek.activity.kind);
      const { rows } = await client.request('line.screen', {});
      expect(rows[0]).toMatch(/Peek/);
      expect((await send('q~-')).activity.kind).toBe('ddt');

      const idleMs = PIDP10_LIVE_SLOW === '1' ? IDLE_MS : 0;
      const idle = await client.request('line.read', { timeoutMs: idleMs, quietMs: idleMs });
      expect(idle.lineState.state).toBe('open');
    } finally {
      const end = await send(':logout');
      expect(end.activity.kind).toBe('free');
      await client.request('line.close', {});
    }
  },
);
