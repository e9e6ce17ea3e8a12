/** The core of a command session: what its clients see, however its output comes, and wherever it is frozen. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Expectation, Settlement } from '../../src/core/events.ts';
import {
  SessionChannel,
  type SessionChannelEffect,
  type SessionChannelInput,
  type SessionChannelOptions,
} from '../../src/core/sessionChannel.ts';
import { HELD_AFTER_MS, LOOK_MS, type Member, type SessionStream } from '../../src/core/sessionState.ts';
import { commandOutput } from './ansi/output.ts';
import { bytesOf, cut, thawed } from './bytes.ts';

const OPTIONS = { isPty: false, splitStderr: true, startedMs: 0, ringBytes: 65_536 } as const;
const EXPECTATION: Expectation = {
  timeoutMs: 60_000,
  quietMs: 10_000,
  settleMs: 0,
  autoMore: false,
  maxPages: 0,
  maxChars: 20_000,
};

/** A session under a clock of the test's, with all that came out of it. */
class Run {
  readonly effects: SessionChannelEffect[] = [];
  readonly settled = new Map<string, Settlement>();
  readonly failed = new Map<string, string>();
  core: SessionChannel;
  nowMs = 0;
  /** Who is found when the core asks. */
  alive: readonly Member[] = [];
  readonly #options: SessionChannelOptions;
  readonly #isThawed: boolean;

