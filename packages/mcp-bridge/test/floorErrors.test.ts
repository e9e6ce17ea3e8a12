import { RPC_ERRORS, rpcError } from '@pidp10/protocol/errors';
import { expect, it } from 'vitest';
import { toFloorError } from '../src/floorErrors.ts';
import type { Floor } from '../src/floorText.ts';

const holder = { client: 'codex', isYou: false, kind: 'call', since: '2026-01-01T00:00:00Z' } as const;
const floor: Floor = { state: 'held', holder, waiting: 1 };

it('names the holder and the queue; without them the daemon speaks for itself', () => {
  const { code, message } = rpcError('floor_held', 'Too many calls queue for the floor. Nothing was sent.');
  expect(toFloorError({ code, message, floor }, 'send')).toMatch(
    /^floor_held: "codex" has had the floor since .* at work\. 1 call waits for it\. Nothing was sent\. Repeat/,
  );
  expect(toFloorError({ code, message, floor: undefined }, 'send')).toMatch(
    /^floor_held: Too many calls queue for the floor\. Nothing was sent\. Repeat .*or, only if the person said so, floor\(action="take", force=true\)\.$/,
  );
});

it.each([
  ['floor_lost', 'send', 'Nothing was sent.'],
  ['floor_not_yours', 'floor', 'nothing to give back'],
  ['floor_held', 'floor', 'You do not have it.'],
  ['floor_held', 'close', 'The line was not closed'],
] as const)('says of %s by %s what became of the call', (name, tool, words) => {
  const refusal = { code: RPC_ERRORS[name].code, message: 'x', floor };
  expect(toFloorError(refusal, tool)).toContain(words);
});

it('leaves other errors alone', () => {
  expect(toFloorError({ code: RPC_ERRORS.line_busy.code, message: 'x', floor }, 'send')).toBeUndefined();
  expect(toFloorError({ code: 4_711, message: 'x', floor }, 'send')).toBeUndefined();
});
