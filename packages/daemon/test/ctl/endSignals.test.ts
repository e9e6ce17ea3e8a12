import { EventEmitter } from 'node:events';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { listenForEnd, PATIENCE_MS } from '../../src/ctl/endSignals.ts';

class Process extends EventEmitter {
  readonly exits: number[] = [];
  exit(code: number): void {
    this.exits.push(code);
  }
}

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout'] });
});
afterEach(() => {
  vi.useRealTimers();
});

describe.each([
  ['SIGINT', 130],
  ['SIGHUP', 129],
  ['SIGTERM', 143],
] as const)('%s', (name, code) => {
  test('cancels what is under way, and is the exit code of what it interrupted alone', async () => {
    const process = new Process();
    const { signal, toExitCode } = listenForEnd(process);
    expect([signal.aborted, toExitCode(130)]).toEqual([false, 130]);
    process.emit(name);
    await Promise.resolve();
    expect(signal.aborted).toBe(true);
    expect([0, 1, 4, 130].map(toExitCode)).toEqual([0, 1, 4, code]);
  });

  test('a second one finds no listener, and does what it does by default', () => {
    const process = new Process();
    listenForEnd(process);
    expect([process.emit(name), process.emit(name)]).toEqual([true, false]);
  });

  test('a listener that the command added later hears of it first', async () => {
    const process = new Process();
    const { signal } = listenForEnd(process);
    const seen: boolean[] = [];
    process.on(name, () => seen.push(signal.aborted));
    process.emit(name);
    await Promise.resolve();
    expect([...seen, signal.aborted]).toEqual([false, true]);
  });

  test('what does not come to an end is ended, but not behind a person’s back', () => {
    const process = new Process();
    listenForEnd(process);
    process.emit(name);
    vi.advanceTimersByTime(PATIENCE_MS - 1);
    expect(process.exits).toEqual([]);
    vi.advanceTimersByTime(1);
    expect(process.exits).toEqual(name === 'SIGINT' ? [] : [code]);
  });
});
