import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Expectation } from '../../src/core/events.ts';
import { type SettleFacts, Wait, type WaitStart } from '../../src/core/expect.ts';
import type { EndingAt } from '../../src/core/its/ending.ts';
import { TextView } from '../../src/core/text.ts';
import { bytesOf, charactersOf, cut, cuts, lineOutput, thawed } from './bytes.ts';

const EXPECTATION: Expectation = {
  timeoutMs: 1_000,
  quietMs: 300,
  settleMs: 100,
  autoMore: true,
  maxPages: 20,
  maxChars: 1_000,
};

function waitFor(kind: WaitStart['kind'], expectation: Partial<Expectation> = {}, input?: string): Wait {
  const start = { id: 'w', kind, reader: 'me', start: 0, isPeeking: false } as const;
  return Wait.begin(
    {
      ...start,
      expectation: { ...EXPECTATION, ...expectation },
      ...(input !== undefined && { input: bytesOf(input) }),
    },
    0,
  );
}

function hear(wait: Wait, text: string, atMs: number): Wait {
  wait.hear(new TextView(7).render(bytesOf(text)), 0, atMs);
  return wait;
}

function promptAt(start: number): EndingAt {
  return { ending: { kind: 'prompt' }, start };
}

function factsOf(end: number): SettleFacts {
  return { output: { start: 0, end }, match: undefined, isPainting: false };
}

describe('the clock', () => {
  test('of a read starts at once, of a send with its last byte, of an open when the line is open', () => {
    expect(waitFor('read').deadlineMs()).toBe(1_000);
    const send = waitFor('send', {}, 'x');
    expect(send.deadlineMs()).toBe(Number.MAX_SAFE_INTEGER);
    send.arm(1, 500);
    expect(send.deadlineMs()).toBe(1_500);
    const open = waitFor('open');
    expect([open.opensBy, open.deadlineMs(), open.tryEnd(9_000)]).toEqual([1_000, 1_000, undefined]);
    open.conclude(600);
    expect([open.opensBy, open.deadlineMs(), open.tryEnd(699), open.tryEnd(700)]).toEqual([
      undefined,
      700,
      undefined,
      'prompt',
    ]);
  });

  test('returnAfterMs runs from the birth of the wait', () => {
    const send = waitFor('send', { returnAfterMs: 200 }, 'x');
    expect([send.deadlineMs(), send.tryEnd(199), send.tryEnd(200)]).toEqual([
      200,
      undefined,
      'still_waiting',
    ]);
  });

  test('what was heard while input went out is quiet only after it was out', () => {
    const send = hear(waitFor('send', {}, 'x'), 'y', 100);
    send.arm(1, 500);
    expect([send.tryEnd(799), send.tryEnd(800)]).toEqual([undefined, 'quiet']);
  });

  test('a page that was asked for is waited for', () => {
    const read = hear(waitFor('read'), 'page', 100);
    read.turnPage();
    expect([read.pages, read.tryEnd(900), read.deadlineMs()]).toEqual([1, undefined, 1_000]);
  });

  test('I4 · before its deadline nothing ends a wait', () => {
    const waits = [
      waitFor('read'),
      hear(waitFor('read'), 'x', 50),
      hear(waitFor('read', { pattern: 'x' }), 'x', 50),
    ];
    for (const wait of waits) {
      expect(wait.tryEnd(wait.deadlineMs() - 1)).toBeUndefined();
      expect(wait.tryEnd(wait.deadlineMs())).toBeDefined();
    }
  });
});

