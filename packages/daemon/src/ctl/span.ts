/** Where a span of output begins and ends, for commands that show one: by offset, by time, or the newest lines of it. */
import { MAX_SEARCH_MATCHES } from '@pidp10/protocol/watchSchemas';
import type { Context } from './command.ts';
import { LINE, type Subject, searchIn } from './subject.ts';

/** Every line has a beginning. */
const ANY_LINE = '^';
/** Longest search for a place, in ms. */
const PATIENCE_MS = 600_000;
export const MAX_LAST_LINES = MAX_SEARCH_MATCHES;

export interface SpanOptions {
  /** Default: as far back as is kept. */
  readonly from: number | undefined;
  /** ISO 8601. */
  readonly since?: string | undefined;
  /** The newest so many lines, 1 to MAX_LAST_LINES. */
  readonly lastLines?: number | undefined;
}

/** Asks the daemon; `end` is where the output ends now. Throws as requests do. */
export async function findSpan(
  { daemon, signal }: Pick<Context, 'daemon' | 'signal'>,
  { from, since, lastLines }: SpanOptions,
  subject: Subject = LINE,
): Promise<{ readonly from: number; readonly end: number }> {
  await using client = await daemon.connect({ isReader: false, access: 'read' });
  const ask = (order: 'newest' | 'oldest', limit: number) =>
    searchIn(
      client,
      subject,
      { pattern: ANY_LINE, from, since, order, limit },
      { signal, waitMs: PATIENCE_MS },
    );
  const newest = await ask('newest', lastLines ?? 1);
  const end = newest.searched.to;
  if (lastLines !== undefined) return { from: newest.matches.at(-1)?.start ?? end, end };
  const oldest = await ask('oldest', 1);
  return { from: oldest.searched.from, end };
}
