import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  HELD_AFTER_MS,
  KILL_PATIENCE_MS,
  LOOK_MS,
  type SessionInput,
  SessionState,
  STOP_GRACE_LIMIT_MS,
  STOP_GRACE_MS,
  VAIN_LOOKS_LIMIT,
} from '../../src/core/sessionState.ts';
import { thawed } from './bytes.ts';

const MEMBER = { pid: 7, name: 'sleep' };

function session(options: { isPty?: boolean; timeLimitMs?: number } = {}): SessionState {
  return new SessionState({ isPty: false, streams: ['out', 'err'], startedMs: 0, ...options });
}

describe('exit and end of output', () => {
  test('P13 · are two facts: the exit at once, held output a moment later, once', () => {
    const state = session();
    expect(state.handle({ kind: 'streamEnd', stream: 'err' }, 10)).toEqual([]);
    expect(state.handle({ kind: 'exit', exit: { code: 3 } }, 20)).toEqual([
      { kind: 'exited', exit: { code: 3 } },
    ]);
    expect([state.life, state.nextDeadlineMs]).toEqual(['exited', 20 + HELD_AFTER_MS]);
    expect(state.handle({ kind: 'tick' }, 19 + HELD_AFTER_MS)).toEqual([]);
    expect(state.handle({ kind: 'tick' }, 20 + HELD_AFTER_MS)).toEqual([{ kind: 'look' }]);
    expect(state.isOutputHeld).toBe(false);
    expect(state.handle({ kind: 'members', alive: [MEMBER] }, 20 + HELD_AFTER_MS)).toEqual([
      { kind: 'outputHeld', streams: ['out'] },
    ]);
    expect([state.isOutputHeld, state.nextDeadlineMs]).toEqual([true, undefined]);
    expect(state.handle({ kind: 'tick' }, 9_999)).toEqual([]);
    expect(state.handle({ kind: 'streamEnd', stream: 'out' }, 10_000)).toEqual([{ kind: 'outputEnded' }]);
    expect(state.isOutputHeld).toBe(false);
  });

  test('P01 · P13 · output that is only late is held by nobody; after many looks by somebody whom we cannot see', () => {
    const state = session();
    state.handle({ kind: 'streamEnd', stream: 'err' }, 0);
    state.handle({ kind: 'exit', exit: { code: 0 } }, 0);
    for (let look = 1; look < VAIN_LOOKS_LIMIT; look += 1) {
      const nowMs = look * HELD_AFTER_MS;
      expect(state.nextDeadlineMs).toBe(nowMs);
      expect(state.handle({ kind: 'tick' }, nowMs)).toEqual([{ kind: 'look' }]);
      expect(state.handle({ kind: 'members', alive: [] }, nowMs)).toEqual([]);
    }
    expect(state.isOutputHeld).toBe(false);
    const late = new SessionState(thawed(state.snapshot()));
    expect(late.handle({ kind: 'streamEnd', stream: 'out' }, 9_000)).toEqual([{ kind: 'outputEnded' }]);
    expect(late.nextDeadlineMs).toBeUndefined();
    state.handle({ kind: 'tick' }, VAIN_LOOKS_LIMIT * HELD_AFTER_MS);
    expect(state.handle({ kind: 'members', alive: [] }, 9_000)).toEqual([
      { kind: 'outputHeld', streams: ['out'] },
    ]);
    expect(state.nextDeadlineMs).toBeUndefined();
  });

  test('in the other order nothing is held', () => {
    const state = session();
    state.handle({ kind: 'streamEnd', stream: 'err' }, 1);
    expect(state.handle({ kind: 'streamEnd', stream: 'out' }, 2)).toEqual([{ kind: 'outputEnded' }]);
    expect(state.life).toBe('running');
    state.handle({ kind: 'exit', exit: { signal: 'SIGSEGV' } }, 3);
    expect([state.exit, state.nextDeadlineMs]).toEqual([{ signal: 'SIGSEGV' }, undefined]);
  });

  test('each is heard once', () => {
    const state = session();
    state.handle({ kind: 'exit', exit: { code: 0 } }, 1);
    expect(state.handle({ kind: 'exit', exit: { code: 1 } }, 2)).toEqual([]);
    state.handle({ kind: 'streamEnd', stream: 'out' }, 3);
    expect(state.handle({ kind: 'streamEnd', stream: 'out' }, 4)).toEqual([]);
    expect(state.exit).toEqual({ code: 0 });
  });
});

