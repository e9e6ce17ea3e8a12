/**
 * Bytes on their way to one series of files: those that wait, those that are written and not yet synced. They stay in
 * memory until a sync succeeded, because after a failed one the file can no longer be trusted to hold them (S05).
 */

/** Largest piece that is kept, and rewritten, as one. */
export const CHUNK_BYTES = 64 * 1024;
/** Room for more in a piece that begins while the disk is busy: single characters must not cost an object each. */
const SHARED_CHUNK_BYTES = 4 * 1024;

interface Chunk {
  readonly key: number;
  readonly buffer: Uint8Array;
  bytes: number;
  /** It does not follow on the chunk before: it needs a file of its own. */
  readonly startsFile: boolean;
  /** It is, or was, part of a write: nothing may be added. */
  isSealed: boolean;
}

export class ChunkQueue {
  readonly #isStream: boolean;
  #chunks: Chunk[] = [];
  #written = 0;
  #part = 0;
  #bytes = 0;
  #dirtyBytes = 0;
  #endKey: number | undefined;

  /** `isStream`: keys are offsets, bytes may be cut and joined. Else each piece is a record that stays whole. */
  constructor(isStream: boolean) {
    this.#isStream = isStream;
  }

  /** All bytes in memory. */
  get bytes(): number {
    return this.#bytes;
  }

  /** Those that are in the file and not synced. */
  get dirtyBytes(): number {
    return this.#dirtyBytes;
  }

  get unwrittenBytes(): number {
    return this.#bytes - this.#dirtyBytes;
  }

  /** Key of the oldest piece that is not synced. */
  get firstKey(): number | undefined {
    return this.#chunks[0]?.key;
  }

  /** Where the next write goes: the piece's key, and whether it must begin a file. */
  get next(): { readonly key: number; readonly bytes: number; readonly startsFile: boolean } | undefined {
    const chunk = this.#chunks[this.#written];
    if (chunk === undefined) return undefined;
    return {
      key: chunk.key + this.#part,
      bytes: chunk.bytes - this.#part,
      startsFile: chunk.startsFile && this.#part === 0,
    };
  }

  /** Takes a copy. */
  push(key: number, bytes: Uint8Array): void {
    const isApart = this.#isStream && this.#endKey !== undefined && this.#endKey !== key;
    this.#endKey = key + bytes.length;
    const step = this.#isStream ? CHUNK_BYTES : bytes.length;
    for (let from = 0; from < bytes.length; from += step) {
      const piece = bytes.subarray(from, from + step);
      this.#bytes += piece.length;
      if (!isApart && this.#join(piece)) continue;
      const isBusy = this.#isStream && this.#chunks.length > this.#written;
      const buffer = new Uint8Array(isBusy ? Math.max(piece.length, SHARED_CHUNK_BYTES) : piece.length);
      buffer.set(piece);
      const startsFile = isApart && from === 0;
      this.#chunks.push({ key: key + from, buffer, bytes: piece.length, startsFile, isSealed: false });
    }
  }

  /** The next pieces to write into one file, at most `maxBytes`, but at least one piece. */
  batch(maxBytes: number): readonly Uint8Array[] {
    const parts: Uint8Array[] = [];
    let bytes = 0;
    for (let index = this.#written; index < this.#chunks.length; index++) {
      const chunk = this.#chunks[index];
      if (chunk === undefined || (parts.length > 0 && (chunk.startsFile || bytes + chunk.bytes > maxBytes)))
        break;
      chunk.isSealed = true;
      const part = chunk.buffer.subarray(parts.length === 0 ? this.#part : 0, chunk.bytes);
      parts.push(part);
      bytes += part.length;
      if (parts.length === MAX_PARTS) break;
    }
    return parts;
  }

  /** The next `bytes` are in the file. */
  wrote(bytes: number): void {
    this.#dirtyBytes += bytes;
    this.#part += bytes;
    for (;;) {
      const chunk = this.#chunks[this.#written];
      if (chunk === undefined || this.#part < chunk.bytes || !chunk.isSealed) return;
      this.#part -= chunk.bytes;
      this.#written += 1;
    }
  }

  /** Pieces that are written as a whole and not synced: what a sync that begins now will cover. */
  get writtenPieces(): number {
    return this.#written;
  }

  /** The oldest so many pieces are on the disk; one that is written in part stays, in case it must be written again. */
  synced(pieces: number): void {
    const done = this.#chunks.splice(0, pieces);
    const bytes = done.reduce((sum, chunk) => sum + chunk.bytes, 0);
    this.#written -= done.length;
    this.#bytes -= bytes;
    this.#dirtyBytes -= bytes;
  }

  /** What is not synced must be written again, elsewhere. */
  rollBack(): void {
    this.#written = 0;
    this.#part = 0;
    this.#dirtyBytes = 0;
  }

  /** The first of `piecesFrom`. */
  firstFrom(key: number): { readonly key: number; readonly bytes: Uint8Array } | undefined {
    const chunk = this.#chunks.find((one) => one.key + one.bytes > key);
    return chunk === undefined ? undefined : cutAt(chunk, key);
  }

  /** Bytes in memory whose chunk ends behind `key`: from `key` on or later. */
  piecesFrom(key: number): readonly { readonly key: number; readonly bytes: Uint8Array }[] {
    return this.#chunks.filter((chunk) => chunk.key + chunk.bytes > key).map((chunk) => cutAt(chunk, key));
  }

  #join(piece: Uint8Array): boolean {
    const last = this.#chunks.at(-1);
    if (!this.#isStream || last === undefined || last.isSealed) return false;
    if (last.bytes + piece.length > last.buffer.length) return false;
    last.buffer.set(piece, last.bytes);
    last.bytes += piece.length;
    return true;
  }
}

function cutAt(chunk: Chunk, key: number): { readonly key: number; readonly bytes: Uint8Array } {
  const skipped = Math.max(key - chunk.key, 0);
  return { key: chunk.key + skipped, bytes: chunk.buffer.subarray(skipped, chunk.bytes) };
}

/** Pieces in one write: writev(2) takes at most 1,024. */
const MAX_PARTS = 1_024;
