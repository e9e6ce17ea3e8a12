import { expect, test } from 'vitest';
import { childEnvironment } from '../../src/io/childEnvironment.ts';
import { onPipes } from './process/recorder.ts';

const options = { cwd: '/work', isPty: false, mark: 'm' };

test('C05 · a child gets what every program expects, and nothing of the daemon’s own', () => {
  const base = {
    PATH: '/bin',
    HOME: '/h',
    USER: 'u',
    LANG: 'C.UTF-8',
    LC_TIME: 'de_DE',
    TZ: 'UTC',
    TERM: 'screen',
    PWD: '/',
    PIDP10_TOKEN: 't',
    PIDP10_SOCKET: 's',
    NODE_OPTIONS: '--inspect',
    NODE_EXTRA_CA_CERTS: 'x',
    GITHUB_TOKEN: 't',
    NOTIFY_SOCKET: 'n',
    WATCHDOG_USEC: '1',
    WATCHDOG_PID: '1',
    LISTEN_FDS: '1',
    LISTEN_PID: '1',
    LD_PRELOAD: 'x',
    HOLE: undefined,
  };
  expect(childEnvironment({ ...options, base })).toEqual({
    PATH: '/bin',
    HOME: '/h',
    USER: 'u',
    LANG: 'C.UTF-8',
    LC_TIME: 'de_DE',
    TZ: 'UTC',
    TERM: 'dumb',
    PWD: '/work',
    COMMAND_SESSION_MARK: 'm',
  });
});

test('the caller adds, replaces and removes; the mark stays', () => {
  const base = { HOME: '/h', LANG: 'C' };
  const extra = { LANG: 'en', HOME: undefined, PIDP10_HOST: 'asked for', COMMAND_SESSION_MARK: 'other' };
  expect(childEnvironment({ ...options, isPty: true, base, extra })).toEqual({
    PATH: '/usr/local/bin:/usr/bin:/bin',
    LANG: 'en',
    TERM: 'xterm-256color',
    PWD: '/work',
    PIDP10_HOST: 'asked for',
    COMMAND_SESSION_MARK: 'm',
  });
});

test.each([
  ['A=B', 'x'],
  ['', 'x'],
  ['A\0', 'x'],
  ['A', 'x\0'],
])('%j=%j is refused', (name, value) => {
  expect(() => childEnvironment({ ...options, base: {}, extra: { [name]: value } })).toThrow(RangeError);
});

test('C05 · and that is what a program sees', async () => {
  process.env['PIDP10_CANARY'] = 'secret';
  const child = await onPipes(['env']);
  await child.over();
  delete process.env['PIDP10_CANARY'];
  expect(child.text()).toContain('TERM=dumb');
  expect(child.text()).not.toMatch(/PIDP10|secret|NODE_OPTIONS/);
});
