import { describe, expect, it } from 'vitest';
import { toSessionTrailer, toStateWords } from '../src/sessionTrailer.ts';
import { EXITED, FACTS, sessionOutcome, slice } from './support/answers.ts';

describe('how a program does', () => {
  it.each([
    [{}, 0, 'running'],
    [{ state: 'stopping' }, 0, 'stopping'],
    [EXITED, 0, 'exited with code 3'],
    [{ ...EXITED, exit: { code: 0, status: 0 } }, 0, 'exited with code 0'],
    [{ ...EXITED, exit: { signal: 'SIGKILL', status: 137 } }, 0, 'ended by SIGKILL (exit code 137)'],
  ] as const)('%j with %i bytes unread is %j', (facts, remaining, words) => {
    expect(toStateWords({ ...FACTS, ...facts }, remaining)).toBe(words);
  });

  it('B5 · P01 · the exit code is told with the last byte of output, never before', () => {
    expect(toStateWords({ ...FACTS, ...EXITED }, 1)).toBe(
      'exited, the exit code comes with the last of its output',
    );
    expect(toStateWords({ ...FACTS, ...EXITED, outputState: 'open' })).toBe(
      'exited, its last output is still to come',
    );
  });

  it('P13 · output that others hold open is no reason to keep the exit code back', () => {
    expect(toStateWords({ ...FACTS, ...EXITED, outputState: 'held' })).toMatch(
      /^exited with code 3, its output is held open by processes that it started/,
    );
  });

  it('a session of a daemon that crashed is lost, and says so', () => {
    expect(toStateWords({ ...FACTS, state: 'lost', outputState: 'ended' })).toMatch(/^lost: .*nobody knows/);
  });
});

describe('the last line of a result', () => {
  it('has reason, what to do, session, state, span, and what else there is, in one line', () => {
    const outcome = sessionOutcome({
      reason: 'quiet',
      output: slice(10, 'a\nb\n', { truncated: true }),
      remaining: 1_200,
      bells: 2,
      hint: 'Output may be stopped by ^S;\nbytes=[17] lets it go on.',
    });
    expect(toSessionTrailer(outcome)).toBe(
      '[quiet: Output may be stopped by ^S; bytes=[17] lets it go on. · session s1 · running · 4 chars · 2 lines · offset 10 · next_offset 14 · older output is gone · 1,200 bytes unread · 2 bells]',
    );
  });

  it.each([
    [{ reason: 'still_waiting' }, /^\[still_waiting: call read_output to go on/],
    [{ reason: 'still_waiting', stream: 'err' }, /call read_stderr to go on/],
    [{ reason: 'still_waiting', accepted: 0, sent: 0, hint: 'others' }, /^\[still_waiting: others/],
    [{ reason: 'limit', remaining: 5 }, /^\[limit: 5 more bytes wait, call read_output .*next_offset 0\]$/],
    [{ reason: 'dead', ...EXITED }, /^\[ended · session s1 · exited with code 3/],
    // How output is held open is told once, and with names that a model has.
    [
      { reason: 'timeout', ...EXITED, outputState: 'held', hint: 'session.status names them' },
      /^\[timeout · session s1 · exited with code 3, [^·]*\(get_status names them, stop_command ends them\) · 0 chars/,
    ],
    [{ floor: { state: 'free', waiting: 2 } }, /2 calls wait for the floor\]$/],
  ] as const)('%j: %s', (more, text) => {
    expect(toSessionTrailer(sessionOutcome(more))).toMatch(text);
  });
});
