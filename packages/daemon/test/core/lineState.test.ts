import { describe, expect, test } from 'vitest';
import type { ConnectionFailure } from '../../src/core/events.ts';
import { GREETING_SILENCE_MS, type LineEvent, LineState, REFUSAL_FIN_MS } from '../../src/core/lineState.ts';
import type { Codec } from '../../src/core/telnet.ts';
import { bytesOf, thawed } from './bytes.ts';

const GREETING = '\n\r\nConnected to the KA-10 simulator MTY device, line 9\r\n\n';
const ATTEMPT = { host: 'pidp10', port: 10018, deadlineMs: 5_000 };

function connecting(): LineState {
  const line = new LineState();
  line.begin(ATTEMPT, 0);
  return line;
}

/** A line whose TCP stands, and that heard `chunks` at 1000 ms. */
function greeting(chunks: readonly string[], codec: Codec = 'raw'): LineState {
  const line = connecting();
  line.connected('unknown', 500);
  for (const chunk of chunks) line.data(bytesOf(chunk), codec, 1_000);
  return line;
}

function opened(): LineState {
  return greeting([GREETING], 'telnet');
}

describe('opening', () => {
  test('a line is closed, connecting by TCP, connecting by greeting, open', () => {
    const line = new LineState();
    const seen = [line.facts('unknown')];
    line.begin(ATTEMPT, 0);
    seen.push(line.facts('unknown'));
    line.connected('unknown', 10);
    seen.push(line.facts('unknown'));
    const event = line.data(bytesOf(`${GREETING}KA`), 'telnet', 20);
    seen.push(line.facts('telnet'));
    const where = { host: 'pidp10', port: 10018 };
    expect(seen).toEqual([
      { state: 'closed', codec: 'unknown' },
      { state: 'connecting', phase: 'tcp', ...where, codec: 'unknown' },
      { state: 'connecting', phase: 'greeting', ...where, codec: 'unknown' },
      { state: 'open', ...where, codec: 'telnet' },
    ]);
    expect([event, line.sinceMs]).toEqual([{ kind: 'opened', greetingBytes: GREETING.length }, 20]);
  });

  test('a raw line is open with TCP', () => {
    expect(connecting().connected('raw', 7)).toEqual({ kind: 'opened', greetingBytes: 0 });
  });

  test('I3 · the greeting opens the line however it was split', () => {
    for (let at = 0; at < GREETING.length; at += 1) {
      const line = greeting([GREETING.slice(0, at)], 'telnet');
      expect(line.data(bytesOf(GREETING.slice(at)), 'telnet', 1_001)).toEqual({
        kind: 'opened',
        greetingBytes: GREETING.length,
      });
    }
  });

  test('other first words open the line after a silence', () => {
    const line = greeting(['Welcome to port 3\r\n']);
    expect(line.deadlineMs()).toBe(1_000 + GREETING_SILENCE_MS);
    expect(line.tick(1_000 + GREETING_SILENCE_MS - 1)).toBeUndefined();
    expect(line.tick(1_000 + GREETING_SILENCE_MS)).toEqual({ kind: 'opened', greetingBytes: undefined });
  });

  test('what a connection that is over says late opens nothing', () => {
    const line = opened();
    line.close(2_000);
    expect([line.connected('raw', 2_001), line.state]).toEqual([undefined, 'closed']);
  });

  test('I4 · an early tick changes nothing', () => {
    for (const line of [new LineState(), connecting(), greeting([]), greeting(['Line']), opened()]) {
      const before = line.snapshot();
      expect(line.tick((line.deadlineMs() ?? 1e9) - 1)).toBeUndefined();
      expect(line.snapshot()).toEqual(before);
    }
  });
});

const REFUSALS = [
  ['Line connection busy\r\n', 'line_busy'],
  ['All connections busy\r\n', 'line_all_busy'],
  ['Line connection not available\r\n', 'line_not_available'],
  ['No answer on any connection\r\n', 'line_no_answer'],
  ['Rejecting connection from unexpected source\r\n', 'line_rejected'],
] as const;

describe('refusals', () => {
  test.each(REFUSALS)(
    'L02 · %j and FIN are %s, whole and byte by byte, and never open',
    (sentence, error) => {
      for (const chunks of [[sentence], sentence.split('')]) {
        for (const codec of ['raw', 'telnet'] as const) {
          const line = greeting(chunks, codec);
          expect(line.deadlineMs()).toBe(1_000 + REFUSAL_FIN_MS);
          expect(line.tick(1_000 + REFUSAL_FIN_MS - 1)).toBeUndefined();
          expect(line.ended(1_900)).toEqual({
            kind: 'refused',
            error,
            detail: `The far end said "${sentence.trim()}".`,
          });
          expect(line.facts('raw')).toMatchObject({ state: 'dead', reason: error });
        }
      }
    },
  );

  test('L02 · FIN without a word is line_closed_silent, RST is line_reset', () => {
    expect(greeting([]).ended(2_000)).toMatchObject({ kind: 'refused', error: 'line_closed_silent' });
    expect(greeting([]).failed('reset', 'ECONNRESET', 2_000)).toMatchObject({ error: 'line_reset' });
  });

  test('L02 · words that are no refusal are told with line_closed_silent', () => {
    expect(greeting(['go away']).ended(2_000)).toMatchObject({
      error: 'line_closed_silent',
      detail: 'The far end said "go away".',
    });
  });

  test('a line that goes on after such words was not refused', () => {
    expect(greeting(['Line connection busy\r\n']).tick(1_000 + REFUSAL_FIN_MS)).toMatchObject({
      kind: 'opened',
    });
  });

  test.each<[ConnectionFailure, string, string]>([
    ['refused', 'connect_refused', 'connect_refused'],
    ['timeout', 'connect_timeout', 'connect_timeout'],
    ['unknown_host', 'host_unknown', 'host_unknown'],
    ['reset', 'line_reset', 'line_reset'],
    ['other', 'connect_failed', 'connect_failed'],
  ])('a failure %s is %s by TCP and %s by greeting', (failure, byTcp, byGreeting) => {
    expect(connecting().failed(failure, 'x', 1)).toEqual({ kind: 'refused', error: byTcp, detail: 'x' });
    expect(greeting([]).failed(failure, 'x', 1)).toEqual({ kind: 'refused', error: byGreeting, detail: 'x' });
  });
});

