/** The protocol's version. A minor step adds; a major step may break and is refused by the other side (I14). */
export const PROTOCOL = { major: 1, minor: 3 } as const;

export interface ProtocolVersion {
  readonly major: number;
  readonly minor: number;
}

/** Named abilities that a client may test for instead of comparing versions. */
export const CAPABILITIES = [
  'line',
  'readers',
  'progress',
  'cancel',
  'screen',
  'activity',
  'pacing',
  'files',
  'floor',
  'watch',
  'history',
  'journal',
  'search',
  'upgrade',
  'sessions',
  'secrets',
] as const;
