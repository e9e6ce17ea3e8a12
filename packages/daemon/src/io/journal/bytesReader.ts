/** Stored bytes of one stream, from files and from what still waits for the disk. */
import { join } from 'node:path';
import { type Hole, nameOf, type Shelf } from '../../core/journal/shelf.ts';
import type { ChunkQueue } from './chunkQueue.ts';
import { codeOf, type Files } from './files.ts';

/** Most bytes of one answer: four rings of the daemon; who wants more asks again. */
export const MAX_READ_BYTES = 1024 * 1024;

export interface StreamStore {
  readonly files: Files;
  readonly folder: string;
  readonly shelf: Shelf;
  readonly queue: ChunkQueue;
}

export interface StoredBytes {
  /** Offset of the first byte: `start` as asked, or later where those bytes are gone; `end` when there are none. */
  readonly start: number;
  readonly bytes: Uint8Array;
}

interface Piece {
  readonly from: number;
  readonly bytes: Uint8Array;
}

/**
 * The first contiguous stretch in `[start, end)`, at most MAX_READ_BYTES: it stops at a gap, and the next read begins
 * behind it. Rejects when a file that is there cannot be read.
 */
export async function readStream(store: StreamStore, start: number, end: number): Promise<StoredBytes> {
  const first = await pieceAt(store, start, end);
  if (first === undefined) return { start: end, bytes: new Uint8Array(0) };
  const parts = [first.bytes];
  const limit = Math.min(end, first.from + MAX_READ_BYTES);
  let at = first.from + first.bytes.length;
  while (at < limit) {
    const piece = await pieceAt(store, at, limit);
    if (piece?.from !== at) break;
    parts.push(piece.bytes);
    at += piece.bytes.length;
  }
  return { start: first.from, bytes: new Uint8Array(Buffer.concat(parts)) };
}

/** What is not stored of `[start, end)`, and does not wait to be, in order; from names and sizes alone. */
export function holesOf({ shelf, queue }: StreamStore, start: number, end: number): readonly Hole[] {
  const waiting = queue.piecesFrom(start).map(({ key, bytes }) => ({ from: key, to: key + bytes.length }));
  return shelf.holes(start, end).flatMap((hole) => without(hole, waiting));
}

/** What is left of a stretch; `taken` is in order. */
function without(hole: Hole, taken: readonly Hole[]): readonly Hole[] {
  const left: Hole[] = [];
  let at = hole.from;
  for (const { from, to } of taken) {
    if (from > at && at < hole.to) left.push({ from: at, to: Math.min(from, hole.to) });
    at = Math.max(at, to);
  }
  if (at < hole.to) left.push({ from: at, to: hole.to });
  return left;
}

/** The first stored bytes in `[from, end)`, as many as lie in one place. */
async function pieceAt(store: StreamStore, from: number, end: number): Promise<Piece | undefined> {
  for (let at = from; at < end; ) {
    const waiting = store.queue.firstFrom(at);
    // A copy: the piece may go on growing.
    if (waiting !== undefined && waiting.key <= at) {
      return { from: at, bytes: waiting.bytes.slice(0, Math.min(end - at, MAX_READ_BYTES)) };
    }
    const stretch = store.shelf.stretchAt(at);
    if (stretch === undefined || stretch.from >= (waiting?.key ?? Number.POSITIVE_INFINITY)) {
      if (waiting === undefined) return undefined;
      at = waiting.key;
      continue;
    }
    const to = Math.min(
      stretch.to,
      end,
      stretch.from + MAX_READ_BYTES,
      waiting?.key ?? Number.POSITIVE_INFINITY,
    );
    if (to <= stretch.from) return undefined;
    const path = join(store.folder, nameOf(stretch.segment));
    const bytes = await readOrNothing(
      store.files,
      path,
      stretch.from - stretch.segment.key,
      to - stretch.from,
    );
    if (bytes.length > 0) return { from: stretch.from, bytes };
    // Deleted meanwhile, or cut by somebody: what comes behind it.
    at = Math.max(to, stretch.to);
  }
  return undefined;
}

async function readOrNothing(
  files: Files,
  path: string,
  position: number,
  length: number,
): Promise<Uint8Array> {
  try {
    return await files.read(path, position, length);
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return new Uint8Array(0);
    throw new Error(`reading the journal's ${path} failed (${codeOf(error)})`, { cause: error });
  }
}
