import { LocalError, RpcError, rpcError } from '@pidp10/protocol/errors';
import { expect, it } from 'vitest';
import {
  OpenQuestions,
  toCommand,
  toQuestionText,
  toRefusedResult,
  toStopped,
  toStoppedResult,
  toWholeLine,
} from '../src/guardedLine.ts';

const LOCK = { line: ':lock', pattern: '(?i)^:\\s*lock\\b', typedChars: 0 };

it("knows the guard's refusal from every other error, also without its data", () => {
  expect(toStopped(rpcError('confirmation_required', 'Stopped.', LOCK))).toEqual(LOCK);
  expect(toStopped(new RpcError(1138, 'Stopped.'))).toEqual({ line: '', pattern: '', typedChars: 0 });
  expect(toStopped(rpcError('line_not_open'))).toBeUndefined();
  expect(toStopped(new LocalError('connection_lost'))).toBeUndefined();
});

it.each([
  [':lock', ':lock'],
  [':lock~-', ':lock'],
  [':lock 5~g', ':lock 5\u2407'],
  [':lock~r', undefined],
  [':lock\n', ':lock'],
  [':lock\n\n', undefined],
  [':vk\n:lock', undefined],
  [':lock\n:vk', undefined],
  ['~z:lock', undefined],
  ['ck', undefined],
  [`:lock ${'x'.repeat(194)}`, undefined],
  ['x~', undefined],
])('I17 · of %j the person sees %j', (input, shown) => {
  expect(toWholeLine(input, false, LOCK)).toBe(shown);
});

it('I17 · asks about nothing when the daemon does not say what the line is', () => {
  expect(toWholeLine(':lock', false, { line: '', pattern: '', typedChars: 0 })).toBeUndefined();
});

it('I17 · the person reads who, what and why; the name of a client cannot add lines', () => {
  const text = toQuestionText(':lock', LOCK, 'nice\n\nclient\x1b');
  expect(text.split('\n')).toEqual([
    'nice client\u241b wants to type this on the terminal line of the PiDP-10:',
    '',
    ':lock',
    '',
    'Nothing has been sent yet. The guard stops such lines ((?i)^:\\s*lock\\b): they can bring ITS down for everybody who uses it.',
  ]);
});

it('I17 · the agent reads that nothing was sent, what a person can do, and that it must not get around the guard', () => {
  const results = [
    toStoppedResult(LOCK, { canAsk: true, command: '' }),
    toStoppedResult(LOCK, { canAsk: false, command: toCommand(":lock 'x", true) }),
    toRefusedResult('no'),
    toRefusedResult('none'),
  ];
  for (const { isError, content } of results) {
    expect(isError).toBe(true);
    expect(content[0]?.text).toMatch(/^confirmation_required: .*nothing (was|of this input was) sent/);
    expect(content[0]?.text).toMatch(/do not try to get around the guard/i);
  }
  expect(results[1]?.content[0]?.text).toContain("pidp10ctl send --confirm --raw ':lock '\\''x'");
  expect(results[0]?.content[0]?.text).not.toContain('cancelled');
  const begun = toStoppedResult({ ...LOCK, typedChars: 3 }, { canAsk: true, command: '' });
  expect(begun.content[0]?.text).toContain('what stood of that line was cancelled');
  expect(toCommand(undefined, false)).toBe("pidp10ctl send --confirm '…'");
});

it('I17 · a question is answered once, for the call that it was asked for, and few are kept', () => {
  const questions = new OpenQuestions();
  const token = questions.add('a');
  expect(questions.take(token, 'b')).toBe(false);
  expect(questions.take(token, 'a')).toBe(false);
  const second = questions.add('a');
  expect(questions.take(second, 'a')).toBe(true);
  expect(questions.take(second, 'a')).toBe(false);
  expect(questions.take('forged', 'a')).toBe(false);
  const first = questions.add('a');
  for (let i = 0; i < 16; i += 1) questions.add('b');
  expect(questions.take(first, 'a')).toBe(false);
});
