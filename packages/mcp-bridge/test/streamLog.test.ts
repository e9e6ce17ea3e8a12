import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import {
  LineLog,
  LOG_EVERY_MS,
  type LogMessage,
  type LogSink,
  MAX_LOG_CHARS,
  MAX_LOG_MESSAGES,
  MAX_LOG_WAITING_CHARS,
  MAX_SINGLE_LINES,
} from '../src/streamLog.ts';

class Sink implements LogSink {
  readonly hasLog = true;
  isBusy = false;
  readonly messages: LogMessage[] = [];
  log(message: LogMessage): void {
    this.messages.push(message);
  }
  take(): string[] {
    vi.advanceTimersByTime(LOG_EVERY_MS);
    return this.messages.splice(0).map(({ data }) => data);
  }
}

function lines(count: number, text = 'x'): string {
  return `${text}\n`.repeat(count);
}

describe('output as log messages', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  it('B12 · one for each line, with its logger and level; however it was split', () => {
    const sink = new Sink();
    const log = new LineLog(sink, 's1', 'out');
    for (const chunk of ['on', 'e\ntwo\n', '\nthr', 'ee']) log.handleOutput(chunk);
    vi.advanceTimersByTime(LOG_EVERY_MS);
    const head = { level: 'info', logger: 'session/s1/stdout' };
    expect(sink.messages).toEqual([
      { ...head, data: 'one' },
      { ...head, data: 'two' },
      { ...head, data: '' },
    ]);
    sink.messages.splice(0);
    log.handleEnd();
    expect(sink.take()).toEqual(['three']);
    new LineLog(sink, 's1', 'err').handleOutput('x\n');
    vi.advanceTimersByTime(LOG_EVERY_MS);
    expect(sink.messages).toEqual([{ level: 'warning', logger: 'session/s1/stderr', data: 'x' }]);
  });

  it('A02 · hidden characters are visible', () => {
    const sink = new Sink();
    new LineLog(sink, 's1', 'out').handleOutput('a\u202eb\x1b\n');
    expect(sink.take()).toEqual(['a\\u{202e}b␛']);
  });

  it('are gathered: one more line than go one by one, and they share messages', () => {
    const sink = new Sink();
    const log = new LineLog(sink, 's1', 'out');
    log.handleOutput(lines(MAX_SINGLE_LINES));
    expect(sink.take()).toHaveLength(MAX_SINGLE_LINES);
    log.handleOutput(lines(MAX_SINGLE_LINES + 1));
    expect(sink.take()).toEqual([lines(MAX_SINGLE_LINES + 1).trimEnd()]);
  });

  it('are no longer than a limit: a longer line goes in pieces, with or without its end', () => {
    const sink = new Sink();
    const log = new LineLog(sink, 's1', 'out');
    log.handleOutput(`${'x'.repeat(MAX_LOG_CHARS)}\n${'y'.repeat(MAX_LOG_CHARS + 1)}\n`);
    expect(sink.take().map((data) => data.length)).toEqual([MAX_LOG_CHARS, MAX_LOG_CHARS, 1]);
    log.handleOutput('z'.repeat(MAX_LOG_CHARS + 1));
    expect(sink.take().map((data) => data.length)).toEqual([MAX_LOG_CHARS]);
  });

  it('come in order, a few at a time, and all of them', () => {
    const sink = new Sink();
    const log = new LineLog(sink, 's1', 'out');
    const all = Array.from({ length: 8_000 }, (_, index) => `line ${index}`);
    log.handleOutput(`${all.join('\n')}\n`);
    const first = sink.take();
    expect(first).toHaveLength(MAX_LOG_MESSAGES);
    const got = [...first];
    for (let more = sink.take(); more.length > 0; more = sink.take()) got.push(...more);
    expect(got.join('\n')).toBe(all.join('\n'));
  });

  it('wait for a client that does not read, up to a limit; the rest is counted', () => {
    const sink = new Sink();
    const log = new LineLog(sink, 's1', 'out');
    sink.isBusy = true;
    const line = 'x'.repeat(1_023);
    const fitting = Math.floor(MAX_LOG_WAITING_CHARS / line.length);
    for (let index = 0; index < fitting + 2; index += 1) log.handleOutput(`${line}\n`);
    expect(sink.take()).toEqual([]);
    sink.isBusy = false;
    const got: string[] = [];
    for (let more = sink.take(); more.length > 0; more = sink.take()) got.push(...more);
    expect(got.at(-1)).toBe('[2 lines left out here: read_output gives them]');
    expect(got.slice(0, -1).join('\n').split('\n')).toHaveLength(fitting);
    expect(vi.getTimerCount()).toBe(0);
  });
});
