import { mkdirSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { temporaryFolder } from '../../../../protocol/test/support/folder.ts';
import {
  parseUnitProgram,
  readInstalledProgram,
  readRunningScript,
} from '../../../src/ctl/service/installedUnit.ts';

describe('U06: what a unit would start', () => {
  test.each([
    [
      '[Service]\nExecStart=/n/node /p/pidp10d.js --name line\n',
      { file: '/n/node', script: '/p/pidp10d.js' },
    ],
    ['ExecStart="/n m/node" "/p/a b.mjs"', { file: '/n m/node', script: '/p/a b.mjs' }],
    ['ExecStart=-/usr/bin/pidp10d --name %i', { file: '/usr/bin/pidp10d', script: undefined }],
    ['ExecStart=npm start', undefined],
    ['[Service]\n', undefined],
    [
      '<plist><dict><key>ProgramArguments</key>\n<array><string>/n/node</string><string>/a&amp;b.js</string></array></dict></plist>',
      { file: '/n/node', script: '/a&b.js' },
    ],
  ])('%s', (text, expected) => {
    expect(parseUnitProgram(text)).toEqual(expected);
  });
});

test('U08: the version and the newest file of an installed program', () => {
  using folder = temporaryFolder();
  for (const name of ['bin', 'bundle']) mkdirSync(join(folder.path, name));
  const script = join(folder.path, 'bin', 'pidp10d.js');
  expect(readInstalledProgram(script)).toBeUndefined();
  writeFileSync(script, '');
  writeFileSync(join(folder.path, 'package.json'), '{"version": "1.2.3"}');
  for (const [name, seconds] of [
    ['a.mjs', 100],
    ['b.mjs', 300],
  ] as const) {
    writeFileSync(join(folder.path, 'bundle', name), '');
    utimesSync(join(folder.path, 'bundle', name), seconds, seconds);
  }
  expect(readInstalledProgram(script)).toEqual({ version: '1.2.3', changedMs: 300_000 });
});

test.skipIf(process.platform !== 'linux')('the script of a running process', () => {
  expect(readRunningScript(process.pid)).toMatch(/\.[cm]?js$/);
  expect(readRunningScript(2 ** 30)).toBeUndefined();
});
