import { expect, test } from 'vitest';
import { OutputMeter, OutputTurns, SLICE_BYTES, TURN_PROGRAMS } from '../../src/io/outputTurns.ts';

class Program {
  isPaused = false;
  pauses = 0;

  pauseOutput(): void {
    this.isPaused = true;
    this.pauses += 1;
  }

  resumeOutput(): void {
    this.isPaused = false;
  }
}

const turn = () => new Promise((resolve) => setImmediate(resolve));

test('I18 · a program waits behind its slice, once, and goes on in its turn', async () => {
  const program = new Program();
  const meter = new OutputMeter(new OutputTurns(), program);
  meter.took(SLICE_BYTES - 1);
  expect(program.isPaused).toBe(false);
  meter.took(1);
  expect(program.isPaused).toBe(true);
  meter.took(SLICE_BYTES); // what was on its way
  expect(program.pauses).toBe(1);
  await turn();
  expect(program.isPaused).toBe(false);
  meter.took(SLICE_BYTES);
  expect(program.pauses).toBe(2);
});

test('I18 · so many programs go on in one turn, in the order in which they waited', async () => {
  const turns = new OutputTurns();
  const programs = Array.from({ length: TURN_PROGRAMS + 2 }, () => new Program());
  for (const program of programs) new OutputMeter(turns, program).took(SLICE_BYTES);
  await turn();
  expect(programs.map(({ isPaused }) => isPaused)).toEqual(
    programs.map((_, index) => index >= TURN_PROGRAMS),
  );
  await turn();
  expect(programs.every(({ isPaused }) => !isPaused)).toBe(true);
});
