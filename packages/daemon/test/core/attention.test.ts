import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Attention } from '../../src/core/attention.ts';
import { SILENCE_MS } from '../../src/core/expect.ts';
import { thawed } from './bytes.ts';

test('I4 · the end of the output is looked at when the far end has been silent, once', () => {
  const attention = new Attention();
  expect(attention.deadlineMs()).toBeUndefined();
  attention.hear(0, 50);
  attention.hear(0, 60);
  expect(attention.deadlineMs()).toBe(60 + SILENCE_MS);
  attention.rest();
  expect(attention.deadlineMs()).toBeUndefined();
});

test('somebody new makes it look again, at the same moment as before', () => {
  const attention = new Attention();
  attention.wake();
  expect(attention.deadlineMs()).toBeUndefined();
  attention.hear(0, 50);
  attention.rest();
  attention.wake();
  expect(attention.deadlineMs()).toBe(50 + SILENCE_MS);
});

test('a program paints when something moved since something was typed', () => {
  const attention = new Attention();
  attention.type(100, 7);
  expect([attention.typedOffset, attention.isPainting(7), attention.isPainting(8)]).toEqual([
    100,
    false,
    true,
  ]);
});

test('I3 · whether it had painted is what was so before the moment, however its bytes are split', () => {
  const whole = new Attention();
  whole.hear(3, 10);
  const split = new Attention();
  split.hear(3, 10);
  split.hear(9, 10);
  expect(split.snapshot()).toEqual(whole.snapshot());
  split.type(0, 3);
  split.hear(9, 11);
  expect(split.wasPainting).toBe(true);
});

test('a new connection knows no silence, and no last words of the old one', () => {
  const attention = new Attention();
  attention.hear(0, 50);
  attention.renew(80);
  expect([attention.lastByteMs, attention.typedOffset, attention.deadlineMs()]).toEqual([
    undefined,
    80,
    undefined,
  ]);
  attention.opened(120);
  expect(attention.typedOffset).toBe(120);
});

test('frozen and thawed anywhere, it goes on the same', () => {
  const act = fc.constantFrom<(attention: Attention, at: number) => void>(
    (attention, at) => attention.hear(at * 2, at),
    (attention, at) => attention.type(at, at),
    (attention) => attention.wake(),
    (attention) => attention.rest(),
    (attention, at) => attention.renew(at),
    (attention, at) => attention.opened(at),
  );
  fc.assert(
    fc.property(fc.array(act, { maxLength: 20 }), (acts) => {
      const plain = new Attention();
      let frozen = new Attention();
      for (const [at, act] of acts.entries()) {
        frozen = new Attention(thawed(frozen.snapshot()));
        act(plain, at);
        act(frozen, at);
        expect([frozen.snapshot(), frozen.deadlineMs()]).toEqual([plain.snapshot(), plain.deadlineMs()]);
      }
    }),
  );
});
