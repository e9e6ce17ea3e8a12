import { describe, expect, test } from 'vitest';
import {
  CONFIRM_AFTER_MS,
  type Floor,
  MAX_PENDING_CHARS,
  STALLED_MS,
  type Step,
  Typist,
} from '../../../src/ctl/attach/typist.ts';

const FREE: Floor = { state: 'free', waiting: 0 };
const MINE = toFloor({ client: 'pidp10ctl', isYou: true });
const THEIRS = toFloor({ client: 'claude', reader: 'agent', isYou: false });

function toFloor(holder: { client: string; reader?: string; isYou: boolean }): Floor {
  return {
    state: 'held',
    holder: { kind: 'asked', since: '2031-01-01T00:00:00Z', ...holder },
    waiting: 0,
  };
}

const key = (text: string) => ({ kind: 'type', text }) as const;
const send = (text: string, token = 5, fields = {}) => ({
  kind: 'send',
  token,
  text,
  isPaste: false,
  isUrgent: false,
  ...fields,
});
const said = (text: string) => ({ kind: 'say', text: expect.stringContaining(text) });
const REQUEST: Step = { kind: 'request', isForced: false };
const FORCE: Step = { kind: 'request', isForced: true };

/** Somebody with the floor and no call under way. */
function typing(): Typist {
  const typist = new Typist('full', FREE);
  typist.type(key('a'), 0);
  typist.handleGranted(5, 0);
  typist.handleFloor(MINE);
  typist.handleSent({ kind: 'sent' }, 0);
  return typist;
}

describe('I8: a free floor', () => {
  test('is taken by typing, once; what was typed meanwhile goes with the first call', () => {
    const typist = new Typist('full', FREE);
    expect(typist.type(key('a'), 0)).toEqual([REQUEST]);
    expect(typist.type(key('b'), 1)).toEqual([]);
    expect(typist.handleGranted(5, 2)).toEqual([send('ab')]);
    expect(typist.hasFloor).toBe(true);
  });

  test('one call types at a time; keys are collected, in order', () => {
    const typist = typing();
    expect(typist.type(key('a'), 0)).toEqual([send('a')]);
    expect(typist.type(key('b'), 1)).toEqual([]);
    expect(typist.type(key('c'), 2)).toEqual([]);
    expect(typist.handleSent({ kind: 'sent' }, 3)).toEqual([send('bc')]);
    expect(typist.handleSent({ kind: 'sent' }, 4)).toEqual([]);
    expect(typist.type(key('d'), 5)).toEqual([send('d')]);
  });

  test('a paste is a call of its own, between what was typed before and behind it', () => {
    const typist = typing();
    typist.type(key('a'), 0);
    typist.type(key('b'), 0);
    typist.type({ kind: 'paste', text: 'x\ry' }, 0);
    typist.type(key('c'), 0);
    expect(typist.handleSent({ kind: 'sent' }, 1)).toEqual([send('b')]);
    expect(typist.handleSent({ kind: 'sent' }, 1)).toEqual([send('x\ry', 5, { isPaste: true })]);
    expect(typist.type({ kind: 'paste', text: 'z' }, 1)).toEqual([]);
    expect(typist.type({ kind: 'paste', text: 'w' }, 1)).toEqual([said('a paste is still waiting')]);
  });

  test('is given back with its token, also when the grant comes later than that', () => {
    expect(typing().release()).toEqual([{ kind: 'release', token: 5 }]);
    const early = new Typist('full', FREE);
    early.type(key('a'), 0);
    expect(early.release()).toEqual([]);
    expect(early.handleGranted(5, 1)).toEqual([{ kind: 'release', token: 5 }]);
    expect(early.release()).toEqual([]);
  });

  test('that fell free by itself is taken anew by the next key', () => {
    const typist = typing();
    expect(typist.handleFloor(FREE)).toEqual([said('free again')]);
    expect(typist.type(key('a'), 9)).toEqual([REQUEST]);
  });

  test(`I6: ${MAX_PENDING_CHARS} characters wait, one more is not taken`, () => {
    const typist = typing();
    typist.type(key('a'), 0);
    expect(typist.type(key('x'.repeat(MAX_PENDING_CHARS)), 0)).toEqual([]);
    expect(typist.type(key('y'), 0)).toEqual([said('not sent')]);
    expect(typist.handleSent({ kind: 'sent' }, 1)).toEqual([send('x'.repeat(MAX_PENDING_CHARS))]);
  });
});

