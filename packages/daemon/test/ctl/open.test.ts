import { describe, expect, test } from 'vitest';
import { Ctl, FACTS } from './runCtl.ts';

const OUTPUT = { start: 0, end: 2, text: 'x\n', truncated: false, lines: 1 };

function startLogin(login: object, activity: object): Promise<Ctl> {
  const result = { reason: 'prompt', output: OUTPUT, login, ...FACTS, activity };
  return Ctl.start(({ method }) => (method === 'line.open' ? { result } : undefined));
}

describe('open --login', () => {
  test('T10: asks for user and terminal type; tells what came of it', async () => {
    const login = { state: 'logged_in', others: '2. Lusers, Fair Share = 95%', terminal: 'VT52' };
    await using ctl = await startLogin(login, { kind: 'ddt' });
    expect(await ctl.run(['open', '--login', 'rms', '--terminal', 'vt52'])).toBe(0);
    expect(ctl.paramsOf('line.open')).toEqual([{ login: 'rms', terminal: 'vt52' }]);
    expect(ctl.stderr.split('\n').slice(2)).toEqual([
      'pidp10ctl: logged in',
      'pidp10ctl: others: "2. Lusers, Fair Share = 95%"',
      'pidp10ctl: terminal type: VT52',
      '',
    ]);
  });

  test('a terminal type that ITS does not know is refused with those it knows, before any daemon is asked', async () => {
    await using ctl = await startLogin({ state: 'logged_in' }, { kind: 'ddt' });
    expect(await ctl.run(['open', '--login', 'rms', '--terminal', 'BADTYPE'])).toBe(2);
    expect(ctl.stderr).toMatch(
      /--terminal: ITS knows no such terminal type; nothing was done. It knows AAA, .*VT52/,
    );
    expect(ctl.paramsOf('line.open')).toEqual([]);
  });

  test('L18: a line on which DDT ran already', async () => {
    await using ctl = await startLogin({ state: 'was_logged_in' }, { kind: 'ddt' });
    expect(await ctl.run(['open', '--login', 'rms'])).toBe(0);
    expect(ctl.stderr).toContain('DDT was running already, perhaps with somebody logged in');
  });

  test('L18: something unexpected stands there: what it is, and exit code 6', async () => {
    await using ctl = await startLogin({ state: 'stopped' }, { kind: 'screen_program', name: 'emacs' });
    expect(await ctl.run(['open', '--login', 'rms'])).toBe(6);
    expect(ctl.stderr).toMatch(/not logged in, .*: emacs has the line and paints the screen/);
  });
});
