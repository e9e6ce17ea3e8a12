import { describe, expect, test } from 'vitest';
import type { Channel } from '../../src/core/channel.ts';
import type { Settlement } from '../../src/core/events.ts';
import { FAR_BUFFER_CHARS } from '../../src/core/pacing/readProofState.ts';
import { hintFor } from '../../src/rpc/hints.ts';
import type { LineService } from '../../src/rpc/lineService.ts';
import { toFacts, toOutcome, toSlice } from '../../src/rpc/outcome.ts';
import { GREETED, LineRun } from '../core/lineRun.ts';

const OPTIONS = { tidy: true, echo: 'keep', maxChars: 20_000 } as const;

function serviceOf(channel: Channel): LineService {
  const refuse = () => {
    throw new Error('an answer begins nothing');
  };
  return {
    channel,
    conversation: channel.conversation,
    epoch: 'e1',
    archive: undefined,
    lost: [],
    isLeaving: false,
    bytesIn: 0,
    lateness: { mean: 0, max: 0 },
    nowMs: () => 0,
    wait: refuse,
    requestFloor: refuse,
    endTurn: refuse,
    releaseFloor: refuse,
    left: refuse,
    note: refuse,
    subscribe: refuse,
    readersChanged: refuse,
    close: refuse,
    unstick: refuse,
    saveText: refuse,
    every: refuse,
  };
}

function settlementOf(run: LineRun, waitId: string): Settlement {
  const settlement = run.endings.get(waitId)?.settlement;
  if (settlement === undefined) throw new Error(`${waitId} has not settled`);
  return settlement;
}

function outcomeOf(run: LineRun, waitId: string, options: Partial<Parameters<typeof toOutcome>[2]> = {}) {
  return toOutcome(serviceOf(run.channel), settlementOf(run, waitId), { ...OPTIONS, ...options });
}

describe('an outcome', () => {
  test('I12 · says what ended the wait, what came, what went out, and what waits behind it', () => {
    const run = new LineRun().opened().hear('old  \r\n').send('s', ':vk\r', { pattern: 'two' });
    run.hear(':vk\r\none \x07\r\n\r\n\r\n\x1bKtwo').after(500).hear('!!!');
    const sent = GREETED + 7;
    expect(outcomeOf(run, 's')).toMatchObject({
      reason: 'matched',
      before: { start: GREETED, end: sent, text: 'old\n', truncated: false, lines: 1 },
      output: { start: sent, end: sent + 21, text: ':vk\none\n\ntwo', truncated: false, lines: 3 },
      echoEnd: sent + 4,
      match: { start: sent + 18, end: sent + 21 },
      accepted: 4,
      sent: 4,
      remaining: 3,
      pages: 0,
      bells: 1,
      epoch: 'e1',
      lineState: { state: 'open', host: 'pidp10', port: 10018, codec: 'telnet' },
    });
  });

  test.each([
    [FAR_BUFFER_CHARS, /^No byte has come/],
    [FAR_BUFFER_CHARS + 1, /40 a second/],
  ])('I13 · of %i characters of which nothing came back it says whether they went unseen', (chars, hint) => {
    const run = new LineRun().opened().send('s', 'x'.repeat(chars)).after(60_000);
    const outcome = outcomeOf(run, 's');
    expect(outcome).toMatchObject({ sent: chars, echoed: 0 });
    expect(hintFor(serviceOf(run.channel), outcome)).toMatch(hint);
  });

  test('untidied, the text is as it came', () => {
    const run = new LineRun().opened().read('r').hear('a  \r\n\r\n\r\nb ').after(5_000);
    expect(outcomeOf(run, 'r', { tidy: false }).output.text).toBe('a  \n\n\nb ');
  });

  test('the echo is left out only where it was recognised exactly', () => {
    const exact = new LineRun().opened().send('s', ':vk\r').hear(':vk\r\n\x1bK*').after(5_000);
    expect(outcomeOf(exact, 's', { echo: 'strip' }).output).toMatchObject({ start: GREETED + 4, text: '*' });
    const other = new LineRun().opened().send('s', ':vk\r').hear(':v JOB? k').after(5_000);
    expect(outcomeOf(other, 's', { echo: 'strip' }).output.text).toBe(':v JOB? k');
    const none = new LineRun().opened().read('r').hear('abc').after(5_000);
    expect(outcomeOf(none, 'r', { echo: 'strip' }).output.text).toBe('abc');
  });

  test('T5 · page turns are left out, and counted', () => {
    const run = new LineRun().opened().send('s', ':l\r').hear(':l\r\n\x1bKone\r\n\x1bK--More--').after(200);
    run.hear(' \x1bH\x1bKtwo\r\n\x1bK*').after(5_000);
    expect(outcomeOf(run, 's')).toMatchObject({ pages: 1, output: { text: ':l\none\ntwo\n*', lines: 3 } });
  });

  test('T1 · of unread output the newest half of maxChars is given, and it says so', () => {
    const run = new LineRun().opened().hear('0123456789').send('s', 'x\r').hear('x\r\nyes').after(5_000);
    const { before } = outcomeOf(run, 's', { maxChars: 7 });
    expect(before).toEqual({
      start: GREETED + 6,
      end: GREETED + 10,
      text: '6789',
      truncated: true,
      lines: 0,
    });
    expect(outcomeOf(run, 's', { maxChars: 20 }).before?.truncated).toBe(false);
  });
});

test('a slice that begins in bytes that are gone says truncated, and where it begins', () => {
  const run = new LineRun({ channel: { ringBytes: 4_096 } }).opened().hear('x'.repeat(20_000));
  const { scrollback } = run.channel.conversation;
  const service = serviceOf(run.channel);
  const slice = toSlice(service, { span: { start: 0, end: scrollback.oldest + 3 }, isCut: false }, true);
  expect(slice).toEqual({
    start: scrollback.oldest,
    end: scrollback.oldest + 3,
    text: 'xxx',
    truncated: true,
    lines: 0,
  });
  const gone = toSlice(service, { span: { start: 0, end: 5 }, isCut: false }, true);
  expect(gone).toEqual({ start: 5, end: 5, text: '', truncated: true, lines: 0 });
});

test('S02 · a slice with bytes in it that were lost says truncated, its neighbours do not', () => {
  const run = new LineRun().opened().read('r').hear('abcdef').after(5_000);
  const lost = [{ start: GREETED + 2, end: GREETED + 4 }];
  const isTruncated = (start: number, end: number) =>
    toSlice(
      { ...serviceOf(run.channel), lost },
      { span: { start: GREETED + start, end: GREETED + end }, isCut: false },
      true,
    ).truncated;
  expect([isTruncated(0, 2), isTruncated(0, 3), isTruncated(3, 6), isTruncated(4, 6)]).toEqual([
    false,
    true,
    true,
    false,
  ]);
});

test('the facts of the channel stand beside every answer', () => {
  const facts = toFacts(serviceOf(new LineRun().channel));
  expect(facts).toMatchObject({ lineState: { state: 'closed', codec: 'unknown' }, epoch: 'e1' });
});