describe('stopping', () => {
  test('who obeys is asked only', () => {
    const state = session();
    expect(state.handle({ kind: 'stop' }, 0)).toEqual([{ kind: 'signal', signals: ['SIGTERM', 'SIGCONT'] }]);
    expect([state.life, state.nextDeadlineMs]).toEqual(['stopping', LOOK_MS]);
    expect(state.handle({ kind: 'exit', exit: { signal: 'SIGTERM' } }, 20)).toEqual([
      { kind: 'exited', exit: { signal: 'SIGTERM' } },
      { kind: 'look' },
    ]);
    expect(state.handle({ kind: 'members', alive: [] }, 20)).toEqual([{ kind: 'stopped', survivors: [] }]);
    expect(state.life).toBe('exited');
  });

  test('a terminal is hung up first', () => {
    expect(session({ isPty: true }).handle({ kind: 'stop' }, 0)).toEqual([
      { kind: 'signal', signals: ['SIGHUP', 'SIGTERM', 'SIGCONT'] },
    ]);
  });

  test('P09 · who does not obey is killed when the grace is over, and stopping until reaped', () => {
    const state = session();
    state.handle({ kind: 'stop', graceMs: 500 }, 0);
    expect(state.handle({ kind: 'tick' }, LOOK_MS)).toEqual([{ kind: 'look' }]);
    expect(state.handle({ kind: 'members', alive: [MEMBER] }, LOOK_MS)).toEqual([]);
    state.handle({ kind: 'tick' }, 499);
    expect(state.handle({ kind: 'tick' }, 500)).toEqual([{ kind: 'signal', signals: ['SIGKILL'] }]);
    expect(state.handle({ kind: 'members', alive: [] }, 510)).toEqual([]);
    expect(state.life).toBe('stopping');
    state.handle({ kind: 'exit', exit: { signal: 'SIGKILL' } }, 520);
    expect(state.handle({ kind: 'members', alive: [] }, 520)).toEqual([{ kind: 'stopped', survivors: [] }]);
  });

  test('P08 · who is left behind the exit is killed, again at every look, and listed when nothing helps', () => {
    const state = session();
    state.handle({ kind: 'stop' }, 0);
    state.handle({ kind: 'exit', exit: { code: 0 } }, 1);
    state.handle({ kind: 'members', alive: [MEMBER] }, 1);
    state.handle({ kind: 'tick' }, STOP_GRACE_MS);
    const again = [{ kind: 'signal', signals: ['SIGKILL'] }, { kind: 'look' }];
    expect(state.handle({ kind: 'tick' }, STOP_GRACE_MS + LOOK_MS)).toEqual(again);
    state.handle({ kind: 'members', alive: [MEMBER] }, STOP_GRACE_MS + LOOK_MS);
    const end = STOP_GRACE_MS + KILL_PATIENCE_MS;
    expect(state.handle({ kind: 'tick' }, end)).toEqual([{ kind: 'look' }]);
    expect(state.handle({ kind: 'members', alive: [MEMBER] }, end)).toEqual([
      { kind: 'stopped', survivors: [MEMBER] },
    ]);
    expect([state.survivors, state.nextDeadlineMs]).toEqual([[MEMBER], undefined]);
  });

  test('P07 · all is over within five seconds', () => {
    expect(STOP_GRACE_MS + KILL_PATIENCE_MS).toBeLessThan(5_000);
  });

  test('what an exited session left can be stopped too', () => {
    const state = session();
    state.handle({ kind: 'exit', exit: { code: 0 } }, 0);
    expect(state.handle({ kind: 'stop' }, 10)).toEqual([{ kind: 'signal', signals: ['SIGTERM', 'SIGCONT'] }]);
    expect(state.life).toBe('exited');
    expect(state.handle({ kind: 'members', alive: [] }, 10)).toEqual([{ kind: 'stopped', survivors: [] }]);
  });

  test('a second stop shortens the grace, and never lengthens it; no grace kills at once', () => {
    const state = session();
    state.handle({ kind: 'stop', graceMs: 1_000 }, 0);
    expect(state.handle({ kind: 'stop', graceMs: 5_000 }, 0)).toEqual([]);
    expect(state.snapshot().stopping).toMatchObject({ deadlineMs: 1_000 });
    expect(state.handle({ kind: 'stop', graceMs: 0 }, 10)).toEqual([
      { kind: 'signal', signals: ['SIGKILL'] },
    ]);
    expect(session().handle({ kind: 'stop', graceMs: 0 }, 0)).toEqual([
      { kind: 'signal', signals: ['SIGKILL'] },
    ]);
  });

  test.each([
    [STOP_GRACE_LIMIT_MS, STOP_GRACE_LIMIT_MS],
    [STOP_GRACE_LIMIT_MS + 1, STOP_GRACE_LIMIT_MS],
  ])('a grace of %i ms is %i', (graceMs, deadlineMs) => {
    const state = session();
    state.handle({ kind: 'stop', graceMs }, 0);
    expect(state.snapshot().stopping).toMatchObject({ deadlineMs });
  });

  test('the time limit stops it, unless it is stopping already', () => {
    const state = session({ timeLimitMs: 100 });
    expect(state.nextDeadlineMs).toBe(100);
    expect(state.handle({ kind: 'tick' }, 99)).toEqual([]);
    expect(state.handle({ kind: 'tick' }, 100)).toEqual([
      { kind: 'signal', signals: ['SIGTERM', 'SIGCONT'] },
    ]);
    expect([state.snapshot().cause, state.nextDeadlineMs]).toEqual(['timeout', 100 + LOOK_MS]);
  });
});