describe('verdicts', () => {
  test('a match goes on settling, at most until the timeout', () => {
    const wait = waitFor('read', { pattern: 'ab' });
    for (let atMs = 0; atMs < 1_000; atMs += 50) hear(wait, 'ab', atMs);
    expect([wait.tryEnd(999), wait.tryEnd(1_000), wait.matchEnd]).toEqual([undefined, 'matched', 2]);
  });

  test('a prompt counts behind the echo only, and only once something was heard', () => {
    const send = waitFor('send', {}, ':vk\r');
    send.arm(4, 0);
    send.pause(promptAt(0));
    expect(send.deadlineMs()).toBe(1_000);
    hear(send, ':vk\r\n*', 10);
    send.pause(promptAt(2));
    expect(send.tryEnd(110)).toBeUndefined();
    send.pause(promptAt(5));
    expect(send.tryEnd(110)).toBe('prompt');
  });

  test('while its echo is not complete a send has no prompt', () => {
    const send = waitFor('send', {}, '*:vk\r');
    send.arm(5, 0);
    hear(send, '*', 10).pause(promptAt(0));
    expect(send.tryEnd(110)).toBeUndefined();
  });

  test('an open has no prompt of its own: only the line opens it', () => {
    const open = hear(waitFor('open'), '*', 10);
    open.pause(promptAt(0));
    expect(open.settle('cancelled', factsOf(1)).reason).toBe('cancelled');
  });

  test('maxChars is a limit at one character more', () => {
    expect(hear(waitFor('read', { maxChars: 3 }), 'abc', 0).tryEnd(0)).toBeUndefined();
    expect(hear(waitFor('read', { maxChars: 3 }), 'abcd', 0).tryEnd(0)).toBe('limit');
  });

  test('I9 · the first cause wins over what comes later', () => {
    const matched = hear(waitFor('read', { pattern: 'a' }), 'abc', 0);
    const full = hear(waitFor('read', { maxChars: 2 }), 'abc', 0);
    const neither = hear(waitFor('read'), 'abc', 0);
    expect([matched, full, neither].map((wait) => wait.settle('dead', factsOf(3)).reason)).toEqual([
      'matched',
      'limit',
      'dead',
    ]);
  });
});

test('a settlement tells the echo up to the end of the output, and what became of the input', () => {
  const send = waitFor('send', {}, ':vk\r');
  send.arm(4, 0);
  hear(send, ':vk\r\n*', 1);
  expect(send.settle('quiet', { ...factsOf(2), match: { start: 1, end: 2 } })).toEqual({
    reason: 'quiet',
    output: { start: 0, end: 2 },
    echoEnd: 2,
    isEchoExact: true,
    match: { start: 1, end: 2 },
    accepted: 4,
    sent: 4,
    pages: 0,
    isPainting: false,
  });
});

test('a wait for a pattern that does not compile is a broken contract', () => {
  expect(() => waitFor('read', { pattern: '(' })).toThrow(RangeError);
});

/** All that can be seen of a wait which hears pieces, each a ms after the other, and pauses at the end. */
function seen(pieces: readonly Uint8Array[], wait: Wait, isThawed: boolean): unknown[] {
  let now = wait;
  let view = new TextView(7);
  let offset = 0;
  now.arm(4, 0);
  for (const piece of pieces) {
    now.hear(view.render(piece), offset, 10);
    offset += piece.length;
    if (isThawed) {
      now = Wait.restore(thawed(now.snapshot()));
      view = new TextView(7, thawed(view.context()));
    }
  }
  now.pause(promptAt(offset - 1));
  return [
    now.deadlineMs(),
    now.tryEnd(500),
    now.matchEnd,
    now.answerStart,
    now.settle('dead', factsOf(offset)),
  ];
}

test('I3 · any split of any bytes, frozen and thawed between the pieces, ends a wait the same', () => {
  const patterns = fc.constantFrom(
    undefined,
    'abc',
    String.raw`^\*$`,
    'c$',
    String.raw`\bM\w+`,
    String.raw`\n\*`,
    'x*',
  );
  fc.assert(
    fc.property(
      patterns,
      fc.constantFrom(':vk', ''),
      lineOutput,
      cuts,
      fc.integer({ min: 1, max: 40 }),
      (pattern, echo, output, at, maxChars) => {
        const bytes = bytesOf(`${echo}${charactersOf(output)}`);
        const begin = () => waitFor('send', { maxChars, ...(pattern !== undefined && { pattern }) }, ':vk\r');
        const whole = seen([bytes], begin(), false);
        expect(seen(cut(bytes, at), begin(), false)).toEqual(whole);
        expect(seen(cut(bytes, at), begin(), true)).toEqual(whole);
      },
    ),
    { numRuns: 400 },
  );
});
