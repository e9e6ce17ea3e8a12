/**
 * Holds three accounts of the same hour against each other: the bytes that the line got, the daemon's record of who typed
 * them, and what each client says it sent. Every difference is a fault, in words.
 */
import type { Sending } from './ledger.ts';
import type { Entry, RecordedByte } from './record.ts';

export interface Accounts {
  /** Without commands of telnet. */
  readonly received: Uint8Array;
  readonly record: readonly RecordedByte[];
  readonly entries: readonly Entry[];
  readonly sendings: readonly Sending[];
}

export interface Verdict {
  readonly faults: readonly string[];
  readonly inputs: number;
  /** Inputs of which not everything went out. */
  readonly cut: number;
  readonly masked: number;
}

/** Inputs before the one that does not fit which are told. */
const CONTEXT = 4;
/** Faults that are told; more say nothing new. */
const MAX_FAULTS = 20;

export function judge({ received, record, entries, sendings }: Accounts): Verdict {
  const faults = misrecorded(received, record);
  const own = record.filter(({ isAnswer }) => !isAnswer);
  const owners = new Map<RecordedByte, Sending>();
  for (const author of new Set([...own, ...sendings].map((each) => each.author))) {
    const stream = own.filter((each) => each.author === author);
    const theirs = sendings.filter((each) => each.author === author);
    const ends = divide(stream, theirs);
    if (typeof ends === 'string') faults.push(`${author}: ${ends}`);
    else {
      let start = 0;
      for (const [index, end] of ends.entries()) {
        const sending = theirs[index];
        if (sending !== undefined) for (const each of stream.slice(start, end)) owners.set(each, sending);
        start = end;
      }
    }
  }
  const sizes = new Map<Sending, number>();
  for (const sending of owners.values()) sizes.set(sending, (sizes.get(sending) ?? 0) + 1);
  const cut = sendings.filter((sending) => (sizes.get(sending) ?? 0) < sending.bytes.length);
  faults.push(...interleaved(record, owners), ...unexplained(cut, { record, entries, owners }));
  return {
    faults: faults.slice(0, MAX_FAULTS),
    inputs: sendings.length,
    cut: cut.length,
    masked: record.filter(({ byte }) => byte === undefined).length,
  };
}

/** Where the record has other bytes than the line got. */
function misrecorded(received: Uint8Array, record: readonly RecordedByte[]): string[] {
  const at = record.findIndex(({ byte }, index) => byte !== undefined && byte !== received[index]);
  const what = `the line got ${received.length} bytes, on record are ${record.length}`;
  if (at >= 0) return [`${what}; the first that differs is ${at}, of ${record[at]?.author ?? ''}`];
  return record.length === received.length ? [] : [what];
}

/**
 * Where each of the author's inputs ends in what is on record for him: an end for each, or what is wrong. All ways to
 * divide it are followed, as some inputs may have ended anywhere.
 */
function divide(stream: readonly RecordedByte[], sendings: readonly Sending[]): readonly number[] | string {
  const ways: Map<number, number>[] = [];
  let starts = new Set([0]);
  for (const sending of sendings) {
    const way = new Map<number, number>();
    for (const start of starts) for (const end of endsOf(stream, start, sending)) way.set(end, start);
    if (way.size === 0) {
      const { least, most, bytes } = sending;
      const found = text(stream.slice(Math.max(...starts)).map(({ byte }) => byte));
      const before = sendings.slice(
        Math.max(sendings.indexOf(sending) - CONTEXT, 0),
        sendings.indexOf(sending),
      );
      const told = before.map(
        (each) => `${JSON.stringify(text([...each.bytes]))} ${each.least}-${each.most}`,
      );
      return `of ${JSON.stringify(text([...bytes]))} ${least} to ${most} bytes are told, on record is ${JSON.stringify(found)}; before: ${told.join(', ')}`;
    }
    ways.push(way);
    starts = new Set(way.keys());
  }
  if (!starts.has(stream.length)) {
    const rest = stream.slice(Math.max(...starts)).map(({ byte }) => byte);
    return `on record, and sent by nobody: ${JSON.stringify(text(rest))}`;
  }
  const ends: number[] = [];
  for (let end = stream.length, index = ways.length - 1; index >= 0; index -= 1) {
    ends.unshift(end);
    end = ways[index]?.get(end) ?? 0;
  }
  return ends;
}

/** Where an input that begins at `start` may end. */
function endsOf(
  stream: readonly RecordedByte[],
  start: number,
  { bytes, least, most, isKeys }: Sending,
): readonly number[] {
  const ends = least === 0 ? [start] : [];
  let next = 0;
  for (let end = start; end < stream.length && end - start < most; end += 1) {
    const found = stream[end]?.byte;
    if (isKeys) while (next < bytes.length && found !== undefined && bytes[next] !== found) next += 1;
    if (next >= bytes.length || (found !== undefined && bytes[next] !== found)) break;
    next += 1;
    if (end + 1 - start >= least) ends.push(end + 1);
  }
  return ends;
}

/** Inputs between whose bytes stand those of another; a person's keys are inputs of their own. */
function interleaved(
  record: readonly RecordedByte[],
  owners: ReadonlyMap<RecordedByte, Sending>,
): readonly string[] {
  const over = new Set<Sending>();
  const faults: string[] = [];
  let last: Sending | undefined;
  for (const each of record) {
    // The answer to a pager belongs to the wait of its author, whose next command may follow.
    if (each.isAnswer && each.author === last?.author) continue;
    const owner = owners.get(each);
    if (owner === last) continue;
    if (last !== undefined) over.add(last);
    if (owner !== undefined && over.has(owner) && !owner.isKeys)
      faults.push(`bytes of another stand in ${JSON.stringify(text([...owner.bytes]))} of ${owner.author}`);
    last = owner;
  }
  return faults;
}

/** Keys that were not typed although nobody took the floor or sent an urgent key since the last line that was typed whole. */
function unexplained(
  cut: readonly Sending[],
  { record, entries, owners }: Pick<Accounts, 'record' | 'entries'> & { owners: Map<RecordedByte, Sending> },
): readonly string[] {
  const why = [
    ...record.flatMap(({ isUrgent, seq }) => (isUrgent ? [seq] : [])),
    ...entries.flatMap(({ kind, seq, text: words = '' }) =>
      kind === 'floor' && words.includes('by force') ? [seq] : [],
    ),
  ];
  const places = new Map<Sending, number[]>();
  for (const [{ seq }, owner] of owners)
    if (owner.isKeys) places.set(owner, [...(places.get(owner) ?? []), seq]);
  let wholeSeq = 0;
  return [...places].flatMap(([sending, seqs]) => {
    const last = Math.max(...seqs);
    const isExplained = why.some((seq) => seq > wholeSeq && seq <= last + NEAR_ENTRIES);
    if (!cut.includes(sending)) wholeSeq = last;
    else if (!isExplained) return [`keys are missing from ${JSON.stringify(text([...sending.bytes]))}`];
    return [];
  });
}

/** What cuts keys off happens right behind the last of them. */
const NEAR_ENTRIES = 3;
const MAX_TEXT_CHARS = 80;

function text(bytes: readonly (number | undefined)[]): string {
  return String.fromCharCode(...bytes.slice(0, MAX_TEXT_CHARS).map((byte) => byte ?? 0x3f));
}
