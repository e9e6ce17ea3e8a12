import { describe, expect, test } from 'vitest';
import {
  isFarewell,
  mayBecomeRefusal,
  parseRefusal,
  tryGreetingEnd,
} from '../../../src/core/its/greeting.ts';

const REFUSALS = [
  ['Line connection busy\r\n', 'line_busy'],
  ['All connections busy\r\n', 'line_all_busy'],
  ['Line connection not available\r\n', 'line_not_available'],
  ['No answer on any connection\r\n', 'line_no_answer'],
  ['Rejecting connection from unexpected source\r\n', 'line_rejected'],
] as const;

describe('refusals', () => {
  test.each(REFUSALS)('L02 · %j is %s once it is whole, and may become one before', (sentence, error) => {
    expect(parseRefusal(sentence)).toBe(error);
    for (let length = 0; length < sentence.trimEnd().length; length += 1) {
      expect(parseRefusal(sentence.slice(0, length))).toBeUndefined();
      expect(mayBecomeRefusal(sentence.slice(0, length))).toBe(true);
    }
  });

  test('other first words are none', () => {
    for (const text of ['\n\r\nConnected to the KA-10', 'busy', 'KA ITS', 'Line 9']) {
      expect([parseRefusal(text), mayBecomeRefusal(text)]).toEqual([undefined, false]);
    }
  });
});

test('the greeting ends with CR LF LF, and what comes behind it is not part of it', () => {
  const greeting = '\n\r\nConnected to the KA-10 simulator MTY device, line 9\r\n\n';
  expect(tryGreetingEnd(greeting)).toBe(greeting.length);
  expect(tryGreetingEnd(`${greeting}KA ITS`)).toBe(greeting.length);
  for (let length = 0; length < greeting.length; length += 1) {
    expect(tryGreetingEnd(greeting.slice(0, length))).toBeUndefined();
  }
});

test('L17 · the farewell is told from other words', () => {
  expect(isFarewell('\r\nDisconnected from the KA-10 simulator\r\n\r\n')).toBe(true);
  expect(isFarewell('Disconnected from the line')).toBe(false);
});
