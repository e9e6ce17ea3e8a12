/** What a pager means for those who wait: for whom it is answered, and for whom it is an end (CONTRACT 2). */
import type { Reason } from './events.ts';
import type { Wait } from './expect.ts';
import type { EndingAt } from './its/ending.ts';

export interface PagerAnswer {
  /** Waits that go on when a page is asked for; without any, nothing is typed. */
  readonly turning: readonly Wait[];
  readonly ended: readonly (readonly [wait: Wait, why: Reason])[];
}

/** `typist`: the reader that may type. Answered is only what is no program's own, and for a wait that asks for it. */
export function answerPager(
  { ending, start }: EndingAt,
  waits: readonly Wait[],
  typist: string | undefined,
): PagerAnswer {
  const isAnswerable = ending.kind === 'pager' && ending.pager !== 'other';
  const mayType = waits.filter(
    (wait) =>
      isAnswerable &&
      wait.mayMeetPager &&
      wait.reader === typist &&
      wait.expectation.autoMore &&
      (wait.kind === 'read' || start >= wait.start), // what was typed at an older prompt is its answer
  );
  const turning = mayType.filter((wait) => wait.pages < wait.expectation.maxPages);
  if (turning.length > 0) return { turning, ended: [] };
  const bystanders = waits.filter(
    (wait) => wait.mayMeetPager && start >= wait.start && !mayType.includes(wait),
  );
  return {
    turning,
    ended: [
      ...mayType.map((wait) => [wait, 'more_limit'] as const),
      ...bystanders.map((wait) => [wait, 'pager'] as const),
    ],
  };
}
