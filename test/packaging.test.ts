/**
 * The files in packaging/: service units as systemd and launchd read them, man pages, completion files. That they name every
 * command and option is held here and, to the letter, by `pnpm docs:check`.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { COMMANDS } from '../packages/daemon/src/ctl/commands.ts';
import { GLOBAL_OPTIONS } from '../packages/daemon/src/ctl/options.ts';
import { renderPlist, renderSystemdUnit } from '../packages/daemon/src/ctl/service/templates.ts';
import { needsTool } from './support/tools.ts';

const PACKAGING = fileURLToPath(new URL('../packaging/', import.meta.url));
const PROGRAMS = ['pidp10ctl', 'pidp10d', 'pidp10-mcp'] as const;

let folder = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'pkg-'));
  writeFileSync(join(folder, 'pidp10d.js'), '#!/bin/sh\n');
  chmodSync(join(folder, 'pidp10d.js'), 0o755);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const read = (path: string) => readFileSync(join(PACKAGING, path), 'utf8');

function unit(scope: 'user' | 'system', name: string | undefined, systemdVersion?: number): string {
  const template = read(scope === 'user' ? 'systemd/pidp10d-user.service.in' : 'systemd/pidp10d.service.in');
  const program = join(folder, 'pidp10d.js');
  return renderSystemdUnit(template, {
    node: process.execPath,
    program,
    name,
    user: 'games',
    systemdVersion,
  });
}

/** Directives without comments; a key that stands twice has both values. */
function directives(text: string): Record<string, string[]> {
  const lines = text.split('\n').filter((line) => /^[A-Z]\w+=/.test(line));
  const entries = lines
    .map((line) => line.split(/=(.*)/s))
    .map(([key = '', value = '']) => [key, value] as const);
  return Object.fromEntries(
    [...new Set(entries.map(([key]) => key))].map((key) => [
      key,
      entries.filter(([other]) => other === key).map(([, value]) => value),
    ]),
  );
}

describe.each(['user', 'system'] as const)('the %s unit', (scope) => {
  const of = () => directives(unit(scope, 'line'));

  test('U02: leaves out what kills Node and its children', () => {
    expect(unit(scope, 'line')).not.toMatch(/^MemoryDenyWriteExecute=/m);
  });

  test('U03: backs off, never gives up, and does not repeat a configuration error', () => {
    expect(of()).toMatchObject({
      Restart: ['on-failure'],
      RestartSec: ['30'],
      RestartPreventExitStatus: ['78'],
      StartLimitIntervalSec: ['0'],
    });
    expect(directives(unit(scope, 'line', 254))).toMatchObject({
      RestartSec: ['1'],
      RestartSteps: ['8'],
      RestartMaxDelaySec: ['300'],
    });
  });

  test('U04: the watchdog has a minute at least, and whoever carries messages for us is heard', () => {
    const { Type, NotifyAccess, WatchdogSec } = of();
    expect([Type, NotifyAccess]).toEqual([['notify'], ['all']]);
    expect(Number(WatchdogSec?.[0])).toBeGreaterThanOrEqual(60);
  });

  test('U09: starts node itself, by absolute path', () => {
    expect(of()['ExecStart']).toEqual([`${process.execPath} ${join(folder, 'pidp10d.js')} --name line`]);
    expect(directives(unit(scope, undefined))['ExecStart']?.[0]).toMatch(/ --name %i$/);
  });

  test('D06: the folder of the sockets outlives each of them', () => {
    expect(of()).toMatchObject({
      RuntimeDirectory: ['pidp10d'],
      RuntimeDirectoryMode: ['0700'],
      RuntimeDirectoryPreserve: ['yes'],
    });
  });

  test('D21: a reload is a hang-up, which never touches the line', () => {
    expect(of()['ExecReload']).toEqual(['/bin/kill -HUP $MAINPID']);
  });

  test('U01: the daemon ends its commands, the rest is killed; no core has what was typed', () => {
    expect(of()).toMatchObject({ KillMode: ['mixed'], LimitCORE: ['0'] });
  });

  test.each(['line', undefined])('nothing of the template is left, name %s', (name) => {
    expect(unit(scope, name)).not.toMatch(/@[A-Z0-9]+@/);
  });
});

test('only the system unit has a user and a state folder of systemd', () => {
  expect(directives(unit('system', 'line'))).toMatchObject({ User: ['games'], StateDirectory: ['pidp10d'] });
  const own = directives(unit('user', 'line'));
  expect(own).not.toHaveProperty('User');
  expect(own).not.toHaveProperty('StateDirectory');
});

describe('P15: systemd reads the units', needsTool('systemd-analyze'), () => {
  test.each([
    ['user', 'line'],
    ['user', undefined],
    ['system', 'line'],
    ['system', undefined],
  ] as const)('%s unit of %s: verify has nothing to say', (scope, name) => {
    const path = join(folder, name === undefined ? 'pidp10d@vt05.service' : 'pidp10d.service');
    writeFileSync(path, unit(scope, name));
    const words = [scope === 'user' ? '--user' : '--system', 'verify', '--man=no', path];
    const { status, stderr, stdout } = spawnSync('systemd-analyze', words, {
      encoding: 'utf8',
      env: { ...process.env, XDG_RUNTIME_DIR: folder },
    });
    expect({ status, stderr, stdout }).toEqual({ status: 0, stderr: '', stdout: '' });
  });

  test('the system unit is exposed to 3.0 of 10 at most', () => {
    const path = join(folder, 'pidp10d.service');
    writeFileSync(path, unit('system', 'line'));
    const words = ['security', '--offline=true', '--threshold=30', '--no-pager', path];
    const { status, stdout } = spawnSync('systemd-analyze', words, { encoding: 'utf8' });
    expect(stdout).toMatch(/Overall exposure level .*: [0-3]\.\d/);
    expect(status).toBe(0);
  });
});

