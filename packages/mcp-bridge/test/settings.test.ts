import { describe, expect, it } from 'vitest';
import { PROGRESS_EVERY_MS, RETURN_AFTER_MS, readSettings } from '../src/settings.ts';

describe('settings', () => {
  it('are flags over environment over nothing: the defaults of the line belong to the daemon', () => {
    const env = { PIDP10_HOST: 'env', PIDP10_PORT: '1', PIDP10_READER: 'from-env' };
    expect(readSettings({}, {})).toMatchObject({
      host: undefined,
      port: undefined,
      reader: undefined,
      maySpawn: true,
    });
    expect(readSettings({}, env)).toMatchObject({ host: 'env', port: 1, reader: 'from-env' });
    const flags = { host: 'flag', port: '2', reader: 'from-flag', spawn: false };
    expect(readSettings(flags, env)).toMatchObject({
      host: 'flag',
      port: 2,
      reader: 'from-flag',
      maySpawn: false,
    });
    expect(readSettings({}, { PIDP10_HOST: '', PIDP10_PORT: '' })).toMatchObject({
      host: undefined,
      port: undefined,
    });
  });

  it('give a daemon that is started here only what was set here', () => {
    expect(readSettings({}, {}).spawn.args).toEqual([]);
    expect(readSettings({ host: 'h' }, { PIDP10_PORT: '7' }).spawn.args).toEqual([
      '--host',
      'h',
      '--port',
      '7',
    ]);
  });

  it('lead to the same socket as those of a daemon', async () => {
    const env = { HOME: '/home/me', XDG_STATE_HOME: '/s', PIDP10_NAME: 'vt05' };
    const paths = await readSettings({ stateDir: '/mine' }, env).resolvePaths();
    expect(paths).toMatchObject({ name: 'vt05', stateDir: '/mine', socket: '/mine/vt05.sock' });
    const other = await readSettings(
      { name: 'x', socket: '/tmp/y.sock' },
      { ...env, PIDP10_STATE_DIR: '/t' },
    ).resolvePaths();
    expect(other).toMatchObject({ name: 'x', stateDir: '/t', socket: '/tmp/y.sock' });
  });

  it.each<readonly [flags: object, env: Readonly<Record<string, string>>, message: RegExp]>([
    [{ port: '0' }, {}, /port/],
    [{ port: '65536' }, {}, /port/],
    [{}, { PIDP10_PORT: 'abc' }, /port.*"abc"/],
    ...['', ' 80', '8e1', '0x50', '+80', '80.0'].map(
      (port) => [{ port }, {}, new RegExp(`port.*${JSON.stringify(port).replace('+', '.')}`)] as const,
    ),
    ...['soon', '99', '1e3', '0x400', '-1000'].map(
      (ms) =>
        [
          {},
          { PIDP10_MCP_RETURN_AFTER_MS: ms },
          /PIDP10_MCP_RETURN_AFTER_MS must be a number of ms from 100/,
        ] as const,
    ),
    [{}, { PIDP10_MCP_PROGRESS_EVERY_MS: 'soon' }, /PIDP10_MCP_PROGRESS_EVERY_MS.*"soon"/],
    [{ reader: 'a b' }, {}, /reader.*"a b"/],
    [{ reader: 'x'.repeat(65) }, {}, /reader/],
  ])('that are wrong are named: %o %o', (flags, env, message) => {
    expect(() => readSettings(flags, env)).toThrow(message);
  });

  it('have limits that only tests change; an empty variable is an unset one', () => {
    expect(readSettings({}, {})).toMatchObject({
      returnAfterMs: RETURN_AFTER_MS,
      progressEveryMs: PROGRESS_EVERY_MS,
    });
    const env = { PIDP10_MCP_RETURN_AFTER_MS: '1000', PIDP10_MCP_PROGRESS_EVERY_MS: '' };
    expect(readSettings({}, env)).toMatchObject({ returnAfterMs: 1_000, progressEveryMs: PROGRESS_EVERY_MS });
    expect(readSettings({}, { PIDP10_MCP_RETURN_AFTER_MS: '100' })).toMatchObject({ returnAfterMs: 100 });
    // M09: a client gives up after 60 s, and counts on progress within 10 s.
    expect(RETURN_AFTER_MS).toBeLessThanOrEqual(50_000);
    expect(PROGRESS_EVERY_MS).toBeLessThanOrEqual(10_000);
  });
});
