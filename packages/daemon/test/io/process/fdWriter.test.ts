import { describe, expect, test } from 'vitest';
import { FdWriter } from '../../../src/io/process/fdWriter.ts';
import { until } from './recorder.ts';

/** A descriptor that takes what `answers` says, one call after the other, and then everything. */
function writer(answers: (number | string)[]) {
  const taken: number[] = [];
  const events: string[] = [];
  const made = new FdWriter(
    99,
    {
      written: (bytes) => events.push(`written ${bytes}`),
      failed: (code) => events.push(`failed ${code}`),
      ended: () => events.push('ended'),
    },
    (_fd, bytes) => {
      const answer = answers.shift() ?? bytes.length;
      if (typeof answer === 'string') throw Object.assign(new Error(answer), { code: answer });
      const part = bytes.subarray(0, answer);
      taken.push(...part);
      return part.length;
    },
  );
  return { writer: made, taken, events };
}

describe('P04 P06 · a descriptor that takes little or nothing', () => {
  test('short writes and EAGAIN lose nothing and keep the order', async () => {
    const { writer: made, taken, events } = writer([2, 'EAGAIN', 'EAGAIN', 1, 'EINTR', 2]);
    made.queue(Uint8Array.of(1, 2, 3, 4));
    made.queue(Uint8Array.of(5, 6));
    made.end();
    expect([taken, events, made.queuedBytes]).toEqual([[], [], 6]);
    await until('the end', () => events.includes('ended'));
    expect(taken).toEqual([1, 2, 3, 4, 5, 6]);
    expect(events).toEqual(['written 2', 'written 1', 'written 3', 'ended']);
    expect([made.queuedBytes, made.isOpen]).toEqual([0, false]);
  });

  test('the queue holds a copy', async () => {
    const { writer: made, taken } = writer([]);
    const bytes = Uint8Array.of(1);
    made.queue(bytes);
    bytes[0] = 2;
    await until('written', () => taken.length === 1);
    expect(taken).toEqual([1]);
  });

  test('a failure is told once, and the rest is there to be counted', async () => {
    const { writer: made, events } = writer([1, 'EPIPE']);
    made.queue(Uint8Array.of(1, 2, 3));
    await until('the failure', () => events.includes('failed EPIPE'));
    expect([made.isOpen, made.stop(), made.queuedBytes]).toEqual([false, 2, 0]);
    made.queue(Uint8Array.of(4));
    expect(made.queuedBytes).toBe(0);
  });

  test('once stopped it never touches the descriptor', async () => {
    const { writer: made, taken, events } = writer([]);
    made.queue(Uint8Array.of(1));
    expect(made.stop()).toBe(1);
    let turns = 0;
    const turn = () => {
      turns += 1;
      if (turns < 5) setImmediate(turn);
    };
    turn();
    await until('some turns', () => turns === 5);
    expect([taken, events]).toEqual([[], []]);
  });
});