describe('U05: the property list', needsTool('python3'), () => {
  const parse = (user?: string): Record<string, unknown> => {
    const plist = renderPlist(read('launchd/pidp10d.plist.in'), {
      node: '/n/node',
      program: '/p/pidp10d.js',
      name: 'vt05',
      label: 'local.pidp10d.vt05',
      log: '/l/x.log',
      user,
      settings: { PIDP10_PORT: '10017' },
    });
    const script = 'import plistlib, json, sys; print(json.dumps(plistlib.loads(sys.stdin.buffer.read())))';
    return JSON.parse(execFileSync('python3', ['-c', script], { input: plist, encoding: 'utf8' }));
  };

  test('restarts after a crash only, not oftener than twice a minute, by absolute paths', () => {
    const list = parse();
    expect(list).toMatchObject({
      Label: 'local.pidp10d.vt05',
      ProgramArguments: ['/n/node', '/p/pidp10d.js', '--name', 'vt05'],
      KeepAlive: { SuccessfulExit: false },
      RunAtLoad: true,
      SoftResourceLimits: { Core: 0 },
      Umask: 0o077,
    });
    expect(list['ThrottleInterval']).toBeGreaterThanOrEqual(30);
    expect(list['EnvironmentVariables']).toMatchObject({
      PIDP10D_SUPERVISOR: 'launchd',
      PIDP10_PORT: '10017',
    });
    expect(list).not.toHaveProperty('UserName');
    expect(parse('rms')['UserName']).toBe('rms');
  });
});

describe('man pages', () => {
  test.each(readdirSync(join(PACKAGING, 'man')))('%s has no fault', needsTool('mandoc'), (page) => {
    const path = join(PACKAGING, 'man', page);
    const { status, stdout } = spawnSync('mandoc', ['-T', 'lint', '-W', 'warning', path], {
      encoding: 'utf8',
    });
    expect({ status, stdout }).toEqual({ status: 0, stdout: '' });
  });

  test('of pidp10ctl names every command with its options', () => {
    const page = read('man/pidp10ctl.1');
    for (const { name, options } of COMMANDS) {
      const from = page.indexOf(`.It Cm ${name}`);
      expect(from).toBeGreaterThan(-1);
      const next = page.indexOf('\n.It Cm ', from);
      const part = page.slice(from, next === -1 ? undefined : next);
      for (const option of Object.keys(options)) expect(part).toMatch(new RegExp(`Fl -${option}\\b`));
    }
    for (const option of Object.keys(GLOBAL_OPTIONS)) expect(page).toMatch(new RegExp(`Fl -${option}\\b`));
  });
});

describe('completion', () => {
  const bash = (words: readonly string[]): string[] => {
    const list = words.map((word) => `'${word}'`).join(' ');
    const script = `source "$1"; COMP_WORDS=(${list}); COMP_CWORD=${words.length - 1}; _pidp10ctl; printf '%s\\n' "\${COMPREPLY[@]}"`;
    const args = ['-c', script, 'bash', join(PACKAGING, 'completion', 'pidp10ctl.bash')];
    return execFileSync('bash', args, { encoding: 'utf8' }).trim().split('\n');
  };

  test('bash offers all commands, and for each its options and those of all', () => {
    expect(bash(['pidp10ctl', ''])).toEqual(COMMANDS.map(({ name }) => name));
    for (const { name, options } of COMMANDS) {
      const expected = [...Object.keys(options), ...Object.keys(GLOBAL_OPTIONS)].map(
        (option) => `--${option}`,
      );
      expect(bash(['pidp10ctl', name, '--'])).toEqual(expect.arrayContaining(expected));
    }
    expect(bash(['pidp10ctl', 'service', ''])).toEqual(['install', 'uninstall', 'status']);
    expect(bash(['pidp10ctl', 'send', '--echo', 's'])).toEqual(['strip']);
    expect(bash(['pidp10ctl', 'open', '--host', ''])).toEqual(['']);
  });

  test.each(['zsh', 'fish'])('%s reads its files', needsTool('zsh', 'fish'), (shell) => {
    for (const program of PROGRAMS) {
      const path = join(PACKAGING, 'completion', `${program}.${shell}`);
      const { status, stderr } = spawnSync(shell, ['-n', path], { encoding: 'utf8' });
      expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    }
  });

  test('fish offers commands and options', needsTool('fish'), () => {
    const ask = (line: string) => {
      const script = `source ${join(PACKAGING, 'completion', 'pidp10ctl.fish')}; complete -C '${line}'`;
      const env = { ...process.env, HOME: folder, XDG_CONFIG_HOME: folder, XDG_DATA_HOME: folder };
      const text = execFileSync('fish', ['--no-config', '-c', script], { encoding: 'utf8', env });
      return text
        .trim()
        .split('\n')
        .map((row) => row.split('\t')[0]);
    };
    expect(ask('pidp10ctl se')).toEqual(expect.arrayContaining(['send', 'service']));
    expect(ask('pidp10ctl service un')).toEqual(['uninstall']);
    expect(ask('pidp10ctl open --log')).toEqual(['--login']);
  });

  test('zsh names every command and option', () => {
    const text = read('completion/pidp10ctl.zsh');
    for (const { name, options } of COMMANDS) {
      expect(text).toContain(`'${name}:`);
      for (const option of Object.keys(options)) expect(text).toContain(`'--${option}[`);
    }
  });
});
