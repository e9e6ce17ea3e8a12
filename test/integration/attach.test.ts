/** `pidp10ctl attach` in a real terminal (tmux), against a real daemon and a fake ITS line. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { startFakeline } from '@pidp10/fakeline';
import { describe, expect, test } from 'vitest';
import { HAS_TMUX, pidOf, startAttached, stty, untilSame } from '../support/attached.ts';
import { startLoggedIn, typedSince } from '../support/itsRig.ts';
import type { LineRig } from '../support/lineRig.ts';
import { eventually } from '../support/processes.ts';
import { BIN } from '../support/sandbox.ts';
import { isSaid, Tmux } from '../support/tmux.ts';

const LINES = Array.from({ length: 30 }, (_, index) => `line ${index + 1} of the file`);
const FILES = [{ directory: 'RMS', name1: 'SOME', name2: 'TEXT', text: LINES.join('\n') }];
async function editing(rig: LineRig): Promise<void> {
  await rig.send(':emacs');
  await rig.send('~x18~x06rms;some text');
  await rig.client.request('floor.release', {});
}

describe.runIf(HAS_TMUX)('attach', () => {
  test('C7: shows EMACS as it is, follows it, and types into it', async () => {
    await using line = await startFakeline({ files: FILES });
    await using rig = await startLoggedIn(line);
    await editing(rig);
    await using tmux = await startAttached(rig);
    await untilSame(tmux, rig);
    await tmux.type('\x0e\x0eNEW ');
    await tmux.untilShown('what was typed', (rows) => rows[2] === 'NEW line 3 of the file');
    await untilSame(tmux, rig);
    expect((await tmux.rows()).at(-1)).toBe('you have the floor; ^Ec? is help');
    await tmux.type('\x05cr');
    await tmux.untilShown('the floor given back', (rows) => rows.at(-1)?.startsWith('nobody has') === true);
    expect(await rig.client.request('floor.status', {})).toMatchObject({ state: 'free' });
  });

  test.each([
    ['of the grid and no row more', { rows: 24, columns: 80 }],
    ['much larger', { rows: 45, columns: 132 }],
  ])('C7: a terminal %s shows the same, before and behind a change of size', async (_what, size) => {
    await using line = await startFakeline({ files: FILES });
    await using rig = await startLoggedIn(line);
    await editing(rig);
    await using tmux = await startAttached(rig, '', size);
    await untilSame(tmux, rig);
    await tmux.type('\x16\x16x'); // two screens on, and a character
    await tmux.untilShown('the character', (rows) => rows.some((row) => row.startsWith('x')));
    await untilSame(tmux, rig);
    await tmux.resize(33, 90);
    await tmux.untilShown(
      'another size',
      (rows) => rows.length === 33 && rows[32]?.includes('the floor') === true,
    );
    await untilSame(tmux, rig);
    expect(await tmux.isAlternate()).toBe(true);
  });

  test('C7: a terminal too small shows the part with the cursor', async () => {
    await using line = await startFakeline({ files: FILES });
    await using rig = await startLoggedIn(line);
    await editing(rig);
    await using tmux = await startAttached(rig, '', { rows: 8, columns: 40 });
    await tmux.untilShown('the upper part', (rows) => rows[0] === LINES[0] && rows[6] === LINES[6]);
    await tmux.type('\x0e'.repeat(9));
    await tmux.untilShown('the part further down', (rows) => rows[6] === LINES[9]);
    expect(await tmux.cursor()).toEqual({ row: 6, column: 0 });
  });

  test('a paste arrives as it is, once', async () => {
    await using line = await startFakeline({ files: FILES });
    await using rig = await startLoggedIn(line);
    await editing(rig);
    await using tmux = await startAttached(rig);
    await untilSame(tmux, rig);
    const before = line.receivedBytes().length;
    await tmux.paste('one ~z\ntwo\n');
    await tmux.untilShown('the paste', (rows) => rows[0] === 'one ~z' && rows[1] === 'two');
    expect(typedSince(line, before)).toBe('one ~z\rtwo\r');
  });
});

describe.runIf(HAS_TMUX)('I15: the terminal behind attach is the one before it', () => {
  test.each<[how: string, code: number, end: (tmux: Tmux, rig: LineRig) => Promise<unknown>]>([
    ['^Ec.', 0, (tmux) => tmux.type('\x05c.')],
    ['SIGTERM', 143, async (_tmux, rig) => process.kill(await pidOf(rig), 'SIGTERM')],
    ['SIGHUP', 129, async (_tmux, rig) => process.kill(await pidOf(rig), 'SIGHUP')],
    ['SIGINT', 130, async (_tmux, rig) => process.kill(await pidOf(rig), 'SIGINT')],
    ['kill -9 of the daemon', 5, async (_tmux, rig) => rig.daemon.kill('SIGKILL')],
  ])('after %s, exit code %i', async (_how, code, end) => {
    await using line = await startFakeline({ files: FILES });
    await using rig = await startLoggedIn(line);
    await using tmux = await startAttached(rig);
    await untilSame(tmux, rig);
    expect(stty(rig, 'before')).toMatch(/ icanon /);
    await end(tmux, rig);
    await tmux.untilShown('the shell', (rows) => rows.some((row) => row === `ended with ${code}`));
    expect(stty(rig, 'after')).toBe(stty(rig, 'before'));
    expect(await tmux.isAlternate()).toBe(false);
    // The shell's own cursor, wrap and scrolling: a long line and many lines come out as they should.
    await tmux.command('clear; seq 1 60 | tail -40; echo done');
    await tmux.untilShown('what the shell does', (rows) => rows.at(-2) === 'done' && rows.at(-3) === '60');
  });

  test('after an exception that nobody caught', async () => {
    await using line = await startFakeline();
    await using rig = await startLoggedIn(line);
    const fault = "process.on('SIGUSR2',()=>{throw%20new%20Error('fault')})";
    await using tmux = await Tmux.start(rig.sandbox);
    const node = `${process.execPath} --import "data:text/javascript,${fault}"`;
    await tmux.command('cd "$HOME"; clear');
    await tmux.command(`stty -a > before; ${node} ${BIN.ctl} attach 2> error; stty -a > after; echo back`);
    await eventually('the alternate screen', () => tmux.isAlternate());
    process.kill(await pidOf(rig), 'SIGUSR2');
    await tmux.untilShown('the shell', (rows) => isSaid(rows, 'back'));
    expect(stty(rig, 'after')).toBe(stty(rig, 'before'));
    expect(await tmux.isAlternate()).toBe(false);
    expect(readFileSync(join(rig.sandbox.folder, 'error'), 'utf8')).toContain('Error: fault');
  });

  test('while it is stopped; and it is painted again when it goes on', async () => {
    await using line = await startFakeline({ files: FILES });
    await using rig = await startLoggedIn(line);
    await editing(rig);
    await using tmux = await startAttached(rig);
    await untilSame(tmux, rig);
    await tmux.type('\x05cz');
    await eventually('the shell', async () => !(await tmux.isAlternate()));
    await tmux.command('stty -a > after; echo stopped');
    await tmux.untilShown('the shell', (rows) => isSaid(rows, 'stopped'));
    expect(stty(rig, 'after')).toContain(' icanon ');
    await rig.send('~x0EX~-');
    await tmux.command('fg');
    await untilSame(tmux, rig);
    expect((await tmux.rows())[1]).toBe('Xline 2 of the file');
  });
});

describe.runIf(HAS_TMUX)('attach among others', () => {
  test('W14: a spy is told everything and types nothing, whatever is typed, pasted or asked', async () => {
    await using line = await startFakeline({ files: FILES });
    await using rig = await startLoggedIn(line);
    await editing(rig);
    await using tmux = await startAttached(rig, '--spy');
    await untilSame(tmux, rig);
    const before = line.receivedBytes().length;
    await tmux.type('hello\x1a\x05cf');
    await tmux.paste('pasted\n');
    await tmux.untilShown('why not', (rows) => rows.at(-1)?.startsWith('you are watching only') === true);
    await rig.send('Y~-');
    await tmux.untilShown('what another typed', (rows) => rows[0] === 'Yline 1 of the file');
    expect(typedSince(line, before)).toBe('Y');
  });

  test('I8: a key while another client has the floor is not sent; by force it goes', async () => {
    await using line = await startFakeline({ files: FILES });
    await using rig = await startLoggedIn(line);
    await editing(rig);
    await rig.client.request('floor.request', {});
    await using tmux = await startAttached(rig);
    await untilSame(tmux, rig);
    const before = line.receivedBytes().length;
    await tmux.type('lost');
    await tmux.untilShown('the question', (rows) => rows.at(-1)?.startsWith('test has the floor') === true);
    await tmux.type('\x05cf');
    await tmux.untilShown('the floor', (rows) => rows.at(-1)?.startsWith('you have the floor') === true);
    await tmux.type('Z');
    await tmux.untilShown('the key', (rows) => rows[0] === 'Zline 1 of the file');
    expect(typedSince(line, before)).toBe('Z');
    expect(await rig.failure('line.send', { input: 'x', floor: 'fail' })).toMatchObject({
      name: 'floor_held',
    });
  });

  test('the daemon is replaced: the same terminal goes on with the new one', async () => {
    await using line = await startFakeline({ files: FILES });
    await using rig = await startLoggedIn(line);
    await using tmux = await startAttached(rig);
    await untilSame(tmux, rig);
    rig.daemon.kill('SIGKILL');
    await rig.daemon.exited;
    await rig.sandbox.daemon({ args: ['--host', '127.0.0.1', '--port', String(line.port)] });
    await tmux.untilShown('the new daemon', (rows) => rows.at(-1)?.includes('the line is dead') === true);
    expect(await tmux.isAlternate()).toBe(true);
  });

  test.each([
    ['SIGTERM', 143],
    ['SIGHUP', 129],
  ] as const)(
    'screen --follow, too, gives the terminal back at %s, and ends with %d',
    async (signal, code) => {
      await using line = await startFakeline();
      await using rig = await startLoggedIn(line);
      await using tmux = await Tmux.start(rig.sandbox);
      await tmux.command('clear; echo stood there before');
      await tmux.command(`${process.execPath} ${BIN.ctl} screen --follow; echo "ended with $?"`);
      await eventually('the alternate screen', () => tmux.isAlternate());
      process.kill(await pidOf(rig, 'screen'), signal);
      await tmux.untilShown('the shell', (rows) =>
        // A prompt may stand before it: the one that was there when the command was typed.
        isSaid(rows, `ended with ${code}`),
      );
      expect(await tmux.isAlternate()).toBe(false);
      expect(await tmux.rows()).toContain('stood there before');
    },
  );
});
