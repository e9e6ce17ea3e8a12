import { describe, expect, test } from 'vitest';
import {
  parseExecWords,
  renderEnvironmentFile,
  renderPlist,
  renderSystemdUnit,
  toExecWord,
} from '../../../src/ctl/service/templates.ts';

describe('U09: ExecStart is node itself, by absolute path, whatever is in the path', () => {
  test.each([
    '/usr/bin/node',
    '/home/a b/node',
    '/opt/100%/node',
    '/opt/$HOME/node',
    '/opt/"q"\\x/node',
    "/opt/it's/node",
  ])('%s', (path) => {
    expect(parseExecWords(`${toExecWord(path)} ${toExecWord('/x y/pidp10d.js')} --name line`)).toEqual([
      path,
      '/x y/pidp10d.js',
      '--name',
      'line',
    ]);
  });
});

test('a specifier and a variable cannot come out of a path', () => {
  expect(toExecWord('/a/%i/$X')).toBe('/a/%%i/$$X');
});

const FACTS = { node: '/n/node', program: '/p/pidp10d.js', name: 'line', user: 'rms' };

describe('U03: the pause between two starts', () => {
  test.each([
    [undefined, 'RestartSec=30'],
    [253, 'RestartSec=30'],
    [254, 'RestartSec=1\nRestartSteps=8\nRestartMaxDelaySec=300'],
  ])('of systemd %s', (systemdVersion, expected) => {
    expect(renderSystemdUnit('@BACKOFF@', { ...FACTS, systemdVersion })).toBe(expected);
  });
});

test('a template of all names has the instance in it', () => {
  expect(renderSystemdUnit('@INSTANCE@ @UNIT@ @USER@', { ...FACTS, name: undefined })).toBe(
    '%i pidp10d@NAME rms',
  );
});

test('what a template wants and nobody gives is a bug', () => {
  expect(() => renderSystemdUnit('@COLOUR@', FACTS)).toThrow('@COLOUR@');
});

test('a property list takes any text', () => {
  const facts = {
    ...FACTS,
    name: 'line',
    user: undefined,
    label: 'a&b',
    log: '/l',
    settings: { X: '<"1">' },
  };
  expect(renderPlist('@LABEL@ @ENVIRONMENT@@USER@', facts)).toBe(
    'a&amp;b     <key>X</key>\n    <string>&lt;&quot;1&quot;&gt;</string>\n',
  );
});

test('an environment file quotes what systemd would take apart', () => {
  expect(renderEnvironmentFile('line', { PIDP10_HOST: 'a "b" $c \\' })).toContain(
    'PIDP10_HOST="a \\"b\\" \\$c \\\\"\n',
  );
  expect(renderEnvironmentFile('line', {})).toBeUndefined();
});