const inputs: fc.Arbitrary<SessionInput> = fc.oneof(
  fc.record({ kind: fc.constant('stop' as const), graceMs: fc.nat({ max: 4_000 }) }),
  fc.constant({ kind: 'exit' as const, exit: { code: 0 } }),
  fc.record({
    kind: fc.constant('streamEnd' as const),
    stream: fc.constantFrom('out' as const, 'err' as const),
  }),
  fc.record({ kind: fc.constant('members' as const), alive: fc.constantFrom([], [MEMBER]) }),
  fc.constant({ kind: 'tick' as const }),
);

describe('any schedule', () => {
  test('JSON anywhere changes nothing', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(inputs, fc.nat({ max: 2_000 })), { maxLength: 30 }), (steps) => {
        const one = session({ timeLimitMs: 9_000 });
        let other = session({ timeLimitMs: 9_000 });
        let nowMs = 0;
        for (const [input, afterMs] of steps) {
          nowMs += afterMs;
          expect(other.handle(input, nowMs)).toEqual(one.handle(input, nowMs));
          other = new SessionState(thawed(other.snapshot()));
        }
        expect(other.nextDeadlineMs).toBe(one.nextDeadlineMs);
      }),
    );
  });

  test('a stop ends, when the clock is followed and the looks are answered, and never without an answer', () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(inputs, fc.nat({ max: 500 })), { maxLength: 20 }),
        fc.boolean(),
        (steps, hasLeft) => {
          const state = session();
          let nowMs = 0;
          for (const [input, afterMs] of steps) {
            nowMs += afterMs;
            state.handle(input, nowMs);
          }
          state.handle({ kind: 'stop', graceMs: 1_000 }, nowMs);
          state.handle({ kind: 'exit', exit: { code: 0 } }, nowMs);
          for (const stream of ['out', 'err'] as const) state.handle({ kind: 'streamEnd', stream }, nowMs);
          const endMs = nowMs + 1_000 + KILL_PATIENCE_MS + LOOK_MS;
          for (let due = state.nextDeadlineMs; due !== undefined; due = state.nextDeadlineMs) {
            expect(due).toBeLessThanOrEqual(endMs);
            nowMs = Math.max(nowMs, due);
            const isAsked = state.handle({ kind: 'tick' }, nowMs).some(({ kind }) => kind !== 'stopped');
            expect(isAsked).toBe(true);
            state.handle({ kind: 'members', alive: hasLeft ? [MEMBER] : [] }, nowMs);
          }
          expect([state.life, state.survivors]).toEqual(['exited', hasLeft ? [MEMBER] : []]);
        },
      ),
    );
  });
});
