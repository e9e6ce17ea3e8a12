// What a search through all that is kept costs, beside `grep -c` on the same files in the same run. Nothing that is sought is
// there, so that everything is looked through. The files were just written: both read them from memory. Megabytes of
// history: the argument, 256 by default; the time of a status that another client asks for meanwhile stands behind it.
import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { startDaemon } from './support/daemon.mjs';
import { makeHistory } from './support/history.mjs';

const TOTAL_BYTES = Number(process.argv[2] ?? 256) * 1_000_000;
const CHUNK_BYTES = 65_536;
const NAMES = ['@ (INIT)', 'HACTRN BIN', 'LISP MANUAL', 'MAIL RMS', 'TECO ORDER', '_MSGS_ *MSG*'];
/** Of the last no part is known that each match must have: it is tried on every line. */
const SOUGHT = [
  ['a text', { text: 'quux-not-there' }, ['-F', 'quux-not-there']],
  ['… in any case', { text: 'quux-not-there', ignoreCase: true }, ['-iF', 'quux-not-there']],
  ['a pattern', { pattern: '[A-Z]+ +[0-9]+ +quux[0-9]' }, ['-E', '[A-Z]+ +[0-9]+ +quux[0-9]']],
  ['… with a word of every line', { pattern: 'INIT[^(]*quux[0-9]' }, ['-E', 'INIT[^(]*quux[0-9]']],
  ['… without any word', { pattern: '(quux|xyzzy)[0-9]' }, ['-E', '(quux|xyzzy)[0-9]']],
];
/** Between two questions of somebody else, in ms. */
const STATUS_EVERY_MS = 20;
/** Clock ticks of /proc in a second. */
const TICKS = 100;

/** A directory's listing; no two chunks are alike. */
function chunkOf(number) {
  const lines = [];
  for (let [bytes, line] = [0, number * 1_000]; bytes < CHUNK_BYTES - 64; line += 1) {
    const text = `  ${line % 7}   ${NAMES[line % NAMES.length].padEnd(14)} ${(line * 7_919) % 9_973} +${line}\r\n`;
    bytes += text.length;
    lines.push(text);
  }
  return Buffer.from(lines.join(''), 'latin1');
}

/** Seconds of processor time of the children that have ended. */
function childrenCpu() {
  const stat = readFileSync('/proc/self/stat', 'utf8');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[13]) + Number(fields[14])) / TICKS;
}

function grep(args, files) {
  const [cpu, since] = [childrenCpu(), performance.now()];
  const { status, stderr } = spawnSync('grep', ['-c', ...args, ...files], {
    env: { PATH: process.env.PATH, LC_ALL: 'C' },
    encoding: 'utf8',
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  // 1: no line was found.
  if (status !== 1) throw new Error(`grep ended with ${status}: ${stderr}`);
  return { seconds: (performance.now() - since) / 1_000, cpu: childrenCpu() - cpu };
}

const folderOf = (stateDir) => join(stateDir, 'journal', 'line');
const daemon = await startDaemon(['--quota-bytes', String(2 ** 50)], async (stateDir) => {
  mkdirSync(folderOf(stateDir), { recursive: true, mode: 0o700 });
  await makeHistory(folderOf(stateDir), { totalBytes: TOTAL_BYTES, chunkOf });
});
try {
  const folder = folderOf(daemon.stateDir);
  const files = readdirSync(folder)
    .filter((name) => name.startsWith('out-'))
    .map((name) => join(folder, name));
  const client = await daemon.client('bench');
  const other = await daemon.client('other');
  for (const [kind, params, args] of SOUGHT) {
    const theirs = grep(args, files);
    const [before, since] = [daemon.facts(), performance.now()];
    const searching = client.call('line.search', params).finally(() => (isOver = true));
    let [isOver, worstMs] = [false, 0];
    while (!isOver) {
      const asked = performance.now();
      await other.call('daemon.status');
      worstMs = Math.max(worstMs, performance.now() - asked);
      await setTimeout(STATUS_EVERY_MS);
    }
    const { matches, searched, isComplete } = await searching;
    const ours = { seconds: (performance.now() - since) / 1_000, cpu: daemon.facts().cpu - before.cpu };
    const bytes = searched.to - searched.from;
    if (matches.length > 0 || !isComplete || bytes < TOTAL_BYTES) {
      throw new Error(`found ${matches.length}, looked through ${bytes} of ${TOTAL_BYTES}`);
    }
    const rate = (seconds) => `${(bytes / 1e6 / seconds).toFixed(0)} MB/s`;
    console.log(
      `${kind.padEnd(27)} ${(bytes / 1e6).toFixed(0)} MB: ${ours.seconds.toFixed(1)} s, ${rate(ours.cpu)} of processor time, ${daemon.facts().rss.toFixed(0)} MiB; grep ${theirs.seconds.toFixed(2)} s, ${rate(theirs.cpu)}; ${(ours.cpu / theirs.cpu).toFixed(1)} times its processor time; slowest status ${worstMs.toFixed(0)} ms`,
    );
  }
  other.close();
  client.close();
} finally {
  await daemon.stop();
}
