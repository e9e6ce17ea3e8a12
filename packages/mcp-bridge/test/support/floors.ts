/** The floor as a daemon tells of it: another's, nobody's, one's own. */
export const AT = '2026-01-01T00:00:00.000Z';
const CODEX = {
  client: 'pidp10-mcp (codex)',
  reader: 'codex-1',
  isYou: false,
  kind: 'call',
  since: AT,
} as const;
export const HELD = {
  state: 'held',
  holder: { ...CODEX, lastInput: '":midas rms;ts foo" CR' },
  waiting: 2,
} as const;
export const FREE = { state: 'free', waiting: 0 } as const;
export const MINE = {
  state: 'held',
  holder: { client: 'me', isYou: true, kind: 'asked', since: AT, expiresInMs: 60_000 },
  waiting: 0,
} as const;
