import { describe, expect, test } from 'vitest';
import { type Check, renderChecks } from '../../../src/ctl/doctor/check.ts';
import { toDoctorExitCode } from '../../../src/ctl/doctor/doctor.ts';
import {
  checkJournal,
  checkSocket,
  checkState,
  EMPTY_BYTES,
  LOW_BYTES,
  type PathFacts,
  type SocketFacts,
  type StateFacts,
} from '../../../src/ctl/doctor/placeChecks.ts';
import { checkTools, checkUnit } from '../../../src/ctl/doctor/systemChecks.ts';
import { checkNode, checkVersions } from '../../../src/ctl/doctor/versionChecks.ts';

const short = (checks: readonly Check[]) => checks.map(({ id, verdict }) => `${id} ${verdict}`);

describe('versions', () => {
  test.each([
    ['v20.19.0', 'ok'],
    ['v20.18.9', 'fail'],
    ['v21.9.0', 'fail'],
    ['v22.11.0', 'fail'],
    ['v22.12.0', 'ok'],
    ['v23.0.0', 'fail'],
    ['v24.0.0', 'ok'],
    ['v26.1.0', 'ok'],
    ['v18.20.0', 'fail'],
  ])('Node %s: %s', (version, verdict) => {
    expect(checkNode(version, '/n').verdict).toBe(verdict);
  });

  const daemon = { version: '0.1.0', pid: 7, startedAt: '1970-01-01T00:00:10.000Z', script: '/p/pidp10d.js' };
  test.each([
    ['no daemon', { own: '0.1.0', daemon: undefined, installed: undefined }, 'ok'],
    ['the same', { own: '0.1.0', daemon, installed: { version: '0.1.0', changedMs: 10_000 } }, 'ok'],
    ['an old daemon', { own: '0.2.0', daemon, installed: undefined }, 'warn'],
    ['newer files', { own: '0.1.0', daemon, installed: { version: '0.1.0', changedMs: 10_001 } }, 'warn'],
    [
      'files of another version',
      { own: '0.1.0', daemon, installed: { version: '0.2.0', changedMs: 0 } },
      'warn',
    ],
  ])('U08: %s', (_name, facts, verdict) => {
    expect(checkVersions(facts).map((check) => check.verdict)).toEqual([verdict]);
  });
});

describe('the socket', () => {
  const path = (over: Partial<PathFacts>): PathFacts => ({
    path: '/r/s',
    kind: 'socket',
    mode: 0o600,
    uid: 5,
    ...over,
  });
  const facts: SocketFacts = {
    socket: path({}),
    folder: path({ path: '/r', kind: 'folder', mode: 0o700 }),
    uid: 5,
    answer: { kind: 'answers' },
    startCommand: undefined,
  };
  test.each<[string, Partial<SocketFacts>, string[]]>([
    ['answers', {}, ['socket ok']],
    ['is open to all', { socket: path({ mode: 0o666 }) }, ['socket fail']],
    [
      'in a folder for others to read',
      { folder: path({ kind: 'folder', mode: 0o755 }) },
      ['socket-folder warn', 'socket ok'],
    ],
    [
      'in a folder for others to write',
      { folder: path({ kind: 'folder', mode: 0o770 }) },
      ['socket-folder fail', 'socket ok'],
    ],
    ['absent', { socket: path({ kind: 'absent' }), answer: { kind: 'absent' } }, ['socket warn']],
    ['left behind', { answer: { kind: 'absent' } }, ['socket warn']],
    ['is a file', { socket: path({ kind: 'file' }), answer: { kind: 'absent' } }, ['socket fail']],
    ['is a link', { socket: path({ kind: 'link' }), answer: { kind: 'absent' } }, ['socket fail']],
    ['does not answer', { answer: { kind: 'fault', problem: 'since 5 s' } }, ['socket fail']],
  ])('%s', (_name, over, expected) => {
    expect(short(checkSocket({ ...facts, ...over }))).toEqual(expected);
  });

  test('of another user names him, and the service has its own command', () => {
    const [foreign] = checkSocket({ ...facts, uid: 6, answer: { kind: 'fault', problem: 'EACCES' } });
    expect(foreign).toMatchObject({ text: '/r/s belongs to user 5: EACCES', verdict: 'fail' });
    const [absent] = checkSocket({ ...facts, answer: { kind: 'absent' }, startCommand: 'systemctl start x' });
    expect(absent?.remedy).toBe('systemctl start x');
  });
});

