import { describe, expect, test } from 'vitest';
import { renderFloor } from '../../src/ctl/floor.ts';
import { describeAuthor } from '../../src/ctl/floorText.ts';
import { Ctl } from './runCtl.ts';

const SINCE = '2031-01-01T00:00:00.000Z';
const MINE = {
  state: 'held',
  holder: {
    client: 'pidp10ctl',
    reader: 'ctl',
    isYou: true,
    kind: 'asked',
    since: SINCE,
    expiresInMs: 59_500,
  },
  waiting: 0,
} as const;

describe('renderFloor', () => {
  test('nobody', () => {
    expect(renderFloor({ state: 'free', waiting: 0 })).toBe('nobody has the floor\n');
  });

  test('who, since when, what he typed, who waits and who asks', () => {
    const from = { client: 'pidp10ctl', reader: 'anna' };
    const holder = { client: 'claude', reader: 'agent', isYou: false, kind: 'call', since: SINCE } as const;
    const requests = [{ from, text: 'may I?', at: SINCE }];
    expect(
      renderFloor({ state: 'held', holder: { ...holder, lastInput: ':listf' }, waiting: 2, requests }),
    ).toBe(
      `claude (agent) has the floor, since ${SINCE}, at work, typed last: :listf, 2 calls waiting for it\n` +
        'pidp10ctl (anna) asks for it: may I?\n',
    );
  });

  test('a lease', () => {
    expect(renderFloor(MINE)).toBe(`you have the floor, since ${SINCE}, free in 59 s if nothing is typed\n`);
  });
});

test('a reader that is called as its client is named once', () => {
  expect([
    describeAuthor({ client: 'a', reader: 'a' }),
    describeAuthor({ client: 'a', reader: 'b' }),
  ]).toEqual(['a', 'a (b)']);
});

describe('the command', () => {
  const reader = { name: 'ctl', offset: 0 };
  const script = ({ method }: { method: string }) => {
    switch (method) {
      case 'hello':
        return {
          result: {
            protocol: { major: 1, minor: 3 },
            daemon: { version: '1', pid: 1, name: 'line' },
            capabilities: [],
            epoch: 'e',
            reader,
          },
        };
      case 'floor.status':
        return { result: MINE };
      case 'floor.request':
        return { result: { token: 5, floor: MINE } };
      case 'floor.release':
        return { result: { state: 'free', waiting: 0 } };
      default:
        return undefined;
    }
  };

  test.each([[['floor']], [['floor', 'status']]])(
    '%j shows it, as the reader whose floor it may be',
    async (argv) => {
      await using ctl = await Ctl.start(script);
      expect(await ctl.run(argv)).toBe(0);
      expect(ctl.stdout).toMatch(/^you have the floor/);
      expect(ctl.paramsOf('hello')[0]).toMatchObject({ reader: 'ctl' });
    },
  );

  test('I8: take asks as it was told, for the reader, and says so', async () => {
    await using ctl = await Ctl.start(script);
    const argv = ['floor', 'take', '--force', '--message', 'why', '--wait-ms', '7', '--lease-ms', '9000'];
    expect(await ctl.run(argv)).toBe(0);
    const asked = { force: true, message: 'why', waitMs: 7, leaseMs: 9_000 };
    expect(ctl.paramsOf('floor.request')).toEqual([asked]);
    expect(ctl.stderr).toBe('pidp10ctl: as reader ctl, until it is released or its lease ends\n');
    expect(await ctl.run(['floor', 'take', '--json'])).toBe(0);
    expect(JSON.parse(ctl.stdout)).toMatchObject({ token: 5 });
  });

  test('release gives it back', async () => {
    await using ctl = await Ctl.start(script);
    expect(await ctl.run(['floor', 'release'])).toBe(0);
    expect([ctl.stdout, ctl.paramsOf('floor.release')]).toEqual(['nobody has the floor\n', [{}]]);
  });

  test.each([
    [['floor', 'grab'], 'floor takes status, take or release, found "grab"'],
    [['floor', 'take', '--lease-ms', '1'], '--lease-ms: '],
    [['floor', '--force'], '--force goes with floor take, not with floor status'],
    [['floor', 'release', '--message', 'x'], '--message goes with floor take, not with floor release'],
  ])('%j is refused', async (argv, message) => {
    await using ctl = await Ctl.start(script);
    expect(await ctl.run(argv)).toBe(2);
    expect(ctl.stderr).toContain(message);
  });
});
