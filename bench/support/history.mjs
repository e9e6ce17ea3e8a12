// A history as a daemon leaves it: output, checkpoints and what was typed, written by the journal itself.
import { Transcript } from '../../packages/daemon/dist/core/transcript.js';
import { nodeFiles } from '../../packages/daemon/dist/io/journal/files.js';
import { Journal } from '../../packages/daemon/dist/io/journal/journal.js';

const CHECKPOINT_CHUNKS = 4;
/** Bytes on their way at which the writer waits. */
const HIGH_WATER_BYTES = 4 * 1024 * 1024;
/** Pieces of output between two inputs. */
const TYPED_EVERY_CHUNKS = 10;
/** Between two pieces of output, in ms: 64 KiB of them are what a fast line says in that time. */
const CHUNK_MS = 700;
const DAYS_AGO = 90;

/**
 * Each chunk, made by `chunkOf(number)`, ends with a line end: the line looks the same at every checkpoint, and without
 * checkpoints whoever asks for old output would render it from the beginning.
 */
export async function makeHistory(folder, { totalBytes, chunkOf, files = nodeFiles, isTyped = true }) {
  let nowMs = Date.now() - DAYS_AGO * 24 * 3_600_000;
  const clock = { wallMs: () => nowMs, monoMs: () => nowMs };
  const { journal } = await Journal.open({ folder, files, clock, quotaBytes: 1e15 });
  const transcript = new Transcript({ bits: 7, ringBytes: 262_144, profile: 'its' });
  transcript.append(chunkOf(0), 0);
  const checkpoint = transcript.checkpointState();
  const author = { client: 'bench', reader: 'bench' };
  const facts = { state: 'open', host: 'pidp10', port: 10_018, codec: 'telnet' };
  journal.record('state', { facts, entry: 0 }, { isState: true });
  let entry = 1;
  let bytes = 0;
  for (let number = 0; bytes < totalBytes; number += 1) {
    const chunk = chunkOf(number);
    bytes += chunk.length;
    journal.append('out', chunk);
    nowMs += CHUNK_MS;
    if (number % CHECKPOINT_CHUNKS === 0) {
      const { end } = journal.status.streams.out;
      journal.record('checkpoint', { ...checkpoint, offset: end }, { offset: end });
    }
    if (isTyped && number % TYPED_EVERY_CHUNKS === 0) {
      const input = { author, bytes: [58, 118, 107, 13], length: 4, isUrgent: false, isAnswer: false };
      journal.record('input', { ...input, entry });
      entry += 1;
    }
    const { end, syncedEnd } = journal.status.streams.out;
    if (end - syncedEnd > HIGH_WATER_BYTES) await journal.sync();
  }
  await journal.close();
}