describe('I8: a floor that somebody else has', () => {
  test('the first key is not sent and raises the question', () => {
    const typist = new Typist('full', THEIRS);
    expect(typist.type(key('y'), 0)).toEqual([]);
    expect(typist.question).toMatch(/^claude \(agent\) has the floor; your key was not sent/);
  });

  test('y after a silence takes it by force; what was typed before is not sent', () => {
    const typist = new Typist('full', THEIRS);
    typist.type(key('a'), 0);
    expect(typist.type(key('y'), CONFIRM_AFTER_MS)).toEqual([FORCE]);
    expect(typist.question).toBe(undefined);
    expect(typist.handleGranted(8, 900)).toEqual([]);
    expect(typist.type(key('b'), 901)).toEqual([send('b', 8)]);
  });

  test('a word typed without looking confirms nothing, whatever is in it', () => {
    const typist = new Typist('full', THEIRS);
    const steps = Array.from('yyyyyyyy', (letter, index) =>
      typist.type(key(letter), index * (CONFIRM_AFTER_MS - 1)),
    );
    expect(steps.flat()).toEqual([]);
    expect(typist.question).not.toBe(undefined);
  });

  test('any other key ends the question, and is not sent', () => {
    const typist = new Typist('full', THEIRS);
    typist.type(key('a'), 0);
    expect(typist.type(key('n'), CONFIRM_AFTER_MS)).toEqual([]);
    expect(typist.question).toBe(undefined);
    expect(typist.type(key('y'), CONFIRM_AFTER_MS + 1)).toEqual([]);
    expect(typist.question).not.toBe(undefined);
  });

  test('a paste confirms nothing', () => {
    const typist = new Typist('full', THEIRS);
    typist.type(key('a'), 0);
    expect(typist.type({ kind: 'paste', text: 'y' }, CONFIRM_AFTER_MS)).toEqual([]);
    expect(typist.hasFloor).toBe(false);
  });

  test('the command takes it at once', () => {
    expect(new Typist('full', THEIRS).force()).toEqual([FORCE]);
  });

  test('that falls free ends the question', () => {
    const typist = new Typist('full', THEIRS);
    typist.type(key('a'), 0);
    expect(typist.handleFloor(FREE)).toEqual([said('the next key takes it')]);
    expect(typist.type(key('y'), 2_000)).toEqual([REQUEST]);
  });

  test('somebody was quicker: what was typed is not sent', () => {
    const typist = new Typist('full', FREE);
    typist.type(key('abc'), 0);
    expect(typist.handleHeld(THEIRS, 1)).toEqual([]);
    expect(typist.question).toMatch(/claude/);
    typist.type(key('y'), 1 + CONFIRM_AFTER_MS);
    expect(typist.handleGranted(9, 2_000)).toEqual([]);
  });

  test('taken over: said, and what was collected is forgotten', () => {
    const typist = typing();
    typist.type(key('a'), 0);
    typist.type(key('b'), 0);
    expect(typist.handleFloor(THEIRS)).toEqual([said('claude (agent) has the floor')]);
    expect(typist.handleSent({ kind: 'floor_lost' }, 1)).toEqual([said('changed hands')]);
    expect(typist.release()).toEqual([]);
  });
});

describe('urgent keys', () => {
  test('^G and ^Ecb pass a call under way, and what waits behind it is given up', () => {
    for (const event of [key('\x07'), { kind: 'urgent', text: '\x03' } as const]) {
      const typist = typing();
      typist.type(key('a'), 0);
      typist.type(key('bcd'), 0);
      expect(typist.type(event, 1)).toEqual([send(event.text, 5, { isUrgent: true })]);
      expect(typist.handleSent({ kind: 'sent' }, 2)).toEqual([]);
      expect(typist.handleSent({ kind: 'sent' }, 2)).toEqual([]);
    }
  });

  test('^S is a key like others (EMACS searches with it) until the line stands still', () => {
    const typist = typing();
    typist.type(key('a'), 0);
    expect(typist.type(key('\x13'), STALLED_MS - 1)).toEqual([]);
    expect(typist.type(key('\x13'), STALLED_MS)).toEqual([send('\x13', 5, { isUrgent: true })]);
  });
});

describe('a call that failed', () => {
  test('what was typed behind it is not sent: it was meant for what did not happen', () => {
    const typist = typing();
    typist.type(key('a'), 0);
    typist.type(key('b'), 0);
    expect(typist.handleSent({ kind: 'failed', text: 'no' }, 1)).toEqual([said('no')]);
    expect(typist.type(key('c'), 2)).toEqual([send('c')]);
  });

  test('a request that failed is said, and the next key asks again', () => {
    const typist = new Typist('full', FREE);
    typist.type(key('a'), 0);
    expect(typist.handleRequestFailed('no such thing')).toEqual([said('no such thing')]);
    expect(typist.type(key('b'), 1)).toEqual([REQUEST]);
    expect(typist.handleGranted(5, 2)).toEqual([send('b')]);
  });

  test('another connection begins without a floor and without calls', () => {
    const typist = typing();
    typist.type(key('a'), 0);
    typist.handleReconnect(FREE);
    expect(typist.type(key('b'), 1)).toEqual([REQUEST]);
    expect(typist.handleGranted(6, 2)).toEqual([send('b', 6)]);
  });
});

describe('W14: a spy', () => {
  test.each(['read', 'spy'] as const)('with access %s types nothing and takes nothing', (access) => {
    const typist = new Typist(access, FREE);
    const steps = [
      ...typist.type(key('a'), 0),
      ...typist.type({ kind: 'paste', text: 'x' }, 0),
      ...typist.type({ kind: 'urgent', text: '\x07' }, 0),
      ...typist.force(),
      ...typist.spy(),
    ];
    expect(steps).toHaveLength(5);
    expect(new Set(steps.map(({ kind }) => kind))).toEqual(new Set(['say']));
  });

  test('whoever goes over to watching gives the floor back, and may come back', () => {
    const typist = typing();
    expect(typist.spy()).toEqual([{ kind: 'release', token: 5 }, said('watching only')]);
    expect(typist.type(key('a'), 1)).toEqual([said('watching only')]);
    expect(typist.attach()).toEqual([said('takes the floor')]);
    typist.handleFloor(FREE);
    expect(typist.type(key('a'), 1)).toEqual([REQUEST]);
  });

  test('a connection without the right is never promoted', () => {
    const typist = new Typist('read', FREE);
    expect(typist.attach()).toEqual([said('without --spy')]);
    expect(typist.access).toBe('read');
  });
});
