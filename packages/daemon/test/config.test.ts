import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type Config, ConfigError, DEFAULT_HOST, DEFAULT_PORT, readConfig } from '../src/config.ts';

let home: string;

beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'p10-'));
});

afterEach(() => rmSync(home, { recursive: true }));

function read(argv: readonly string[] = [], env: Readonly<Record<string, string>> = {}): Config {
  return readConfig({ argv, env, platform: 'linux', uid: 1_000, homedir: home, version: '0.0.0' });
}

function writeSettings(settings: unknown, name = 'config.json'): string {
  const folder = join(home, '.local', 'state', 'pidp10d');
  mkdirSync(folder, { recursive: true });
  const path = join(folder, name);
  writeFileSync(path, typeof settings === 'string' ? settings : JSON.stringify(settings));
  return path;
}

function problemOf(act: () => unknown): string {
  try {
    act();
  } catch (error) {
    if (error instanceof ConfigError) return error.message;
    throw error;
  }
  throw new Error('no error');
}

test('without anything the defaults hold: the VT52 line of a stock PiDP-10', () => {
  const config = read();
  expect(config).toMatchObject({
    host: DEFAULT_HOST,
    port: DEFAULT_PORT,
    telnet: 'auto',
    bits: 7,
    logLevel: 'info',
  });
  expect(config.paths).toMatchObject({ name: 'line', socketSource: 'state' });
});

describe('precedence', () => {
  test.each([
    {
      key: 'host',
      flag: '--host',
      variable: 'PIDP10_HOST',
      values: ['file.example', 'env.example', 'flag.example'],
    },
    { key: 'port', flag: '--port', variable: 'PIDP10_PORT', values: [1, 2, 3] },
    { key: 'telnet', flag: '--telnet', variable: 'PIDP10_TELNET', values: ['on', 'off', 'auto'] },
    { key: 'bits', flag: '--bits', variable: 'PIDP10_BITS', values: [8, 7, 8] },
    {
      key: 'ringBytes',
      flag: '--ring-bytes',
      variable: 'PIDP10_RING_BYTES',
      values: [40_000, 50_000, 60_000],
    },
    {
      key: 'logLevel',
      flag: '--log-level',
      variable: 'PIDP10_LOG_LEVEL',
      values: ['warn', 'debug', 'trace'],
    },
  ] as const)(
    '$key: flag over environment over file',
    ({ key, flag, variable, values: [file, environment, given] }) => {
      writeSettings({ [key]: file });
      expect(read()[key]).toBe(file);
      expect(read([], { [variable]: String(environment) })[key]).toBe(environment);
      expect(read([flag, String(given)], { [variable]: String(environment) })[key]).toBe(given);
      expect(read([`${flag}=${given}`])[key]).toBe(given);
    },
  );

  test('socket: flag over environment over file', () => {
    writeSettings({ socket: '/file.sock' });
    expect(read().paths.socket).toBe('/file.sock');
    expect(read([], { PIDP10D_SOCKET: '/env.sock' }).paths.socket).toBe('/env.sock');
    expect(read(['--socket', '/flag.sock'], { PIDP10D_SOCKET: '/env.sock' }).paths.socket).toBe('/flag.sock');
  });

  test('an empty variable is an unset one', () => {
    expect(read([], { PIDP10_PORT: '', PIDP10_HOST: '', PIDP10_CONFIG: '', PIDP10_NAME: '' })).toMatchObject({
      host: DEFAULT_HOST,
      port: DEFAULT_PORT,
    });
  });

  test('name and state folder come from flag or environment', () => {
    expect(read([], { PIDP10_NAME: 'vt05', PIDP10_STATE_DIR: '/s' }).paths).toMatchObject({
      name: 'vt05',
      lock: '/s/vt05.lock',
    });
    expect(read(['--name', 'aaa', '--state-dir', '/t'], { PIDP10_NAME: 'vt05' }).paths).toMatchObject({
      lock: '/t/aaa.lock',
    });
  });

  test('another file may be named, and must be there then', () => {
    const path = writeSettings({ port: 4 }, 'other.json');
    expect(read(['--config', path]).port).toBe(4);
    expect(read([], { PIDP10_CONFIG: path }).port).toBe(4);
    expect(problemOf(() => read(['--config', `${path}.not`]))).toContain(`${path}.not cannot be read`);
  });
});

