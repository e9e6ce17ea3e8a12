import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  MAX_CREDIT_BYTES,
  NOTE_BYTES,
  NOTE_EVERY_MS,
  type TimeNote,
  TimeNotes,
} from '../../../src/core/journal/timeNotes.ts';
import { thawed } from '../bytes.ts';

const at = (ms: number) => ({ wallMs: 1_000_000 + ms, monoMs: ms });
const times = (notes: readonly TimeNote[]): [number, number][] =>
  notes.map((note) => [note.monoMs, note.offset]);

test('a burst is noted at its beginning, and at its end when the next one begins', () => {
  const notes = new TimeNotes();
  expect(times(notes.arrive('out', 10, 10, at(0)))).toEqual([[0, 10]]);
  expect(times(notes.arrive('out', 20, 10, at(10)))).toEqual([]);
  expect(times(notes.arrive('out', 30, 10, at(20)))).toEqual([]);
  expect(times(notes.arrive('out', 40, 10, at(500)))).toEqual([[20, 30]]);
  expect(times(notes.flush())).toEqual([[500, 40]]);
  expect(notes.isWaiting).toBe(false);
});

test('another record of the same moment says it too; an older arrival stands before it', () => {
  const notes = new TimeNotes();
  notes.arrive('out', 1, 1, at(0));
  notes.arrive('out', 2, 1, at(1));
  expect(times(notes.precede('out', at(NOTE_EVERY_MS)))).toEqual([]);
  notes.arrive('out', 3, 1, at(51));
  notes.arrive('out', 4, 1, at(52));
  expect(times(notes.precede('out', at(52 + NOTE_EVERY_MS)))).toEqual([[52, 4]]);
  expect(notes.isWaiting).toBe(false);
});

test('S11 · at most 20 notes a second, and without credit none but those of flush', () => {
  const arrivals = fc.array(
    fc.record({ waitMs: fc.nat({ max: 80 }), bytes: fc.integer({ min: 1, max: 2_000 }) }),
  );
  fc.assert(
    fc.property(arrivals, (list) => {
      const notes = new TimeNotes();
      let nowMs = 0;
      let offset = 0;
      let count = 0;
      let last: TimeNote = { stream: 'out', offset: 0, ...at(0) };
      for (const { waitMs, bytes } of list) {
        nowMs += waitMs;
        offset += bytes;
        for (const note of notes.arrive('out', offset, bytes, at(nowMs))) {
          count += 1;
          expect(note.offset).toBeGreaterThan(last.offset);
          expect(note.monoMs).toBeGreaterThanOrEqual(last.monoMs);
          last = note;
        }
      }
      expect(count).toBeLessThanOrEqual(nowMs / NOTE_EVERY_MS + 1);
      expect(count * NOTE_BYTES).toBeLessThanOrEqual(offset / 2 + MAX_CREDIT_BYTES);
      const rest = notes.flush();
      expect([...rest, last].some((note) => note.offset === offset)).toBe(true);
    }),
  );
});

test('S11 · an hour at a terminal: the notes weigh no more than the output', () => {
  const notes = new TimeNotes();
  let [nowMs, offset, count] = [0, 0, 0];
  const arrive = (bytes: number, waitMs: number): void => {
    for (const end = nowMs + waitMs; nowMs < end; ) {
      const step = Math.min(end - nowMs, 1_000);
      nowMs += step;
      if (step === 1_000 && notes.isWaiting) count += notes.flush().length;
    }
    offset += bytes;
    count += notes.arrive('out', offset, bytes, at(nowMs)).length;
  };
  for (let command = 0; command < 60; command++) {
    for (let key = 0; key < 12; key++) arrive(1, 180);
    for (let line = 0; line < 30; line++) arrive(60, 65);
    nowMs += 50_000;
  }
  expect(count * NOTE_BYTES).toBeLessThan(offset);
  expect(count).toBeGreaterThan(300);
});

test('I3 · a snapshot taken anywhere changes nothing', () => {
  const step = fc.record({
    waitMs: fc.nat({ max: 120 }),
    bytes: fc.integer({ min: 1, max: 300 }),
    isErr: fc.boolean(),
  });
  fc.assert(
    fc.property(fc.array(step), fc.nat({ max: 30 }), (steps, where) => {
      const plain = new TimeNotes();
      let kept = new TimeNotes();
      let nowMs = 0;
      let offset = 0;
      for (const [index, { waitMs, bytes, isErr }] of steps.entries()) {
        nowMs += waitMs;
        offset += bytes;
        if (index === where) kept = new TimeNotes(thawed(kept.snapshot()));
        const stream = isErr ? 'err' : 'out';
        expect(kept.arrive(stream, offset, bytes, at(nowMs))).toEqual(
          plain.arrive(stream, offset, bytes, at(nowMs)),
        );
      }
      expect(kept.flush()).toEqual(plain.flush());
    }),
  );
});
