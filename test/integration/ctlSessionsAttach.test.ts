/** `pidp10ctl attach -s` in a real terminal (tmux), at programs that paint it. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { attachIn, HAS_TMUX, pidOf, startAttached, stty } from '../support/attached.ts';
import { eventually } from '../support/processes.ts';
import { isSaid, type Tmux } from '../support/tmux.ts';
import { needsTool } from '../support/tools.ts';
import { SessionRig } from './sessionRig.ts';

const BASH = ['bash', '--norc', '--noprofile'] as const;
const ENV = { HISTFILE: '' };
const PROMPT = /^bash-[\d.]+[$#]$/;
const LINES = Array.from({ length: 100 }, (_, index) => `line ${index + 1}`);

/** A shell on a terminal, attached to. */
async function atShell(rig: SessionRig, args = ''): Promise<{ session: string; tmux: Tmux }> {
  const session = await rig.run(BASH, { pty: true, env: ENV });
  const tmux = await startAttached(rig, `-s ${session} ${args}`);
  await tmux.untilShown('the prompt', (rows) => PROMPT.test(rows[0] ?? ''));
  return { session, tmux };
}

/** Waits until the terminal shows the screen that the daemon has, with the cursor in the same place. */
async function untilSame(tmux: Tmux, rig: SessionRig, session: string): Promise<void> {
  let seen: unknown;
  try {
    await eventually('the same screen on both sides', async () => {
      const { rows: given, cursor } = await rig.client.request('session.screen', { session });
      const rows = given.map((row) => row.trimEnd());
      const [shown, at] = [await tmux.rows(), await tmux.cursor()];
      seen = { shown, at, rows, cursor };
      return JSON.stringify([shown, at]) === JSON.stringify([rows, cursor]);
    });
  } catch (cause) {
    throw new Error(`not the same: ${JSON.stringify(seen, null, 1)}`, { cause });
  }
}

describe.runIf(HAS_TMUX)('attach -s', needsTool('bash'), () => {
  test('a shell: type and see, at the size of the terminal, also when that changes', async () => {
    await using rig = await SessionRig.start();
    const { session, tmux: shown } = await atShell(rig);
    await using tmux = shown;
    await tmux.command('echo hello é; stty size');
    await tmux.untilShown('the answer', (rows) => rows[1] === 'hello é' && rows[2] === '30 100');
    await untilSame(tmux, rig, session);
    await tmux.resize(24, 70);
    await tmux.command('stty size');
    await tmux.untilShown('the new size', (rows) => rows.includes('24 70'));
    await untilSame(tmux, rig, session);
    await tmux.command(`printf '\\033[31mred\\033[m \\033]0;owned\\007\\n'; seq 50`);
    await tmux.untilShown('the end', (rows) => rows.at(-2) === '50');
    await untilSame(tmux, rig, session);
    expect(await tmux.title()).not.toBe('owned');
  });

  test('detached and attached again: the same screen, and the program has noticed nothing', async () => {
    await using rig = await SessionRig.start();
    const { session, tmux: shown } = await atShell(rig);
    await using tmux = shown;
    await tmux.command('echo before; read word; echo "got $word"');
    await tmux.untilShown('the answer', (rows) => rows[1] === 'before');
    await tmux.type('\x05c.');
    await tmux.untilShown('the shell outside', (rows) => isSaid(rows, 'ended with 0'));
    expect(stty(rig, 'after')).toBe(stty(rig, 'before'));
    await tmux.command('clear');
    await attachIn(tmux, `-s ${session}`);
    await untilSame(tmux, rig, session);
    await tmux.command('typed later');
    await tmux.untilShown('the rest', (rows) => rows.includes('got typed later'));
    await untilSame(tmux, rig, session);
  });

  test('its exit ends it, with its status', async () => {
    await using rig = await SessionRig.start();
    const { tmux: shown } = await atShell(rig);
    await using tmux = shown;
    await tmux.command('exit 7');
    await tmux.untilShown('the shell outside', (rows) => isSaid(rows, 'ended with 7'));
    expect(stty(rig, 'after')).toBe(stty(rig, 'before'));
    expect(await tmux.isAlternate()).toBe(false);
  });
});