describe('S06 S09: the state folder', () => {
  const folder: PathFacts = { path: '/s', kind: 'folder', mode: 0o700, uid: 5 };
  const entry: PathFacts = { path: '/s/line.log', kind: 'file', mode: 0o600, uid: 5 };
  const facts: StateFacts = {
    folder,
    entries: [entry],
    uid: 5,
    writeProblem: undefined,
    freeBytes: LOW_BYTES,
  };
  test.each<[string, Partial<StateFacts>, string[]]>([
    ['is private, writable and has room', {}, ['state ok', 'disk ok']],
    ['is not there yet', { folder: { ...folder, kind: 'absent' } }, ['state ok']],
    ['is a link', { folder: { ...folder, kind: 'link' } }, ['state fail']],
    ['belongs to another', { uid: 6 }, ['state-owner fail', 'disk ok']],
    ['can be read by others', { folder: { ...folder, mode: 0o755 } }, ['state-mode warn', 'disk ok']],
    ['can be written to by others', { folder: { ...folder, mode: 0o730 } }, ['state-mode fail', 'disk ok']],
    ['holds a link', { entries: [{ ...entry, kind: 'link' }] }, ['state-link fail', 'disk ok']],
    ['holds a file of root', { entries: [{ ...entry, uid: 0 }] }, ['state-owner fail', 'disk ok']],
    [
      'shows a file to others',
      { folder: { ...folder, mode: 0o711 }, entries: [{ ...entry, mode: 0o644 }] },
      ['state-mode warn', 'state-mode warn', 'disk ok'],
    ],
    ['is read-only', { writeProblem: 'EROFS' }, ['state-write fail', 'disk ok']],
    ['is nearly full', { freeBytes: LOW_BYTES - 1 }, ['disk warn']],
    ['is still nearly full', { freeBytes: EMPTY_BYTES }, ['disk warn']],
    ['is full', { freeBytes: EMPTY_BYTES - 1 }, ['disk fail']],
    ['tells no size', { freeBytes: undefined }, ['state ok']],
  ])('%s', (_name, over, expected) => {
    expect(short(checkState({ ...facts, ...over }))).toEqual(expected);
  });
});

describe('S06: the journal', () => {
  const folder: PathFacts = { path: '/s/journal/line', kind: 'folder', mode: 0o700, uid: 5 };
  const storage = { state: 'ok', bytes: 5_000_000, segments: 2, gapBytes: 0 } as const;
  const sayings = (checks: readonly Check[]) => checks.map(({ verdict, text }) => `${verdict} ${text}`);

  test.each<[string, Partial<PathFacts>, string | undefined, string[]]>([
    ['is there', {}, undefined, []],
    ['is not there yet', { kind: 'absent' }, undefined, []],
    ['is a file', { kind: 'file' }, undefined, ['fail /s/journal/line is no folder but a file']],
    ['is a link', { kind: 'link' }, undefined, ['fail /s/journal/line is no folder but a link']],
    ['is on a read-only card', {}, 'EROFS', ['fail /s/journal/line cannot be written to (EROFS)']],
    ['is closed to us', {}, 'EACCES', ['fail /s/journal/line cannot be written to (EACCES)']],
  ])('its folder %s', (_name, over, writeProblem, expected) => {
    const found = { folder: { ...folder, ...over }, writeProblem };
    expect(sayings(checkJournal([found], undefined))).toEqual(expected);
  });

  test('what the daemon says fails, and where, is told', () => {
    const detail = '/s/journal/line/out-0: write failed (EROFS)';
    const said = (over: object) => sayings(checkJournal([], { ...storage, ...over }));
    expect(said({})).toEqual(['ok 5 MiB in 2 files are kept']);
    expect(said({ state: 'degraded', detail, gapBytes: 7 })).toEqual([
      `fail output is kept in memory only: ${detail}; 7 bytes so far could not be kept`,
    ]);
    expect(said({ state: 'off' })).toEqual(['warn this daemon keeps output in memory only']);
  });
});

describe('programs and unit', () => {
  const tools = {
    platform: 'linux',
    arch: 'arm64',
    hasFlock: true,
    hasSystemdNotify: true,
    isSystemd: true,
    hasPty: true,
  } as const;
  test.each([
    ['all there', {}, ['flock ok', 'systemd-notify ok', 'pty ok']],
    [
      'none',
      { hasFlock: false, hasSystemdNotify: false, hasPty: false },
      ['flock fail', 'systemd-notify fail', 'pty warn'],
    ],
    ['no systemd', { isSystemd: false }, ['flock ok', 'pty ok']],
    ['macOS', { platform: 'darwin' as const, isSystemd: false, hasFlock: false }, ['pty ok']],
  ])('%s', (_name, over, expected) => {
    expect(short(checkTools({ ...tools, ...over }))).toEqual(expected);
  });

  const program = { file: '/n/node', script: '/p/pidp10d.js' };
  test.each([
    ['no service', { unit: undefined, program: undefined, missing: [], isOurs: false }, 'ok', /^none$/],
    ['in order', { unit: '/u', program, missing: [], isOurs: true }, 'ok', /^none$/],
    ['node has moved', { unit: '/u', program, missing: ['/n/node'], isOurs: true }, 'fail', /--repair/],
    [
      'of a package',
      { unit: '/u', program, missing: ['/n/node'], isOurs: false },
      'fail',
      /not installed by/,
    ],
    ['npm start', { unit: '/u', program: undefined, missing: [], isOurs: false }, 'warn', /whole path/],
  ])('U06: the unit, %s', (_name, facts, verdict, remedy) => {
    const check = checkUnit(facts);
    expect(check.verdict).toBe(verdict);
    expect(check.remedy ?? 'none').toMatch(remedy);
  });
});

test('a line each, the remedy below', () => {
  const checks: Check[] = [
    { id: 'a', verdict: 'ok', text: 'good' },
    { id: 'b', verdict: 'fail', text: 'bad', remedy: 'do this' },
  ];
  expect(renderChecks(checks)).toBe('ok    good\nfail  bad\n      do this\n');
});

test('exit code: 1 for a failure, 0 with warnings', () => {
  const of = (...verdicts: Check['verdict'][]) => verdicts.map((verdict) => ({ id: 'x', verdict, text: '' }));
  expect(toDoctorExitCode(of('ok', 'warn'))).toBe(0);
  expect(toDoctorExitCode(of('ok', 'fail', 'warn'))).toBe(1);
});
