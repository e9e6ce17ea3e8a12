/** The judge of the soak finds what it is there to find. */
import { expect, test } from 'vitest';
import { judge } from './judge.ts';
import { Ledger } from './ledger.ts';
import type { Entry, RecordedByte } from './record.ts';

/** `a:text` for each entry; `!` behind the name: urgent, `?`: the answer to a pager. */
function recordOf(...entries: readonly string[]): RecordedByte[] {
  return entries.flatMap((entry, seq) => {
    const [who = '', text = ''] = entry.split(':');
    const base = { author: who.charAt(0), seq, isUrgent: who.endsWith('!'), isAnswer: who.endsWith('?') };
    return [...Buffer.from(text)].map((byte) => ({ ...base, byte }));
  });
}

type Account = readonly [author: string, text: string, least: number, most: number];

function faultsOf(received: string, record: RecordedByte[], accounts: readonly Account[]): readonly string[] {
  const ledger = new Ledger();
  for (const [author, text, least, most] of accounts)
    Object.assign(ledger.begin(author, Buffer.from(text), { isKeys: author === 'p' }), { least, most });
  const entries: readonly Entry[] = [];
  return judge({ received: Buffer.from(received), record, entries, sendings: ledger.sendings }).faults;
}

test('an hour in which all is well has no fault', () => {
  const record = recordOf('a:one', 'b:two', 'a?: ', 'a:th', 'b!:^', 'p:keys', 'a:four');
  const accounts: readonly Account[] = [
    ['a', 'one', 3, 3],
    ['b', 'two', 3, 3],
    ['a', 'three', 2, 2],
    ['b', '^', 1, 1],
    ['a', 'killed', 0, 6],
    ['p', 'keys', 0, 4],
    ['a', 'four', 4, 4],
  ];
  expect(faultsOf('onetwo th^keysfour', record, accounts)).toEqual([]);
});

test.each<
  [what: string, received: string, record: RecordedByte[], accounts: readonly Account[], fault: RegExp]
>([
  [
    'another byte on the line',
    'onx',
    recordOf('a:one'),
    [['a', 'one', 3, 3]],
    /first that differs is 2, of a/,
  ],
  [
    'a byte that is not on record',
    'one!',
    recordOf('a:one'),
    [['a', 'one', 3, 3]],
    /got 4 bytes, on record are 3/,
  ],
  [
    'a wrong author',
    'one',
    recordOf('b:one'),
    [['a', 'one', 3, 3]],
    /^b: on record, and sent by nobody: "one"/,
  ],
  ['less than was told', 'on', recordOf('a:on'), [['a', 'one', 3, 3]], /^a: of "one" 3 to 3 bytes are told/],
  ['more than was told', 'one', recordOf('a:one'), [['a', 'one', 2, 2]], /sent by nobody: "e"/],
  ['bytes left out', 'oe', recordOf('a:oe'), [['a', 'one', 0, 3]], /sent by nobody: "e"/],
  [
    'another in between',
    'otwone',
    recordOf('a:o', 'b:two', 'a:ne'),
    [
      ['a', 'one', 3, 3],
      ['b', 'two', 3, 3],
    ],
    /bytes of another stand in "one" of a/,
  ],
  [
    'keys lost for no reason',
    'kes',
    recordOf('p:kes'),
    [['p', 'keys', 0, 4]],
    /keys are missing from "keys"/,
  ],
])('%s is a fault', (_what, received, record, accounts, fault) => {
  expect(faultsOf(received, record, accounts)).toEqual(
    expect.arrayContaining([expect.stringMatching(fault)]),
  );
});
