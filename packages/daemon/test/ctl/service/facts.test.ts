import { describe, expect, test } from 'vitest';
import { Arguments } from '../../../src/ctl/command.ts';
import {
  toReloadCommands,
  toRestartCommand,
  toShellWord,
  toStartCommands,
  toStopCommands,
} from '../../../src/ctl/service/commands.ts';
import { mayInstall, toScope, toStableNode, toSudoCommand } from '../../../src/ctl/service/facts.ts';
import { toPlaces } from '../../../src/ctl/service/places.ts';
import { scopeOf } from '../../../src/ctl/service/scope.ts';
import { ServiceRoot } from './serviceRoot.ts';

describe('U06: the path of Node that outlives its next upgrade', () => {
  const links: Record<string, string> = {
    '/opt/homebrew/bin/node': '/opt/homebrew/Cellar/node/24.1.0/bin/node',
    '/usr/bin/node': '/usr/bin/node',
  };
  const realpath = (path: string): string => {
    const found = links[path];
    if (found === undefined && path.startsWith('/usr/local')) throw new Error('ENOENT');
    return found ?? path;
  };
  test.each([
    ['/opt/homebrew/Cellar/node/24.1.0/bin/node', '/opt/homebrew/bin/node'],
    ['/usr/bin/node', '/usr/bin/node'],
    ['/home/rms/.nvm/versions/node/v22.12.0/bin/node', '/home/rms/.nvm/versions/node/v22.12.0/bin/node'],
  ])('%s', (execPath, expected) => {
    expect(toStableNode(execPath, realpath)).toBe(expected);
  });
});

test('a system installation needs root, or a folder of its own', () => {
  using root = new ServiceRoot({ scope: 'system' });
  const facts = { ...root.facts, root: '/' };
  expect(mayInstall(facts, 1_000)).toBe(false);
  expect(mayInstall(facts, 0)).toBe(true);
  expect(mayInstall({ ...facts, root: '/tmp/x' }, 1_000)).toBe(true);
  expect(mayInstall({ ...facts, scope: 'user' }, 1_000)).toBe(true);
  const args = new Arguments([], { port: 10_017, 'run-as': 'r s', force: true });
  expect(toSudoCommand('install', args, facts)).toBe(
    "sudo /n/node /p/pidp10ctl.js service install --system --name line --run-as 'r s' --port 10017 --force",
  );
});

test('--user and --system exclude each other', () => {
  expect(toScope(new Arguments([], {}))).toBe('user');
  expect(toScope(new Arguments([], { system: true }))).toBe('system');
  expect(() => toScope(new Arguments([], { system: true, user: true }))).toThrow('not both');
});

describe('commands', () => {
  const inputs = { scope: 'user', name: 'vt05', platform: 'linux', homedir: '/h', env: {} } as const;
  const user = { ...inputs, places: toPlaces(inputs), uid: 501 };
  const system = { ...user, scope: 'system' } as const;
  const darwin = { ...inputs, platform: 'darwin' } as const;
  const agent = { ...darwin, places: toPlaces(darwin), uid: 501 };

  test('of systemd', () => {
    expect(toStartCommands(user, { now: true }).map((words) => words.join(' '))).toEqual([
      'systemctl --user daemon-reload',
      'systemctl --user enable --now pidp10d@vt05.service',
    ]);
    expect(toStartCommands(system, { now: false }).at(-1)?.join(' ')).toBe(
      'systemctl enable pidp10d@vt05.service',
    );
    expect(toStopCommands(system).map((words) => words.join(' '))).toEqual([
      'systemctl disable --now pidp10d@vt05.service',
    ]);
    expect(toRestartCommand(system)).toBe('sudo systemctl restart pidp10d@vt05.service');
  });

  test('of launchd', () => {
    expect(toStartCommands(agent, { now: true }).map((words) => words.join(' '))).toEqual([
      'launchctl bootstrap gui/501 /h/Library/LaunchAgents/local.pidp10d.vt05.plist',
    ]);
    expect(toStartCommands(agent, { now: false })).toEqual([]);
    expect(toReloadCommands(agent)).toEqual([]);
    expect(toStopCommands(agent)).toEqual([['launchctl', 'bootout', 'gui/501/local.pidp10d.vt05']]);
    expect(toRestartCommand(agent)).toBe('launchctl kickstart -k gui/501/local.pidp10d.vt05');
  });

  test('are quoted for a shell', () => {
    expect(toShellWord('/a/b-c.d')).toBe('/a/b-c.d');
    expect(toShellWord("it's")).toBe(`'it'\\''s'`);
  });
});

test.each([
  ['/h/.config/systemd/user/pidp10d.service', 'user'],
  ['/etc/systemd/user/default.target.wants/pidp10d.service', 'user'],
  ['/etc/systemd/system/pidp10d.service', 'system'],
  ['/home2/x.service', 'system'],
])('%s is a unit of scope %s', (path, scope) => {
  expect(scopeOf(path, { homedir: '/h', env: {} })).toBe(scope);
});
