import { describe, expect, test } from 'vitest';
import {
  assertName,
  assertSocketPath,
  MAX_SOCKET_PATH_BYTES,
  type PathInputs,
  resolvePaths,
} from '../../src/node/paths.ts';

function pathsOf(inputs: Partial<PathInputs> = {}) {
  return resolvePaths({
    side: 'client',
    env: {},
    platform: 'linux',
    uid: 1000,
    homedir: '/home/u',
    exists: () => false,
    ...inputs,
  });
}

test('everything at once, with the name in each file', () => {
  expect(pathsOf({ name: 'vt05', env: { XDG_RUNTIME_DIR: '/run/user/1000' } })).toEqual({
    name: 'vt05',
    socket: '/run/user/1000/pidp10d/vt05.sock',
    socketSource: 'runtime',
    stateDir: '/home/u/.local/state/pidp10d',
    runtimeDir: '/run/user/1000/pidp10d',
    ownsRuntimeDir: true,
    lock: '/home/u/.local/state/pidp10d/vt05.lock',
    config: '/home/u/.local/state/pidp10d/config.json',
  });
});

describe('the socket', () => {
  const env = { PIDP10D_SOCKET: '/e/s', XDG_RUNTIME_DIR: '/run/user/1000' };
  const exists = (path: string) => path === '/run/pidp10d/line.sock';
  test.each<[string, Partial<PathInputs>, string, string]>([
    ['an option comes first', { socket: '/o/s', env, exists }, '/o/s', 'option'],
    ['then the environment', { env, exists }, '/e/s', 'environment'],
    [
      'then a system service that is there',
      { env: { ...env, PIDP10D_SOCKET: '' }, exists },
      '/run/pidp10d/line.sock',
      'service',
    ],
    [
      'a service of another name is not it',
      { name: 'x', env: { XDG_RUNTIME_DIR: '/r' }, exists },
      '/r/pidp10d/x.sock',
      'runtime',
    ],
    ['then the runtime folder', { env: { XDG_RUNTIME_DIR: '/r' } }, '/r/pidp10d/line.sock', 'runtime'],
    [
      'a relative runtime folder is ignored',
      { env: { XDG_RUNTIME_DIR: 'r' } },
      '/home/u/.local/state/pidp10d/line.sock',
      'state',
    ],
    [
      'the runtime folder of another user (sudo) is ignored',
      { uid: 0, env: { XDG_RUNTIME_DIR: '/run/user/1000' } },
      '/home/u/.local/state/pidp10d/line.sock',
      'state',
    ],
    ['last the state folder', { stateDir: '/s' }, '/s/line.sock', 'state'],
    [
      'a daemon is the service if systemd says so',
      { side: 'daemon', env: { RUNTIME_DIRECTORY: '/run/pidp10d:/run/b' } },
      '/run/pidp10d/line.sock',
      'service',
    ],
    [
      'a daemon started by hand is not',
      { side: 'daemon', env: { XDG_RUNTIME_DIR: '/r' }, exists },
      '/r/pidp10d/line.sock',
      'runtime',
    ],
  ])('%s', (_title, inputs, socket, socketSource) => {
    expect(pathsOf(inputs)).toMatchObject({ socket, socketSource });
  });

  test('a folder that somebody chose is not ours to change', () => {
    expect(pathsOf({ socket: '/tmp/s' }).ownsRuntimeDir).toBe(false);
    expect(pathsOf({ env: { PIDP10D_SOCKET: '/tmp/s' } }).ownsRuntimeDir).toBe(false);
  });

  test('a relative option counts from the working directory', () => {
    expect(pathsOf({ socket: 's' }).socket).toBe(`${process.cwd()}/s`);
  });
});

describe('the state folder', () => {
  test.each<[string, Partial<PathInputs>, string]>([
    ['an option comes first', { stateDir: '/o', env: { STATE_DIRECTORY: '/v', XDG_STATE_HOME: '/x' } }, '/o'],
    ['then the service manager', { env: { STATE_DIRECTORY: '/v:/w', XDG_STATE_HOME: '/x' } }, '/v'],
    ['then XDG', { env: { STATE_DIRECTORY: '', XDG_STATE_HOME: '/x' } }, '/x/pidp10d'],
    ['XDG on macOS too, if set', { platform: 'darwin', env: { XDG_STATE_HOME: '/x' } }, '/x/pidp10d'],
    ['else the home of macOS', { platform: 'darwin' }, '/home/u/Library/Application Support/pidp10d'],
    ['else the home of XDG', { env: { XDG_STATE_HOME: 'relative' } }, '/home/u/.local/state/pidp10d'],
  ])('%s', (_title, inputs, stateDir) => {
    expect(pathsOf(inputs).stateDir).toBe(stateDir);
  });
});

describe('D07 · the length of the path', () => {
  const folderFor = (bytes: number) => `/${'d'.repeat(bytes - '//line.sock'.length)}`;

  test.each(['client', 'daemon'] as const)('%s: 103 bytes pass', (side) => {
    const { socket } = pathsOf({ side, stateDir: folderFor(103) });
    expect(Buffer.byteLength(socket)).toBe(MAX_SOCKET_PATH_BYTES);
  });

  test.each(
    [104, 107, 108, 200].flatMap((bytes) => [[bytes, 'client'] as const, [bytes, 'daemon'] as const]),
  )('%i bytes are refused in the %s, with length and remedy', (bytes, side) => {
    const attempt = () => pathsOf({ side, stateDir: folderFor(bytes) });
    expect(attempt).toThrow(expect.objectContaining({ code: 'socket_path_too_long' }));
    expect(attempt).toThrow(`has ${bytes} bytes, 103 are possible`);
    expect(attempt).toThrow('Choose a shorter state or runtime folder, or give --socket.');
  });

  test('bytes count, not characters', () => {
    expect(() => assertSocketPath(`/${'é'.repeat(52)}`)).toThrow('has 105 bytes');
    expect(() => assertSocketPath(`/${'é'.repeat(51)}`)).not.toThrow();
  });
});

test.each(['line', 'vt05', 'A.b_c-9', '0', 'x'.repeat(32)])('%s is a name', (name) => {
  expect(() => assertName(name)).not.toThrow();
});

test.each(['', '.', '..', '-x', '_x', 'a/b', 'a b', 'é', 'a\n', 'x'.repeat(33), '../x'])(
  '%j is no name',
  (name) => {
    expect(() => pathsOf({ name })).toThrow(expect.objectContaining({ code: 'name_invalid' }));
  },
);
