/** What stays known of a session beside its output: `session.json` in its folder, checked where it comes back (I16). */
import { constants } from 'node:os';
import { MAX_TERMINAL_ROWS, type SessionFacts } from '@pidp10/protocol/sessionSchemas';
import * as z from 'zod';
import type { ReadersSnapshot } from './core/readers.ts';
import { recordedReaders } from './recordedEntry.ts';

const streamRecord = z.object({ nextSeq: z.int(), readers: recordedReaders.shape.places });

/** What a Date can hold. */
const wallMs = z.number().min(0).max(8.64e15);
const terminalSide = z.int().min(1).max(MAX_TERMINAL_ROWS);

const sessionRecordSchema = z.object({
  id: z.string(),
  name: z.string().exactOptional(),
  epoch: z.string(),
  command: z.string(),
  args: z.array(z.string()),
  cwd: z.string(),
  isPty: z.boolean(),
  size: z.object({ rows: terminalSide, columns: terminalSide }).exactOptional(),
  splitStderr: z.boolean(),
  startedBy: z.string(),
  /** Wall clock, in ms. */
  startedMs: wallMs,
  /** Boot in which it ran, and the leader in it; the mark is in the environment of all that it started. */
  boot: z.string(),
  pid: z.int().min(1).exactOptional(),
  startTime: z.number().exactOptional(),
  mark: z.string(),
  /** `lost` is not written: it is what `running` means to another daemon. */
  state: z.enum(['running', 'exited']),
  exit: z.object({ code: z.int().exactOptional(), signal: z.string().exactOptional() }).exactOptional(),
  exitedMs: wallMs.exactOptional(),
  stopCause: z.enum(['asked', 'timeout', 'shutdown']).exactOptional(),
  /** All its output has come. */
  isOver: z.boolean(),
  /** Somebody has got all of it. */
  isRead: z.boolean(),
  /** Of its files; known when it is over. */
  bytes: z.number().exactOptional(),
  /** Number of the next entry of each stream's record, and the places of its readers; known when it is over. */
  streams: z.object({ out: streamRecord, err: streamRecord.exactOptional() }).exactOptional(),
});

export type SessionRecord = z.infer<typeof sessionRecordSchema>;

/** Undefined for a text that is no record of ours, or not of the session `id`. */
export function parseSessionRecord(text: string | undefined, id: string): SessionRecord | undefined {
  if (text === undefined) return undefined;
  try {
    const { data } = sessionRecordSchema.safeParse(JSON.parse(text));
    return data?.id === id ? data : undefined;
  } catch {
    return undefined;
  }
}

type Places = NonNullable<NonNullable<SessionRecord['streams']>['out']>['readers'];

/** Places of readers that have a name to come back to. */
export function namedPlaces({ places }: ReadersSnapshot): Places {
  return places.flatMap(([name, place]) =>
    place.isPrivate
      ? []
      : [[name, { ...place, handed: place.committed, isLive: false }] satisfies Places[number]],
  );
}

/** The exit as it goes over the wire. */
export function toExit({
  code,
  signal,
}: NonNullable<SessionRecord['exit']>): NonNullable<SessionFacts['exit']> {
  const numbers: Readonly<Record<string, number>> = constants.signals;
  const status = signal === undefined ? (code ?? 0) : 128 + (numbers[signal] ?? 0);
  return { ...(code !== undefined && { code }), ...(signal !== undefined && { signal }), status };
}

export function isoOf(wallMs: number): string {
  return new Date(wallMs).toISOString();
}
