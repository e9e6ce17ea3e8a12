import { expandEscapes } from '@pidp10/protocol/escapes';
import { expect, it } from 'vitest';
import {
  type Activity,
  toActivitySentence,
  toActivityWord,
  toGoingDown,
  toItsLines,
} from '../src/activityText.ts';

const ALL: readonly Activity[] = [
  { kind: 'free' },
  { kind: 'ddt' },
  { kind: 'program', name: 'foo' },
  { kind: 'program' },
  { kind: 'screen_program', name: 'emacs' },
  { kind: 'screen_program', name: 'peek' },
  { kind: 'screen_program' },
  { kind: 'pager', pager: 'ddt' },
  { kind: 'pager', pager: 'system' },
  { kind: 'pager', pager: 'other' },
  { kind: 'question', text: '--Kill--', yes: 'Space', no: 'Rubout' },
  { kind: 'question', text: '--Which--' },
  { kind: 'unknown', why: 'the greeting does not tell' },
];

it('T10 · has a word or two for all that ITS can do, and none for what is not known', () => {
  expect(ALL.map(toActivityWord)).toEqual([
    'free: needs ~z',
    'ddt',
    'program foo',
    'program',
    'screen program emacs',
    'screen program peek',
    'screen program',
    'pager --More--',
    'pager **MORE**',
    'pager of the program',
    'question: --Kill-- (Space=yes, Rubout=no)',
    'question: --Which--',
    undefined,
  ]);
});

it('T4 · says what each means and which input goes on', () => {
  expect(ALL.map(toActivitySentence)).toEqual([
    'free: nobody is logged in here and the line is deaf until "~z"; open(login="NAME") does it all',
    'ddt: DDT waits for a command',
    'program foo has the line and gets all input; "~z" stops it and gives DDT, "~g~-" may quit what it does',
    'program has the line and gets all input; "~z" stops it and gives DDT, "~g~-" may quit what it does',
    'screen program emacs has the line: the screen tool shows it; "~x18~c~-" leaves it',
    'screen program peek has the line: the screen tool shows it; "q~-" leaves it',
    'screen program has the line: the screen tool shows it; "~z" stops it and gives DDT, "~g~-" may quit what it does',
    'pager: ITS stands at --More--; input " ~-" goes on, "~d~-" or read(flush=true) drops the rest',
    'pager: ITS stands at **MORE**; input " ~-" goes on, any other key is taken as the next command',
    'pager: ITS stands at a --More-- of the program\'s own, which is never answered for you; input " ~-" goes on',
    'question: --Kill-- (Space=yes, Rubout=no); input " ~-" says yes, "~d~-" says no',
    'question: --Which--',
    'not known: the greeting does not tell',
  ]);
});

it('quotes only input that is valid', () => {
  const inputs = ALL.flatMap((each) => [...toActivitySentence(each).matchAll(/"([^"]*~[^"]*)"/g)]);
  expect(inputs.length).toBeGreaterThan(8);
  for (const [, input = ''] of inputs)
    expect(expandEscapes(input, { bits: 7, raw: false })).toMatchObject({ kind: 'bytes' });
});

it('I17 · repeats names, questions and notices of the far end in one short line, and looks no name up in vain', () => {
  const long = `a\n\x1b${'b'.repeat(500)}`;
  const said = [
    toActivityWord({ kind: 'program', name: long }),
    toActivitySentence({ kind: 'question', text: long, yes: long, no: 'constructor' }),
    toActivitySentence({ kind: 'unknown', why: long }),
    toGoingDown({ goingDown: long }),
    toActivitySentence({ kind: 'program', name: 'constructor' }),
  ];
  for (const each of said) {
    expect(each).not.toMatch(/\p{Cc}|function/u);
    expect(each?.length).toBeLessThan(300);
  }
});

it('says of echo what it means, and nothing of a system that stays up', () => {
  expect(toItsLines({ activity: { kind: 'ddt' }, echo: 'unknown' })).toEqual([
    'ITS: ddt: DDT waits for a command',
  ]);
  expect(toItsLines({ activity: { kind: 'ddt' }, echo: 'off' })[0]).toContain('echo off: what is typed now');
});
