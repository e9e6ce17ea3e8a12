import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { findServiceUnit } from '../../src/node/serviceUnit.ts';
import { temporaryFolder } from '../support/folder.ts';

/** Looks for the service of `name` where the file, and no other, is installed. */
function findWith(
  file: string,
  inputs: { name?: string; platform?: NodeJS.Platform; env?: NodeJS.ProcessEnv } = {},
) {
  using root = temporaryFolder();
  const path = join(root.path, file);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, '');
  const { name = 'line', platform = 'linux', env = {} } = inputs;
  const homedir = join(root.path, 'home/u');
  const unit = findServiceUnit({ name, platform, homedir, env, root: root.path });
  return unit && { path: unit.path.slice(root.path.length + 1), startCommand: unit.startCommand };
}

describe('systemd', () => {
  test.each([
    ['home/u/.config/systemd/user/pidp10d.service', 'systemctl --user start pidp10d.service'],
    ['home/u/.local/share/systemd/user/pidp10d.service', 'systemctl --user start pidp10d.service'],
    ['etc/systemd/user/pidp10d.service', 'systemctl --user start pidp10d.service'],
    ['usr/lib/systemd/user/pidp10d@line.service', 'systemctl --user start pidp10d@line.service'],
    ['etc/systemd/system/pidp10d.service', 'sudo systemctl start pidp10d.service'],
    ['usr/lib/systemd/system/pidp10d@line.service', 'sudo systemctl start pidp10d@line.service'],
    [
      'etc/systemd/system/multi-user.target.wants/pidp10d@line.service',
      'sudo systemctl start pidp10d@line.service',
    ],
  ])('%s', (path, startCommand) => {
    expect(findWith(path)).toEqual({ path, startCommand });
  });

  test('XDG_CONFIG_HOME moves the user folder', () => {
    using config = temporaryFolder();
    mkdirSync(join(config.path, 'systemd/user'), { recursive: true });
    const path = join(config.path, 'systemd/user/pidp10d.service');
    writeFileSync(path, '');
    const inputs = { name: 'line', platform: 'linux', homedir: '/none', root: '/none' } as const;
    expect(findServiceUnit({ ...inputs, env: { XDG_CONFIG_HOME: config.path } })?.path).toBe(path);
  });

  test('another name is another service', () => {
    expect(findWith('etc/systemd/system/pidp10d.service', { name: 'vt05' })).toBeUndefined();
    expect(findWith('etc/systemd/system/pidp10d@vt05.service')).toBeUndefined();
    expect(findWith('etc/systemd/system/pidp10d@vt05.service', { name: 'vt05' })?.startCommand).toBe(
      'sudo systemctl start pidp10d@vt05.service',
    );
  });

  test('an enabled instance of a template counts, the template alone does not', () => {
    expect(findWith('usr/lib/systemd/user/pidp10d@.service', { name: 'vt05' })).toBeUndefined();
    const enabled = 'home/u/.config/systemd/user/default.target.wants/pidp10d@vt05.service';
    expect(findWith(enabled, { name: 'vt05' })?.path).toBe(enabled);
  });
});

describe('launchd', () => {
  test.each([
    [
      'line',
      'home/u/Library/LaunchAgents/org.example.pidp10d.plist',
      'launchctl kickstart gui/$(id -u)/org.example.pidp10d',
    ],
    [
      'line',
      'home/u/Library/LaunchAgents/pidp10d.line.plist',
      'launchctl kickstart gui/$(id -u)/pidp10d.line',
    ],
    [
      'vt05',
      'home/u/Library/LaunchAgents/a.pidp10d.vt05.plist',
      'launchctl kickstart gui/$(id -u)/a.pidp10d.vt05',
    ],
    ['line', 'Library/LaunchDaemons/a.pidp10d.plist', 'sudo launchctl kickstart system/a.pidp10d'],
  ])('%s: %s', (name, path, startCommand) => {
    expect(findWith(path, { name, platform: 'darwin' })).toEqual({ path, startCommand });
  });

  test('another name is another agent', () => {
    const path = 'home/u/Library/LaunchAgents/a.pidp10d.vt05.plist';
    expect(findWith(path, { platform: 'darwin' })).toBeUndefined();
    expect(
      findWith('home/u/Library/LaunchAgents/a.pidp10d.plist', { name: 'vt05', platform: 'darwin' }),
    ).toBeUndefined();
  });
});

test('no service anywhere', () => {
  expect(findWith('etc/systemd/system/other.service')).toBeUndefined();
  expect(findWith('etc/systemd/system/pidp10d.service', { platform: 'freebsd' })).toBeUndefined();
});
