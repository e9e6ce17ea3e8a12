import { chmodSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { SpawnError } from '../../src/io/process/executable.ts';
import { judgeSpawn } from '../../src/io/spawnPolicy.ts';

let home = '';

beforeAll(() => {
  home = realpathSync(mkdtempSync(join(tmpdir(), 'pidp10-test-')));
  for (const folder of ['bin', 'other', 'work', 'work/deep', 'workshop']) mkdirSync(join(home, folder));
  for (const file of ['bin/tool', 'bin/box', 'other/tool']) {
    writeFileSync(join(home, file), '#!/bin/sh\n');
    chmodSync(join(home, file), 0o755);
  }
  writeFileSync(join(home, 'bin/plain'), '');
  symlinkSync('box', join(home, 'bin/ls'));
  symlinkSync('box', join(home, 'bin/sh'));
  symlinkSync('/', join(home, 'work/out'));
});
afterAll(() => rmSync(home, { recursive: true, force: true }));

function judge(
  command: string,
  policy: Parameters<typeof judgeSpawn>[1],
  cwd = join(home, 'work'),
  path = join(home, 'bin'),
) {
  return judgeSpawn({ command, cwd, path }, policy);
}
const at = (path: string) => join(home, path);
const allowed = (path: string) => ({ kind: 'allowed', file: at(path) });

describe('P16 · executables', () => {
  test('any, where nothing is listed; none, where the list is empty', () => {
    expect(judge('tool', {})).toEqual(allowed('bin/tool'));
    expect(judge('tool', { executables: [] })).toEqual({
      kind: 'refused',
      text:
        `${at('bin/tool')} is not among the commands that may be started (none is). ` +
        'The owner of the daemon can add the executable to its configuration.',
    });
  });

  test('is the file that the PATH leads to, not the name', () => {
    const policy = { executables: [at('bin/tool')] };
    expect(judge('tool', policy)).toEqual(allowed('bin/tool'));
    expect(judge('tool', policy, at('work'), `${at('other')}:${at('bin')}`)).toMatchObject({
      kind: 'refused',
    });
    expect(judge('../other/tool', policy)).toMatchObject({ kind: 'refused' });
    expect(judge(`${home}/work/../bin/./tool`, policy)).toEqual(allowed('bin/tool'));
  });

  test('metacharacters are part of a name that does not exist', () => {
    for (const command of ['tool; sh', 'tool && sh', '$(tool)', 'tool|sh', 'tool\nsh'])
      expect(() => judge(command, { executables: [at('bin/tool')] })).toThrow(SpawnError);
  });

  test('one name of many for the same file does not allow the others', () => {
    const policy = { executables: [at('bin/ls')] };
    expect(judge('ls', policy)).toEqual(allowed('bin/ls'));
    expect(judge('sh', policy)).toMatchObject({ kind: 'refused' });
    expect(judge('sh', { executables: [at('bin/box')] })).toEqual(allowed('bin/sh'));
  });

  test('a folder allows what is in it', () => {
    expect(judge('tool', { executables: [`${at('bin')}/`] })).toEqual(allowed('bin/tool'));
    expect(judge(at('other/tool'), { executables: [`${at('bin')}/`] })).toMatchObject({ kind: 'refused' });
    expect(judge('tool', { executables: [at('bin')] })).toMatchObject({ kind: 'refused' });
  });

  test.each<[command: string, message: RegExp]>([
    ['missing', /no program missing in the PATH/],
    ['plain', /plain may not be executed/],
    ['', /empty/],
    ['a\0b', /NUL/],
  ])('%j is an error before the policy is asked', (command, message) => {
    expect(() => judge(command, { executables: [] })).toThrow(message);
  });

  test('a relative folder of the PATH counts from the working folder, as execvp has it', () => {
    expect(judge('tool', {}, at('work'), '../other')).toEqual(allowed('other/tool'));
    expect(judge('tool', {}, at('bin'), '')).toEqual(allowed('bin/tool'));
  });
});

describe('P16 · working folders', () => {
  test('the folder and those below, by where they really are', () => {
    const policy = { folders: [at('work')] };
    expect(judge('tool', policy)).toEqual(allowed('bin/tool'));
    expect(judge('tool', policy, at('work/deep'))).toEqual(allowed('bin/tool'));
    for (const cwd of ['workshop', 'bin', 'work/out', 'work/..'])
      expect({ cwd, ...judge('tool', policy, join(home, cwd)) }).toMatchObject({ cwd, kind: 'refused' });
    expect(judge('tool', { folders: ['/'] })).toEqual(allowed('bin/tool'));
    expect(judge('tool', { folders: [at('missing')] })).toMatchObject({
      text: expect.stringContaining(
        `may not be started in ${at('work')} (allowed are: ${at('missing')})`,
      ) as string,
    });
  });
});
