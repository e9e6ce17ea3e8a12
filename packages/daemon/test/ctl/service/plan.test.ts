import { readdirSync, rmSync, symlinkSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { applyInstall, applyRemoval } from '../../../src/ctl/service/apply.ts';
import {
  type PlannedFile,
  planInstall,
  planRemoval,
  type ServiceFacts,
} from '../../../src/ctl/service/plan.ts';
import { ServiceRoot } from './serviceRoot.ts';

const UNIT = '/home/rms/.config/systemd/user/pidp10d.service';
const TEMPLATE = '/home/rms/.config/systemd/user/pidp10d@.service';
const SETTINGS = '/home/rms/.config/pidp10d/line.env';
const PAGE = '/home/rms/.local/share/man/man1/pidp10ctl.1';
const ZSH = '/home/rms/.local/share/zsh/site-functions/_pidp10ctl';
const RECORD = '/home/rms/.local/share/pidp10d/installed.json';

function install(facts: ServiceFacts): readonly PlannedFile[] {
  const plan = planInstall(facts);
  applyInstall(plan);
  return plan.files;
}

function remove(facts: ServiceFacts): { readonly keep: readonly string[] } {
  const plan = planRemoval(facts);
  if (plan === undefined) throw new Error('nothing is installed');
  applyRemoval(plan);
  return plan;
}

const statesOf = (files: readonly PlannedFile[]) =>
  Object.fromEntries(files.map(({ path, state }) => [path, state]));

describe('an installation', () => {
  test('writes unit, settings, man pages and completion files, and nothing twice', () => {
    using root = new ServiceRoot({ settings: { PIDP10_HOST: 'localhost' } });
    expect(statesOf(install(root.facts))).toEqual({
      [UNIT]: 'absent',
      [SETTINGS]: 'absent',
      [PAGE]: 'absent',
      [ZSH]: 'absent',
    });
    expect(root.read(UNIT)).toBe('user /n/node /p/pidp10d.js line\n');
    expect(root.read(SETTINGS)).toContain('PIDP10_HOST="localhost"');
    expect(new Set(Object.values(statesOf(install(root.facts))))).toEqual(new Set(['same']));
  });

  test('replaces what it wrote itself, with the settings of before', () => {
    using root = new ServiceRoot({ settings: { PIDP10_HOST: 'localhost' } });
    install(root.facts);
    const files = install({ ...root.facts, node: '/new/node', settings: {} });
    expect(statesOf(files)[UNIT]).toBe('ours');
    expect(root.read(UNIT)).toContain('/new/node');
    expect(root.read(SETTINGS)).toContain('localhost');
  });

  test('sees a foreign file, a changed one and a link, and keeps them when told to replace', () => {
    using root = new ServiceRoot();
    root.write(UNIT, 'somebody wrote this\n');
    root.write('/elsewhere', 'page\n');
    root.write('/home/rms/.local/share/man/man1/x', '');
    symlinkSync(root.path('/elsewhere'), root.path(PAGE));
    const plan = planInstall(root.facts);
    expect(statesOf(plan.files)).toMatchObject({ [UNIT]: 'foreign', [PAGE]: 'foreign', [ZSH]: 'absent' });
    applyInstall(plan);
    expect(root.read(`${UNIT}.before-pidp10d`)).toBe('somebody wrote this\n');
    root.write(UNIT, 'changed since\n');
    expect(statesOf(planInstall(root.facts).files)[UNIT]).toBe('foreign');
    expect(root.read('/elsewhere')).toBe('page\n');
  });

  test('leaves edited settings alone, unless there are new ones', () => {
    using root = new ServiceRoot({ settings: { PIDP10_HOST: 'localhost' } });
    install(root.facts);
    root.write(SETTINGS, 'PIDP10_BITS=8\n');
    expect(statesOf(planInstall({ ...root.facts, settings: {} }).files)).not.toHaveProperty(SETTINGS);
    expect(statesOf(planInstall(root.facts).files)[SETTINGS]).toBe('foreign');
  });

  test('of another name is the template, of the system has the user in it', () => {
    using root = new ServiceRoot();
    install({ ...root.facts, name: 'vt05' });
    expect(root.read(TEMPLATE)).toBe('user /n/node /p/pidp10d.js %i\n');
    install({ ...root.facts, scope: 'system', user: 'rms' });
    expect(root.read('/etc/systemd/system/pidp10d.service')).toBe('system /n/node /p/pidp10d.js line rms\n');
    // Written again, as doctor does it, it is still his.
    install({ ...root.facts, scope: 'system', node: '/new/node' });
    expect(root.read('/etc/systemd/system/pidp10d.service')).toBe(
      'system /new/node /p/pidp10d.js line rms\n',
    );
  });

  test('of macOS has its settings in the property list', () => {
    using root = new ServiceRoot({ platform: 'darwin', settings: { PIDP10_PORT: '10017' }, name: 'vt05' });
    install(root.facts);
    const plist = root.read('/home/rms/Library/LaunchAgents/local.pidp10d.vt05.plist');
    expect(plist).toContain(
      'local.pidp10d.vt05 /n/node /p/pidp10d.js vt05 /home/rms/Library/Logs/pidp10d-vt05.log',
    );
    expect(plist).toContain('<key>PIDP10_PORT</key>');
  });

  test('with a damaged record is refused', () => {
    using root = new ServiceRoot();
    root.write(RECORD, '{"version": 2}');
    expect(() => planInstall(root.facts)).toThrow('is damaged');
  });
});

describe('a removal', () => {
  test('leaves nothing of ours behind, and nothing of others out', () => {
    using root = new ServiceRoot({ settings: { PIDP10_HOST: 'localhost' } });
    root.write('/home/rms/.config/theirs', 'x');
    install(root.facts);
    remove(root.facts);
    expect(readdirSync(root.facts.root, { recursive: true }).map(String).sort()).toEqual([
      'home',
      'home/rms',
      'home/rms/.config',
      'home/rms/.config/theirs',
    ]);
    expect(planRemoval(root.facts)).toBeUndefined();
  });

  test('of one daemon leaves what another one shares', () => {
    using root = new ServiceRoot();
    install(root.facts);
    install({ ...root.facts, name: 'vt05' });
    install({ ...root.facts, name: 'ge' });
    remove(root.facts);
    expect([root.has(UNIT), root.has(TEMPLATE), root.has(PAGE)]).toEqual([false, true, true]);
    remove({ ...root.facts, name: 'vt05' });
    expect([root.has(TEMPLATE), root.has(PAGE)]).toEqual([true, true]);
    remove({ ...root.facts, name: 'ge' });
    expect([root.has(TEMPLATE), root.has(PAGE), root.has(RECORD), root.has('/home')]).toEqual(
      Array(4).fill(false),
    );
  });

  test('keeps a file that was changed since, and says which', () => {
    using root = new ServiceRoot();
    install(root.facts);
    root.write(PAGE, 'edited\n');
    rmSync(root.path(ZSH));
    expect(remove(root.facts).keep).toEqual([PAGE]);
    expect(root.read(PAGE)).toBe('edited\n');
  });
});
