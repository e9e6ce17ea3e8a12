import { describe, expect, test } from 'vitest';
import { renderStatus, type ServiceStatus, toNotes } from '../../../src/ctl/service/status.ts';

const STATUS: ServiceStatus = {
  name: 'line',
  scope: 'user',
  unit: '/h/pidp10d.service',
  state: {
    ActiveState: 'active',
    SubState: 'running',
    UnitFileState: 'enabled',
    Result: 'success',
    NRestarts: '2',
  },
  running: { version: '0.1.0', pid: 7, startedAt: '2026-01-01T00:00:10.000Z', script: '/p/pidp10d.js' },
  installed: {
    file: '/n/node',
    script: '/p/pidp10d.js',
    version: '0.1.0',
    changedMs: Date.parse('2026-01-01T00:00:10.000Z'),
  },
};

test('shows unit, state, what runs and what is installed', () => {
  expect(renderStatus(STATUS)).toBe(
    [
      'unit      /h/pidp10d.service',
      'state     active (running), enabled, restarted 2 times',
      'running   pidp10d 0.1.0, pid 7, since 2026-01-01T00:00:10.000Z, from /p/pidp10d.js',
      'installed pidp10d 0.1.0, from /p/pidp10d.js',
      '',
    ].join('\n'),
  );
});

describe('U08: says when an old daemon goes on after an upgrade', () => {
  const installed = { file: '/n/node', script: '/p/pidp10d.js', version: '0.1.0', changedMs: 0 };
  test.each<[string, Partial<ServiceStatus>, string[]]>([
    ['same files', {}, []],
    [
      'same version, newer files',
      { installed: { ...installed, changedMs: Date.parse('2026-01-01T00:00:11.000Z') } },
      [
        'the files were replaced after the daemon had started; pidp10ctl upgrade hands the line to the new one',
      ],
    ],
    [
      'another version',
      { installed: { ...installed, version: '0.2.0' } },
      ['the running daemon is 0.1.0, installed is 0.2.0; pidp10ctl upgrade hands the line to the new one'],
    ],
    [
      'U06: files that are gone',
      { installed: { ...installed, version: undefined } },
      ['/p/pidp10d.js is gone: pidp10ctl doctor --repair writes the unit again'],
    ],
    ['nothing runs', { running: undefined }, []],
  ])('%s', (_name, over, notes) => {
    expect(toNotes({ ...STATUS, ...over })).toEqual(notes);
  });
});