describe.runIf(HAS_TMUX)('attach -s at programs that paint the whole screen', () => {
  async function start(rig: SessionRig, argv: readonly [string, ...string[]]): Promise<string> {
    writeFileSync(join(rig.sandbox.folder, 'file'), `${LINES.join('\n')}\n`);
    return await rig.run(argv, { pty: true, cwd: rig.sandbox.folder, rows: 30, columns: 100 });
  }

  test(
    'less: attached in the middle, it pages, searches, and leaves its screen',
    needsTool('less', 'bash'),
    async () => {
      await using rig = await SessionRig.start();
      const session = await start(rig, [...BASH, '-c', 'echo before; less file; echo behind; read word']);
      await rig.until(session, 'line 29');
      await using tmux = await startAttached(rig, `-s ${session}`);
      await tmux.untilShown('the first page', (rows) => rows[28] === 'line 29');
      await untilSame(tmux, rig, session);
      await tmux.type(' ');
      await tmux.untilShown('the next page', (rows) => rows[0] === 'line 30');
      await tmux.command('/line 70');
      await tmux.untilShown('what was sought', (rows) => rows[0] === 'line 70');
      await untilSame(tmux, rig, session);
      await tmux.type('q');
      await tmux.untilShown('the screen behind it', (rows) => rows[0] === 'before' && rows[1] === 'behind');
      await untilSame(tmux, rig, session);
      expect(await tmux.isAlternate()).toBe(true); // our own
    },
  );

  test('vi: text typed into it, arrow keys, another size, written at last', needsTool('vi'), async () => {
    await using rig = await SessionRig.start();
    const session = await start(rig, ['vi', '-u', 'NONE', 'file']);
    await using tmux = await startAttached(rig, `-s ${session}`);
    await tmux.untilShown('the text', (rows) => rows[0] === 'line 1');
    await untilSame(tmux, rig, session);
    await tmux.type('\x1b[B\x1b[B');
    await tmux.type('Onew é');
    await tmux.untilShown('what was typed', (rows) => rows[2] === 'new é' && rows[3] === 'line 3');
    await untilSame(tmux, rig, session);
    await tmux.resize(20, 60);
    // Which lines vi shows in it is vi's own affair.
    await tmux.untilShown('another size', (rows) => rows.length === 20 && rows.includes('new é'));
    await untilSame(tmux, rig, session);
    await tmux.type('\x1b');
    await tmux.command(':wq');
    await tmux.untilShown('the shell outside', (rows) => isSaid(rows, 'ended with 0'));
    expect(readFileSync(join(rig.sandbox.folder, 'file'), 'utf8')).toContain('line 2\nnew é\nline 3\n');
  });

  test('help covers it only for a while', needsTool('less'), async () => {
    await using rig = await SessionRig.start();
    const session = await start(rig, ['less', 'file']);
    await using tmux = await startAttached(rig, `-s ${session}`);
    await tmux.untilShown('the first page', (rows) => rows[28] === 'line 29');
    await tmux.type('\x05c?');
    await tmux.untilShown('help', (rows) => rows.some((row) => row.includes('^Ec.   detach')));
    await tmux.type('x');
    await untilSame(tmux, rig, session);
    expect((await tmux.rows())[0]).toBe('line 1');
  });
});

describe.runIf(HAS_TMUX)('I15: the terminal behind attach -s is the one before it', needsTool('bash'), () => {
  test.each<[how: string, code: number, end: (tmux: Tmux, rig: SessionRig) => Promise<unknown>]>([
    ['^Ec.', 0, (tmux) => tmux.type('\x05c.')],
    ['SIGTERM', 143, async (_tmux, rig) => process.kill(await pidOf(rig), 'SIGTERM')],
    ['SIGHUP', 129, async (_tmux, rig) => process.kill(await pidOf(rig), 'SIGHUP')],
    [
      'kill -9 of the program',
      137,
      (_tmux, { client }) => client.request('session.stop', { session: 's1', graceMs: 0 }),
    ],
    ['kill -9 of the daemon', 5, async (_tmux, rig) => rig.daemon.kill('SIGKILL')],
  ])('after %s, exit code %i', async (_how, code, end) => {
    await using rig = await SessionRig.start();
    const { tmux: shown } = await atShell(rig);
    await using tmux = shown;
    // Modes that the program does not take back.
    await tmux.command(`printf '\\033[?1000h\\033[?25l\\033[?1h\\033[5;10r\\033[31m'`);
    const isSet = async () => JSON.stringify(await tmux.modes()) === '{"mouse":"1","cursor":"0"}';
    await eventually('modes of the program', isSet);
    await end(tmux, rig);
    await tmux.untilShown('the shell', (rows) => isSaid(rows, `ended with ${code}`));
    expect(stty(rig, 'after')).toBe(stty(rig, 'before'));
    expect(await tmux.isAlternate()).toBe(false);
    expect(await tmux.modes()).toEqual({ mouse: '0', cursor: '1' });
    await tmux.command('clear; seq 1 60 | tail -40; echo done');
    await tmux.untilShown('what the shell does', (rows) => rows.at(-2) === 'done' && rows.at(-3) === '60');
  });
});

test.runIf(HAS_TMUX)(
  'W14: a spy at a program sees it at its own size, and types nothing',
  needsTool('bash'),
  async () => {
    await using rig = await SessionRig.start();
    const session = await rig.run(BASH, { pty: true, env: ENV, rows: 10, columns: 40 });
    await using tmux = await startAttached(rig, `--spy -s ${session}`);
    await tmux.untilShown('the prompt', (rows) => PROMPT.test(rows[0] ?? ''));
    await tmux.type('exit\r');
    await tmux.untilShown('why not', (rows) => rows.at(-1)?.startsWith('you are watching only') === true);
    await rig.client.request('session.send', { session, input: 'seq 30; stty size' });
    await tmux.untilShown('what another typed', (rows) => rows[8] === '10 40' && rows[7] === '30');
    expect(await rig.client.request('session.status', { session })).toMatchObject({ state: 'running' });
  },
);