  constructor(options: Partial<SessionChannelOptions> = {}, isThawed = false) {
    this.#options = { ...OPTIONS, ...options };
    this.core = new SessionChannel(this.#options);
    this.#isThawed = isThawed;
  }

  feed(input: SessionChannelInput): readonly SessionChannelEffect[] {
    if (this.#isThawed) this.core = new SessionChannel(this.#options, thawed(this.core.snapshot()));
    const effects = this.core.handle(input, this.nowMs);
    this.effects.push(...effects);
    for (const one of effects) {
      if (one.kind === 'look' || one.kind === 'signal') this.feed({ kind: 'members', alive: this.alive });
      if (one.kind !== 'stream') continue;
      if (one.effect.kind === 'settle') this.settled.set(one.effect.waitId, one.effect.settlement);
      if (one.effect.kind === 'fail') this.failed.set(one.effect.waitId, one.effect.error.name);
    }
    return effects;
  }

  hear(text: string, stream: SessionStream = 'out'): void {
    this.feed({ kind: 'data', stream, bytes: bytesOf(text) });
  }

  read(waitId: string, more: Partial<Expectation> = {}, stream: SessionStream = 'out', from?: number): void {
    const call = { kind: 'read', waitId, reader: 'r', expectation: { ...EXPECTATION, ...more } } as const;
    this.feed({ kind: 'call', stream, call: { ...call, ...(from !== undefined && { from }) } });
  }

  send(
    waitId: string,
    text: string,
    more: Partial<Expectation> = {},
    { closesInput = false, token }: { readonly closesInput?: boolean; readonly token?: number } = {},
  ): void {
    const expectation = { ...EXPECTATION, ...more };
    const call = { kind: 'send', waitId, reader: 'r', bytes: bytesOf(text), isEchoed: false } as const;
    this.feed({
      kind: 'call',
      stream: 'out',
      call: { ...call, closesInput, expectation, ...(token !== undefined && { token }) },
    });
  }

  /** Ticks at every deadline until `ms` from now. */
  pass(ms: number): void {
    const end = this.nowMs + ms;
    for (
      let ticks = 0, due = this.core.deadlineMs();
      due !== undefined && due <= end;
      due = this.core.deadlineMs()
    ) {
      if (ticks++ > 10_000) throw new Error('its clock stands still');
      this.nowMs = Math.max(due, this.nowMs);
      this.feed({ kind: 'tick' });
    }
    this.nowMs = end;
  }

  over(code = 0): void {
    this.feed({ kind: 'exit', exit: { code } });
    this.feed({ kind: 'streamEnd', stream: 'out' });
    if (this.#options.splitStderr) this.feed({ kind: 'streamEnd', stream: 'err' });
  }

  get written(): string {
    return this.effects
      .flatMap((one) => (one.kind === 'stream' && one.effect.kind === 'write' ? [...one.effect.bytes] : []))
      .map((byte) => String.fromCharCode(byte))
      .join('');
  }

  get life(): string[] {
    return this.core.out.timeline.since(0).flatMap((entry) => (entry.kind === 'life' ? [entry.text] : []));
  }
}

describe('exit and end of output', () => {
  test('P13 · I9 · a wait ends with the exit once all output has come, and has the last byte', () => {
    const run = new Run();
    run.read('a');
    run.read('b', {}, 'err');
    run.hear('half');
    run.feed({ kind: 'exit', exit: { code: 3 } });
    run.feed({ kind: 'streamEnd', stream: 'err' });
    expect(run.settled.size).toBe(0);
    run.hear(' and rest');
    run.feed({ kind: 'streamEnd', stream: 'out' });
    expect([run.settled.get('a')?.reason, run.settled.get('b')?.reason]).toEqual(['dead', 'dead']);
    expect(run.settled.get('a')?.output).toEqual({ start: 0, end: 13 });
    expect(run.core.isOver).toBe(true);
  });

  test('P13 · in the other order too', () => {
    const run = new Run();
    run.read('a');
    run.feed({ kind: 'streamEnd', stream: 'out' });
    run.feed({ kind: 'streamEnd', stream: 'err' });
    run.pass(1_000);
    expect(run.settled.size).toBe(0);
    run.feed({ kind: 'exit', exit: { signal: 'SIGSEGV' } });
    expect(run.settled.get('a')?.reason).toBe('dead');
    expect(run.life).toEqual(['output ended', 'exited: by SIGSEGV']);
  });

  test('P13 · where others hold the output, who waits is told, and who reads later waits for more', () => {
    const run = new Run({ splitStderr: false });
    run.read('a');
    run.feed({ kind: 'exit', exit: { code: 0 } });
    run.alive = [{ pid: 7, name: 'sleep' }];
    run.pass(HELD_AFTER_MS);
    expect(run.settled.get('a')?.reason).toBe('dead');
    run.read('b', { pattern: 'late' });
    run.pass(1_000);
    expect(run.settled.has('b')).toBe(false);
    run.hear('late');
    run.pass(1);
    expect(run.settled.get('b')?.reason).toBe('matched');
    run.read('c');
    run.feed({ kind: 'streamEnd', stream: 'out' });
    expect(run.settled.get('c')?.reason).toBe('dead');
    expect(run.life).toEqual(['exited: code 0', 'output held open by others: out', 'output ended']);
  });

  test('what is read behind the end comes at once, in pieces, and nothing is left out', () => {
    const run = new Run();
    run.core.out.readers.claim('r', 0);
    run.hear('0123456789');
    run.over();
    for (const id of ['a', 'b', 'c']) run.read(id, { maxChars: 4 });
    expect(['a', 'b', 'c'].map((id) => run.settled.get(id)?.reason)).toEqual(['limit', 'limit', 'dead']);
    expect(run.settled.get('c')?.output).toEqual({ start: 8, end: 10 });
  });

  test('a `$` holds where the output ends', () => {
    const run = new Run();
    run.read('a', { pattern: 'done$' });
    run.hear('done');
    run.over();
    expect(run.settled.get('a')).toMatchObject({ reason: 'matched', match: { start: 0, end: 4 } });
  });
});

describe('input', () => {
  test('goes out in order, and its end is told behind it', () => {
    const run = new Run();
    run.send('a', 'x'.repeat(3_000), {}, { closesInput: true });
    expect(run.effects.some(({ kind }) => kind === 'closeInput')).toBe(false);
    for (let taken = 0; taken < 3_000; taken += 500) run.feed({ kind: 'written', bytes: 500 });
    expect(run.written).toBe('x'.repeat(3_000));
    expect(run.effects.filter(({ kind }) => kind === 'closeInput')).toHaveLength(1);
    run.send('b', 'more');
    expect(run.failed.get('b')).toBe('input_closed');
  });

  test('on a terminal its end is a character, and more can be typed', () => {
    const run = new Run({ isPty: true, splitStderr: false });
    run.send('end', '', {}, { closesInput: true });
    expect(run.effects.filter(({ kind }) => kind === 'closeInput')).toHaveLength(1);
    run.send('a', 'more');
    expect([run.written, run.failed.size]).toEqual(['more', 0]);
  });

  test('a send that is refused does not end it either', () => {
    const run = new Run();
    run.send('a', 'x', {}, { closesInput: true, token: 7 });
    expect(run.failed.get('a')).toBe('floor_lost');
    expect(run.effects.some(({ kind }) => kind === 'closeInput')).toBe(false);
    run.send('b', 'more');
    expect([run.written, run.failed.has('b')]).toEqual(['more', false]);
  });

  test('I12 · what a program does not take is reported, and its answer is waited for', () => {
    const run = new Run();
    run.send('a', 'x'.repeat(2_000));
    run.feed({ kind: 'written', bytes: 600 });
    run.feed({ kind: 'inputClosed' });
    run.hear('enough');
    run.over();
    expect(run.settled.get('a')).toMatchObject({ reason: 'dead', accepted: 2_000, sent: 600 });
    expect(run.settled.get('a')?.output.end).toBe(6);
  });

  test.each([
    ['session_exited', (run: Run) => run.feed({ kind: 'exit', exit: { code: 0 } })],
    ['input_closed', (run: Run) => run.feed({ kind: 'inputClosed' })],
  ] as const)('%s: nothing is sent', (name, end) => {
    const run = new Run();
    end(run);
    run.send('a', 'x');
    expect([run.failed.get('a'), run.written]).toEqual([name, '']);
  });

  test('I8 · one who has not the floor sends nothing', () => {
    const run = new Run();
    const author = { client: 'other', reader: 'other' };
    const request = { waitId: 'f', author, mode: 'asked', waitMs: 0, leaseMs: 60_000 } as const;
    run.feed({ kind: 'call', stream: 'out', call: { kind: 'floorRequest', ...request } });
    run.send('a', 'x');
    expect([run.failed.get('a'), run.written]).toEqual(['floor_held', '']);
  });
});

test('its life is on record: began, stopped, exited, with the offset at which that was', () => {
  const run = new Run({ splitStderr: false });
  run.feed({ kind: 'began', text: 'started: sleep (7)' });
  run.hear('abc');
  run.alive = [{ pid: 7, name: 'sleep' }];
  run.feed({ kind: 'stop', graceMs: 500 });
  run.pass(500);
  run.alive = [];
  run.feed({ kind: 'exit', exit: { signal: 'SIGKILL' } });
  run.feed({ kind: 'streamEnd', stream: 'out' });
  expect(run.life).toEqual([
    'started: sleep (7)',
    'stopping',
    'killing',
    'exited: by SIGKILL',
    'output ended',
  ]);
  expect(run.core.out.timeline.since(1)[0]?.offset).toBe(3);
  expect(run.core.state.cause).toBe('asked');
});

test('a program whose time is over is stopped, and says why', () => {
  const run = new Run({ timeLimitMs: 1_000 });
  run.pass(1_000 + LOOK_MS);
  expect(run.effects.map(({ kind }) => kind)).toEqual(['stream', 'signal', 'look']);
  expect([run.life, run.core.state.cause]).toEqual([['stopping: its time is over'], 'timeout']);
});

test('I2 · output is told before anybody gets an answer made of it', () => {
  const run = new Run();
  run.read('a', { pattern: 'x' });
  const effects = run.feed({ kind: 'data', stream: 'out', bytes: bytesOf('x') });
  expect(effects.map((one) => one.kind === 'stream' && one.effect.kind)).toEqual(['append', 'settle']);
});

test('one byte that says more than there is room for is read all the same', () => {
  const run = new Run();
  run.core.out.readers.claim('r', 0);
  run.hear('a\x1b[9bz'); // REP: nine times more
  run.over();
  const ends: number[] = [];
  for (const id of ['a', 'b', 'c', 'd', 'e']) {
    run.read(id, { maxChars: 3 });
    ends.push(run.settled.get(id)?.output.end ?? -1);
  }
  expect(ends.at(-1)).toBe(6);
});

/** What clients see of a session that says this, whatever pieces it comes in. */
function seen(pieces: readonly Uint8Array[], isThawed = false): unknown {
  const run = new Run({}, isThawed);
  run.core.out.readers.claim('r', 0);
  // Without a time to settle the answer ends where the piece does in which the match was.
  run.read('pattern', { pattern: '[b-d]+\\n|x$', settleMs: 150 });
  run.read('limit', { maxChars: 7 });
  run.send('send', 'input\n', { quietMs: 300 });
  run.read('err', { maxChars: 3 }, 'err');
  for (const bytes of pieces) {
    run.feed({ kind: 'data', stream: 'out', bytes });
    run.feed({ kind: 'data', stream: 'err', bytes });
  }
  run.feed({ kind: 'written', bytes: 6 });
  run.pass(5_000);
  run.read('rest', { maxChars: 5 });
  run.feed({ kind: 'stop' });
  run.over();
  run.pass(10_000);
  const { scrollback } = run.core.out;
  const settled = [...run.settled]
    .toSorted(([a], [b]) => a.localeCompare(b))
    .map(([id, settlement]) => {
      if (settlement.reason !== 'limit') return [id, settlement];
      // A limit counts characters: a byte that shows nothing may stand on either side of it.
      const { start, end } = settlement.output;
      const from = id === 'err' ? run.core.err?.scrollback : scrollback;
      return [id, { ...settlement, output: from?.text(start, end).text }];
    });
  return [settled, run.life, scrollback.text(0, scrollback.end), run.core.deadlineMs()];
}

test('I3 · I4 · any split of the output, frozen and thawed anywhere, shows the same', () => {
  fc.assert(
    fc.property(commandOutput, fc.array(fc.nat({ max: 200 }), { maxLength: 6 }), (bytes, at) => {
      const whole = seen([bytes]);
      expect(seen(cut(bytes, at))).toEqual(whole);
      expect(seen(cut(bytes, at), true)).toEqual(whole);
    }),
    { numRuns: 60 },
  );
});