describe('time', () => {
  test('TCP that does not stand in time ends the attempt, and says what was tried', () => {
    const line = connecting();
    line.tried('10.0.0.1: ETIMEDOUT');
    const error = {
      name: 'connect_timeout',
      detail: 'No TCP connection to pidp10:10018 in time (10.0.0.1: ETIMEDOUT).',
    };
    expect(line.lateness()).toEqual(error);
    expect(line.tick(5_000)).toEqual({ kind: 'timedOut', error });
    expect(line.facts('unknown')).toMatchObject({ state: 'dead', reason: 'connect_timeout' });
  });

  test('L04 · a further caller makes the attempt last longer, never shorter', () => {
    const line = connecting();
    line.join(3_000);
    expect(line.deadlineMs()).toBe(5_000);
    line.join(9_000);
    expect(line.deadlineMs()).toBe(9_000);
    line.close(1);
    line.join(9_000);
    expect(line.deadlineMs()).toBeUndefined();
  });

  test('L03 · the greeting of a halted simulator has no deadline: it may come at any time', () => {
    const line = greeting([]);
    expect([line.deadlineMs(), line.tick(1e9)]).toEqual([undefined, undefined]);
    expect(line.lateness()).toEqual({
      name: 'no_greeting',
      detail: 'TCP to pidp10:10018 is up, but the simulator is not servicing the port (it said nothing).',
    });
    expect(greeting(['\n'], 'telnet').lateness().detail).toContain('(it said "\\n")');
    expect(new LineState().lateness().name).toBe('no_greeting');
  });

  test('what was tried is forgotten when TCP stands', () => {
    const line = connecting();
    line.tried('x');
    line.connected('unknown', 1);
    line.tried('y');
    expect(line.facts('unknown')).not.toHaveProperty('detail');
  });
});

describe('dying', () => {
  test('L17 · the farewell of the simulator and FIN are closed_by_simulator, however split', () => {
    const farewell = '\r\nDisconnected from the KA-10 simulator\r\n\r\n';
    for (let at = 0; at <= farewell.length; at += 1) {
      const line = opened();
      for (const part of ['x'.repeat(500) + farewell.slice(0, at), farewell.slice(at)]) {
        line.data(bytesOf(part), 'telnet', 2_000);
      }
      expect(line.ended(3_000)).toMatchObject({ kind: 'died', reason: 'closed_by_simulator' });
    }
  });

  test('FIN of an open line is closed_by_peer', () => {
    expect(opened().ended(3_000)).toMatchObject({ kind: 'died', reason: 'closed_by_peer' });
  });

  test.each<[ConnectionFailure, string]>([
    ['timeout', 'keepalive_timeout'],
    ['reset', 'reset'],
    ['other', 'failed'],
  ])('a failure %s of an open line is %s', (failure, reason) => {
    const line = opened();
    expect(line.failed(failure, 'because', 3_000)).toEqual({ kind: 'died', reason, detail: 'because' });
    expect([line.state, line.sinceMs, line.attempt]).toEqual(['dead', 3_000, ATTEMPT]);
  });

  test('I6 · a megabyte of first words leaves a state of some kilobytes', () => {
    const line = greeting([]);
    for (let n = 0; n < 1_024; n += 1) line.data(new Uint8Array(1_024).fill(0x61), 'raw', 1_000);
    expect(JSON.stringify(line.snapshot()).length).toBeLessThan(2_000);
  });
});

test('I3 · frozen and thawed at each step, it goes on the same', () => {
  let line = new LineState();
  const events: (LineEvent | undefined)[] = [];
  const step = (act: (line: LineState) => LineEvent | undefined) => {
    line = new LineState(thawed(line.snapshot()));
    events.push(act(line));
  };
  step((l) => {
    l.begin(ATTEMPT, 0);
    return undefined;
  });
  step((l) => l.connected('unknown', 1));
  for (const byte of GREETING) step((l) => l.data(bytesOf(byte), 'telnet', 2));
  step((l) => l.failed('reset', 'gone', 3));
  expect(events.filter((event) => event !== undefined)).toEqual([
    { kind: 'opened', greetingBytes: GREETING.length },
    { kind: 'died', reason: 'reset', detail: 'gone' },
  ]);
});
