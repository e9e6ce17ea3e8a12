import { expect, it } from 'vitest';
import { toStatusText } from '../src/statusText.ts';

const DAEMON = {
  pid: 42,
  version: '0.1.0',
  protocol: { major: 1, minor: 1 },
  name: 'line',
  startedAt: '2026-01-01T00:00:00.000Z',
  uptimeMs: 7_200_000,
  clients: 3,
  socket: '/run/line.sock',
  stateDir: '/state',
  line: { state: 'open', codec: 'telnet' },
} as const;

const LINE = {
  lineState: { state: 'open', codec: 'telnet', host: 'pidp10.local', port: 10_018 },
  activity: { kind: 'unknown' },
  echo: 'unknown',
  epoch: 'e1',
  end: 2_046,
  oldest: 0,
  bytesIn: 12_345,
  bytesOut: 67,
  pendingBytes: 0,
} as const;

it('says all that PARITY A5 asks for, in a few lines', () => {
  const line = {
    ...LINE,
    uptimeMs: 90_000,
    connectedAt: '2026-01-01T00:01:00.000Z',
    msSinceLastByte: 1_500,
    activity: { kind: 'ddt' },
    echo: 'on',
    reader: { name: 'agent-1', offset: 2_000, unread: 46 },
    advice: 'Send ~z.',
  } as const;
  expect(
    toStatusText(line, DAEMON),
  ).toBe(`line open · pidp10.local:10018 · telnet line · up 90 s · since 2026-01-01T00:01:00.000Z
12,345 bytes in · 67 out · 0 waiting to go out · last byte 1.5 s ago
output: offsets 0-2046 · you (agent-1) are at 2000, 46 bytes unread
ITS: ddt: DDT waits for a command · echo on
daemon line: pid 42, version 0.1.0, 3 clients, up 2 h 0 min
socket /run/line.sock · recorded in /state
Send ~z.`);
});

it('I17 · says why a line died, and quotes the last words of the far end without believing them', () => {
  const lineState = {
    state: 'dead',
    codec: 'telnet',
    reason: 'closed_by_simulator',
    detail: 'Bye\r\nline open \x1b[2J',
  } as const;
  const text = toStatusText({ ...LINE, lineState, diedAt: '2026-01-01T00:02:00.000Z' }, DAEMON);
  expect(text).toContain(
    'line dead (closed_by_simulator) · died 2026-01-01T00:02:00.000Z\nthe last words: "Bye line open \u241b[2J"\n',
  );
});

it('T10 · says what ITS is doing, what that means and what to do next', () => {
  const at = (more: object) =>
    toStatusText({ ...LINE, ...more }, DAEMON)
      .split('\n')
      .slice(3, -2);
  expect(at({ activity: { kind: 'screen_program', name: 'emacs' }, echo: 'off' })).toEqual([
    'ITS: screen program emacs has the line: the screen tool shows it; "~x18~c~-" leaves it · echo off: what is typed now is not shown, as for a password',
  ]);
  const goingDown = 'KA ITS 1652 GOING DOWN IN 5:00.\nBEING BROUGHT DOWN';
  expect(at({ activity: { kind: 'pager', pager: 'system' }, goingDown })).toEqual([
    'ITS: pager: ITS stands at **MORE**; input " ~-" goes on, any other key is taken as the next command',
    'ITS is going down: "KA ITS 1652 GOING DOWN IN 5:00. BEING BROUGHT DOWN". Save what you have and send ":logout".',
  ]);
  expect(at({ activity: { kind: 'unknown', why: 'the greeting does not tell' } })).toEqual([
    'ITS: not known: the greeting does not tell',
  ]);
});

it('says nothing of ITS while the line is not open', () => {
  const lineState = { state: 'closed', codec: 'unknown' } as const;
  expect(toStatusText({ ...LINE, lineState }, DAEMON)).not.toContain('ITS');
});

it('PARITY A5 · tells who has the floor, and how many readers there are', () => {
  const since = '2026-01-01T00:00:00Z';
  const holder = { client: 'codex', isYou: false, kind: 'call', since } as const;
  const reader = { name: 'agent-1', offset: 2_000, unread: 46 };
  const shown = toStatusText(
    { ...LINE, reader, readers: 3, floor: { state: 'held', holder, waiting: 1 } },
    DAEMON,
  );
  expect(shown).toContain(
    '46 bytes unread · 3 readers\n"codex" has had the floor since 2026-01-01T00:00:00Z',
  );
  expect(shown).toContain('1 call waits for it.');
  const alone = toStatusText({ ...LINE, readers: 1, floor: { state: 'free', waiting: 0 } }, DAEMON);
  expect(alone).toContain('offsets 0-2046 · 1 reader\nThe floor is free');
});
