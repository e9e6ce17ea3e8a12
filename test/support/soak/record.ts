/** The daemon's record of a span of time: who typed what, and how the floor changed hands. */
import { expandEscapes } from '@pidp10/protocol/escapes';
import type { MethodResult } from '@pidp10/protocol/methods';
import type { DaemonClient } from '@pidp10/protocol/node/daemonClient';

export type Entry = MethodResult<'line.history'>['entries'][number];

/** One byte on record. */
export interface RecordedByte {
  /** Undefined: a secret. */
  readonly byte: number | undefined;
  readonly author: string;
  /** Number of the entry. */
  readonly seq: number;
  readonly isUrgent: boolean;
  /** The daemon's own answer to a pager. */
  readonly isAnswer: boolean;
}

/** All entries behind number `afterSeq`, in order. */
export async function readRecord(client: DaemonClient, afterSeq: number): Promise<readonly Entry[]> {
  const entries = new Map<number, Entry>();
  for (let to: number | undefined; ; ) {
    const known = entries.size;
    const page = await client.request('line.history', { limit: 1_000, ...(to !== undefined && { to }) });
    for (const entry of page.entries) entries.set(entry.seq, entry);
    const [first] = page.entries;
    if (!page.truncated || first === undefined || first.seq <= afterSeq) break;
    if (entries.size === known) throw new Error(`the record has nothing before entry ${first.seq}`);
    to = first.offset;
  }
  return [...entries.values()].filter(({ seq }) => seq > afterSeq).toSorted((a, b) => a.seq - b.seq);
}

export function recordedBytes(entries: readonly Entry[]): readonly RecordedByte[] {
  return entries.flatMap(({ input, seq }) => {
    if (input === undefined) return [];
    const { author, bytes: length, masked, text = '', urgent = false, isAnswer = false } = input;
    const expansion = expandEscapes(text, { bits: 7, raw: false });
    const bytes = expansion.kind === 'bytes' ? expansion.bytes : new Uint8Array(0);
    if (!masked && bytes.length !== length) throw new Error(`entry ${seq} has not ${length} bytes: ${text}`);
    return Array.from({ length }, (_, at) => ({
      byte: masked ? undefined : bytes[at],
      author: author.client,
      seq,
      isUrgent: urgent,
      isAnswer,
    }));
  });
}
