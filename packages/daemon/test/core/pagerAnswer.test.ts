import { describe, expect, test } from 'vitest';
import { Wait } from '../../src/core/expect.ts';
import type { EndingAt } from '../../src/core/its/ending.ts';
import { answerPager } from '../../src/core/pagerAnswer.ts';
import { EXPECTATION } from './lineRun.ts';

const ddtPager: EndingAt = { ending: { kind: 'pager', pager: 'ddt' }, start: 50 };
const programPager: EndingAt = { ending: { kind: 'pager', pager: 'other' }, start: 50 };

interface WaitFacts {
  readonly id?: string;
  readonly kind?: 'read' | 'send';
  readonly reader?: string;
  readonly start?: number;
  readonly autoMore?: boolean;
  readonly maxPages?: number;
  readonly isArmed?: boolean;
}

function waitOf(facts: WaitFacts = {}): Wait {
  const { id = 'w', kind = 'send', reader = 'me', start = 10, autoMore = true, maxPages = 20 } = facts;
  const wait = Wait.begin(
    {
      id,
      kind,
      reader,
      start,
      isPeeking: false,
      expectation: { ...EXPECTATION, autoMore, maxPages },
      ...(kind === 'send' && { input: Uint8Array.of(65) }),
    },
    0,
  );
  if (facts.isArmed !== false) wait.arm(1, 0);
  return wait;
}

/** Ids of those that go on, and of those that end with the reason. */
function told(ending: EndingAt, waits: readonly Wait[], typist: string | undefined): unknown {
  const { turning, ended } = answerPager(ending, waits, typist);
  return { turning: turning.map(({ id }) => id), ended: ended.map(([{ id }, why]) => `${id} ${why}`) };
}

describe('for whom a pager is answered', () => {
  test("for the waits of whoever may type; everybody else's go on with them", () => {
    const waits = [waitOf({ id: 'mine' }), waitOf({ id: 'theirs', kind: 'read', reader: 'you' })];
    expect(told(ddtPager, waits, 'me')).toEqual({ turning: ['mine'], ended: [] });
  });

  test('a bystander hears that it stands there', () => {
    const waits = [waitOf({ id: 'theirs', kind: 'read', reader: 'you' })];
    expect(told(ddtPager, waits, 'me')).toEqual({ turning: [], ended: ['theirs pager'] });
    expect(told(ddtPager, waits, undefined)).toEqual({ turning: [], ended: ['theirs pager'] });
  });

  test('a wait that does not want it answered, or has had its pages', () => {
    expect(told(ddtPager, [waitOf({ autoMore: false })], 'me')).toEqual({ turning: [], ended: ['w pager'] });
    expect(told(ddtPager, [waitOf({ maxPages: 0 })], 'me')).toEqual({ turning: [], ended: ['w more_limit'] });
    const wait = waitOf({ maxPages: 1 });
    expect(told(ddtPager, [wait], 'me')).toEqual({ turning: ['w'], ended: [] });
    wait.turnPage();
    expect(told(ddtPager, [wait], 'me')).toEqual({ turning: [], ended: ['w more_limit'] });
  });

  test('nobody ends while a page is turned for somebody', () => {
    const waits = [
      waitOf({ id: 'a' }),
      waitOf({ id: 'b', autoMore: false }),
      waitOf({ id: 'c', maxPages: 0 }),
    ];
    expect(told(ddtPager, waits, 'me')).toEqual({ turning: ['a'], ended: [] });
  });

  test('a pager that a program made is nobody’s', () => {
    expect(told(programPager, [waitOf()], 'me')).toEqual({ turning: [], ended: ['w pager'] });
  });

  test('what was typed at an older pager is its answer; a read that meets it goes on', () => {
    expect(told(ddtPager, [waitOf({ start: 60 })], 'me')).toEqual({ turning: [], ended: [] });
    expect(told(ddtPager, [waitOf({ kind: 'read', start: 60 })], 'me')).toEqual({
      turning: ['w'],
      ended: [],
    });
    expect(told(ddtPager, [waitOf({ kind: 'read', start: 60 })], 'you')).toEqual({ turning: [], ended: [] });
  });

  test('a wait whose input is not out yet has nothing to do with it', () => {
    expect(told(ddtPager, [waitOf({ isArmed: false })], 'me')).toEqual({ turning: [], ended: [] });
  });
});
