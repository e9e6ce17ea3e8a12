// How fast the core takes a flood: with nobody waiting, with a read, with a pattern that never comes. Budget (see
// docs/architecture.md): over 50 MB/s, memory flat, and waiting costs at most twice the CPU of not waiting.
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { Channel } from '../packages/daemon/dist/core/channel.js';

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc');

/** Memory that is in use once what is not was collected. */
function heldBytes() {
  collect();
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return heapUsed + arrayBuffers;
}

const CHUNK_BYTES = 65_536;
const CHUNKS = 1_600;
/** More than the ring holds. */
const WARM_CHUNKS = 160;
const LINE = Buffer.from(
  '  2   ATSIGN DDT    40 ! 11/30/2026 19:32:57 and what else a listing says here\r\n\u001bK',
);
const chunk = Buffer.alloc(CHUNK_BYTES);
for (let at = 0; at < CHUNK_BYTES; at += LINE.length) LINE.copy(chunk, at);

const PATIENT = { timeoutMs: 1e9, quietMs: 1e9, settleMs: 150, autoMore: false, maxChars: 1e12 };
const WAITS = { nobody: undefined, read: PATIENT, expect: { ...PATIENT, pattern: 'DONE_\\d+ never' } };

let baseline = 0;
for (const [who, expectation] of Object.entries(WAITS)) {
  const channel = new Channel({ telnet: 'off', bits: 7, ringBytes: 262_144 });
  channel.handle({ kind: 'open', waitId: 'o', reader: 'a', host: 'h', port: 1, timeoutMs: 5_000 }, 0);
  channel.handle({ kind: 'connected' }, 1);
  channel.handle({ kind: 'tick' }, 1_000);
  if (expectation !== undefined)
    channel.handle({ kind: 'read', waitId: 'r', reader: 'a', expectation }, 2_000);
  for (let count = 0; count < WARM_CHUNKS; count += 1)
    channel.handle({ kind: 'data', bytes: chunk }, 2_000 + count);
  const heldBefore = heldBytes();
  const before = process.cpuUsage();
  for (let count = 0; count < CHUNKS; count += 1)
    channel.handle({ kind: 'data', bytes: chunk }, 2_000 + count);
  const { user, system } = process.cpuUsage(before);
  const grownKib = (heldBytes() - heldBefore) / 1_024;
  const seconds = (user + system) / 1e6;
  baseline ||= seconds;
  const rate = (CHUNKS * CHUNK_BYTES) / 1e6 / seconds;
  console.log(
    `${who.padEnd(8)} ${rate.toFixed(0).padStart(5)} MB/s of CPU, ${(seconds / baseline).toFixed(2)} x nobody, ${grownKib.toFixed(0).padStart(5)} KiB more held than before`,
  );
}
