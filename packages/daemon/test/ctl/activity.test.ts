import type { Outcome } from '@pidp10/protocol/schemas';
import { describe, expect, test } from 'vitest';
import { describeActivity, describeEcho, describeHolder } from '../../src/ctl/activity.ts';

describe('T10: what ITS is doing, in plain words', () => {
  test.each<[Outcome['activity'], string]>([
    [{ kind: 'free' }, 'nobody is logged in and the line is deaf until ^Z (send ~z)'],
    [{ kind: 'ddt' }, 'DDT waits for a command'],
    [{ kind: 'program', name: 'midas' }, 'midas has the line'],
    [{ kind: 'program' }, 'a program has the line'],
    [{ kind: 'screen_program', name: 'emacs' }, 'emacs has the line and paints the screen'],
    [
      { kind: 'pager', pager: 'ddt' },
      'DDT stands at --More--: a space goes on, a rubout flushes (read --flush)',
    ],
    [{ kind: 'pager', pager: 'system' }, 'ITS stands at **MORE**: a space goes on'],
    [
      { kind: 'pager', pager: 'other' },
      "a program stands at a --More-- of its own: which keys go on is the program's matter",
    ],
    [{ kind: 'pager' }, 'a pager stands there'],
    [
      { kind: 'question', text: '--Kill--', yes: 'Space', no: 'Rubout' },
      'a question waits: "--Kill--", Space is yes, Rubout is no',
    ],
    [{ kind: 'question' }, 'a question waits: ""'],
    [{ kind: 'unknown', why: 'the line is not open' }, 'not known: the line is not open'],
    [{ kind: 'unknown' }, 'not known'],
  ])('%j', (activity, text) => {
    expect(describeActivity(activity)).toBe(text);
  });
});

test('who has the line is told where the ending does not tell it', () => {
  expect(describeHolder({ kind: 'screen_program', name: 'peek' })).toBe('peek has the line');
  expect(describeHolder({ kind: 'free' })).toBe('the line is free');
  for (const kind of ['ddt', 'pager', 'question', 'unknown'] as const) {
    expect(describeHolder({ kind })).toBeUndefined();
  }
});

test('I13: a line without echo is told', () => {
  expect(describeEcho('off')).toMatch(/^off: .*password/);
  expect([describeEcho('on'), describeEcho('unknown')]).toEqual(['on', undefined]);
});
