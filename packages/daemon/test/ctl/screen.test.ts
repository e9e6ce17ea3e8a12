import type { MethodResult } from '@pidp10/protocol/methods';
import { describe, expect, test } from 'vitest';
import { renderScreen } from '../../src/ctl/screen.ts';
import { Ctl, FACTS } from './runCtl.ts';

const SCREEN: MethodResult<'line.screen'> = {
  rows: ['abc', '', 'EMACS (Fundamental)'],
  changed: [0, 1, 2],
  cursor: { row: 0, column: 3 },
  offset: 42,
  unknown: 0,
  ...FACTS,
  activity: { kind: 'screen_program', name: 'emacs' },
};

describe('renderScreen', () => {
  test('T7: all rows on standard output, blank ones too; the cursor is a note', () => {
    expect(renderScreen(SCREEN, false)).toEqual({
      wire: SCREEN,
      output: 'abc\n\nEMACS (Fundamental)\n',
      notes: ['cursor in row 0, column 3 (from 0), offset 42', 'emacs has the line and paints the screen'],
      exitCode: 0,
    });
  });

  test.each([
    ['all of them', SCREEN.rows],
    ['only these', ['abc', 'EMACS (Fundamental)']],
  ])('changed rows have their numbers, whether the daemon gives %s', (_what, rows) => {
    const { output, notes } = renderScreen({ ...SCREEN, rows, changed: [0, 2] }, true);
    expect(output).toBe(' 0  abc\n 2  EMACS (Fundamental)\n');
    expect(notes[1]).toBe('rows 0, 2 changed');
  });

  test('nothing changed', () => {
    const { output, notes } = renderScreen({ ...SCREEN, changed: [] }, true);
    expect([output, notes[1]]).toEqual(['', 'no row changed']);
  });

  test('I06: what was not understood is counted, with what may be wrong', () => {
    expect(renderScreen({ ...SCREEN, unknown: 7 }, false).notes[1]).toMatch(/^7 escape sequences.*vt52/);
  });
});

describe('the command', () => {
  test('asks for what was wanted, and is no reader', async () => {
    await using ctl = await Ctl.start(({ method }) =>
      method === 'line.screen' ? { result: SCREEN } : undefined,
    );
    expect(await ctl.run(['screen', '--changed-since', '7', '--at', '9'])).toBe(0);
    expect(ctl.paramsOf('line.screen')).toEqual([{ changedSince: 7, at: 9 }]);
    expect(ctl.paramsOf('hello')[0]).not.toHaveProperty('reader');
    expect(await ctl.run(['screen', '--json'])).toBe(0);
    expect(JSON.parse(ctl.stdout)).toEqual(SCREEN);
  });

  test.each([['--at', '3'], ['--changed-since', '3'], ['--json']])(
    '--follow does not go with %s',
    async (...more) => {
      await using ctl = await Ctl.start(() => undefined);
      expect(await ctl.run(['screen', '--follow', ...more])).toBe(2);
      expect(ctl.stdout + ctl.stderr).toContain(`--follow does not go with ${more[0]}`);
    },
  );

  test('an offset that is none is refused by name', async () => {
    await using ctl = await Ctl.start(() => undefined);
    expect(await ctl.run(['screen', '--at=-1'])).toBe(2);
    expect(ctl.stderr).toContain('--at: ');
  });
});