test('of a flag that is given twice the last one counts', () => {
  const config = read([
    '--port',
    '1',
    '--socket',
    '/a',
    '--name',
    'a',
    '--port',
    '2',
    '--socket',
    '/b',
    '--name',
    'b',
  ]);
  expect(config).toMatchObject({ port: 2, paths: { socket: '/b', name: 'b' } });
});

describe('the size of the screen', () => {
  test('is rows x columns, by flag over environment over file; a VT52 if nothing is said', () => {
    expect(read()).not.toHaveProperty('screen');
    writeSettings({ screen: '2x20' });
    expect(read().screen).toEqual({ rows: 2, columns: 20 });
    expect(read([], { PIDP10_SCREEN: '200x250' }).screen).toEqual({ rows: 200, columns: 250 });
    expect(read(['--screen', '60x132'], { PIDP10_SCREEN: '200x250' }).screen).toEqual({
      rows: 60,
      columns: 132,
    });
  });

  test.each([
    '',
    '24',
    'x80',
    '24x',
    '80x24x1',
    '24 x 80',
    '1x80',
    '201x80',
    '24x19',
    '24x251',
    '-24x80',
    '24X80',
    '2.5x80',
  ])('%j is none', (screen) => {
    expect(problemOf(() => read([`--screen=${screen}`]))).toContain(
      'Wrong setting in flags: screen: needs rows and columns, such as 24x80, from 2x20 to 200x250',
    );
  });

  test.each([24, { rows: 24, columns: 80 }, null])('%j in the file is none', (screen) => {
    writeSettings({ screen });
    expect(problemOf(() => read())).toContain('screen: needs rows and columns');
  });
});

describe('errors', () => {
  test.each([
    { argv: ['--port', '0'], says: /flags: port/ },
    { argv: ['--port', '1.5'], says: /flags: port/ },
    { argv: ['--port', ''], says: /flags: port/ },
    { argv: ['--port'], says: /port/ },
    { argv: ['--host', ''], says: /flags: host/ },
    { argv: ['--bits', '9'], says: /flags: bits/ },
    { argv: ['--ring-bytes', '100'], says: /flags: ringBytes/ },
    { argv: ['--ring-bytes', '1e9'], says: /flags: ringBytes/ },
    { argv: ['--telnet', 'yes'], says: /flags: telnet/ },
    { argv: ['--log-level', 'all'], says: /flags: logLevel/ },
    { argv: ['--name', 'a/b'], says: /"a\/b"/ },
    { argv: ['--name', 'x'.repeat(33)], says: /xxx/ },
    { argv: ['--socket', '/s'.repeat(100)], says: /200 bytes, 103 are possible/ },
    { argv: ['--verbose'], says: /verbose/ },
    { argv: ['serve'], says: /serve/ },
  ])('$argv: $says', ({ argv, says }) => {
    expect(problemOf(() => read(argv))).toMatch(says);
  });

  const NUMBERS = ['port', 'bits', 'ring-bytes', 'window-chars', 'nop-after-ms', 'quota-bytes'];
  test.each(NUMBERS)('--%s and its variable take digits and nothing else', (flag) => {
    const variable = `PIDP10_${flag.toUpperCase().replaceAll('-', '_')}`;
    for (const value of [' ', '0x10', '1e3', '+7', '7 ', 'NaN', '1'.repeat(17)]) {
      const says = `needs a whole number, found ${JSON.stringify(value)}`;
      expect(problemOf(() => read([`--${flag}=${value}`]))).toContain(says);
      expect(problemOf(() => read([], { [variable]: value }))).toContain(says);
    }
    expect(problemOf(() => read([`--${flag}=`]))).toContain('needs a whole number, found ""');
  });

  test('a wrong variable is named with its place', () => {
    expect(problemOf(() => read([], { PIDP10_PORT: 'ten' }))).toMatch(
      /environment \(.*PIDP10_PORT.*\): port/,
    );
  });

  test.each(['{', '', 'null', '[]', '42', '{"prot":1}', '{"port":"x"}', '{"port":null}'])(
    'the file %j is refused by name',
    (text) => {
      const path = writeSettings(text);
      expect(problemOf(() => read())).toContain(path);
    },
  );

  test('a folder in place of the file is refused by name', () => {
    mkdirSync(join(home, '.local', 'state', 'pidp10d', 'config.json'), { recursive: true });
    expect(problemOf(() => read())).toContain('config.json cannot be read');
  });

  test('a file with the key __proto__ has an unknown key', () => {
    writeSettings('{"__proto__":{"port":1}}');
    expect(problemOf(() => read())).toContain('__proto__');
  });
});
