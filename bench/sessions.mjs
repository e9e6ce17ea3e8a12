// What command sessions cost: text of a flood, starts, floods with the journal on while others ask, long inputs, many stops.
// Budgets (docs/architecture.md): a flooding command is drained at over 50 MB/s, memory flat, and nothing holds the loop for
// over 50 ms. Figures are processor time, or medians: what else runs on the machine shall not count.
import { SessionChannel } from '../packages/daemon/dist/core/sessionChannel.js';
import { quantile, startDaemon } from './support/daemon.mjs';

const CHUNK_BYTES = 65_536;
const STARTS = 40;
const FLOOD_SECONDS = 5;
const STOPS = 64;

function filled(text) {
  const unit = Buffer.from(text);
  const chunk = Buffer.alloc(CHUNK_BYTES);
  for (let at = 0; at < CHUNK_BYTES; at += unit.length) unit.copy(chunk, at);
  return chunk;
}

function cpuSeconds(work) {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1e6;
}

const figure = (value, digits = 0) => value.toFixed(digits).padStart(6);

console.log('the core alone, MB/s of processor time; with a wait for a pattern that never comes');
const LOG = '2026-11-30 19:32:57 INFO server: request of 127.0.0.1 took 35 ms, all is well\n';
const TEXTS = {
  'lines, LF': filled(LOG),
  'lines, CR LF': filled(LOG.replace('\n', '\r\n')),
  'lines of two bytes': filled('y\n'),
  'the same on a PTY': filled('y\r\n'),
  NULs: Buffer.alloc(CHUNK_BYTES),
  colours: filled(
    '\x1b[01;34mfolder\x1b[0m  \x1b[01;32mscript.sh\x1b[0m  README.md  \x1b[31;1merror\x1b[m: it is wrong\r\n',
  ),
  'UTF-8, some': filled('Füße über Straße — “quotes” and quite normal text beside them ✓\n'),
  'UTF-8, all': filled('日本語のテキスト、漢字かな交じり文\n'),
};
const EXPECTATION = {
  pattern: 'DONE_\\d+ never',
  timeoutMs: 1e9,
  quietMs: 1e9,
  settleMs: 1,
  autoMore: false,
  maxChars: 1e12,
};
for (const [title, chunk] of Object.entries(TEXTS)) {
  const rates = [false, true].map((isAwaited) => {
    const channel = new SessionChannel({
      isPty: false,
      splitStderr: false,
      startedMs: 0,
      ringBytes: 262_144,
    });
    const call = { kind: 'read', waitId: 'r', reader: 'a', expectation: EXPECTATION };
    if (isAwaited) channel.handle({ kind: 'call', stream: 'out', call }, 1);
    const feed = (count) => {
      for (let left = count; left > 0; left -= 1)
        channel.handle({ kind: 'data', stream: 'out', bytes: chunk }, 2);
    };
    feed(100);
    const chunks = 800;
    return (chunks * CHUNK_BYTES) / 1e6 / cpuSeconds(() => feed(chunks));
  });
  console.log(`  ${title.padEnd(20)}${rates.map((rate) => figure(rate)).join('  awaited ')}`);
}

const daemon = await startDaemon();
try {
  await measure(daemon);
} finally {
  await daemon.stop();
}

async function measure(daemon) {
  const { call, close } = await daemon.client('bench');

  console.log(
    '\na start of `true`, until its exit is told: ms, median and worst; processor time of the daemon for each',
  );
  for (const pty of [false, true]) {
    const times = [];
    const before = daemon.facts();
    for (let count = 0; count < STARTS; count += 1) {
      const sinceMs = performance.now();
      const { session } = await call('session.start', { command: 'true', pty });
      await call('session.wait', { session });
      times.push(performance.now() - sinceMs);
    }
    times.sort((a, b) => a - b);
    const cpuMs = ((daemon.facts().cpu - before.cpu) * 1_000) / STARTS;
    console.log(
      `  ${pty ? 'PTY  ' : 'pipes'} ${figure(quantile(times, 0.5), 1)} ${figure(times.at(-1), 1)}, CPU ${cpuMs.toFixed(1)} ms`,
    );
  }

  console.log(
    `\nfloods of ${FLOOD_SECONDS} s with the journal on, while somebody asks for the line's status`,
  );
  for (const [title, commands, pty] of [
    ['yes', [['yes']], false],
    ['yes, long lines', [['yes', LOG.trim()]], false],
    ['yes on a PTY', [['yes']], true],
    ['cat /dev/zero', [['cat', '/dev/zero']], false],
    ['four of yes', Array(4).fill(['yes', LOG.trim()]), false],
  ]) {
    const sessions = [];
    for (const [command, ...args] of commands)
      sessions.push((await call('session.start', { command, args, pty })).session);
    await new Promise((resolve) => setTimeout(resolve, 1_000));
    const end = async () => {
      const all = await Promise.all(sessions.map((session) => call('session.status', { session })));
      return all.reduce((sum, { end: bytes }) => sum + bytes, 0);
    };
    const [before, from, sinceMs] = [daemon.facts(), await end(), performance.now()];
    const times = [];
    while (performance.now() - sinceMs < FLOOD_SECONDS * 1_000) {
      const askedMs = performance.now();
      await call('line.status');
      times.push(performance.now() - askedMs);
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
    const [after, megabytes, seconds] = [
      daemon.facts(),
      ((await end()) - from) / 1e6,
      (performance.now() - sinceMs) / 1_000,
    ];
    for (const session of sessions) await call('session.stop', { session, graceMs: 0 });
    times.sort((a, b) => a - b);
    const cpu = after.cpu - before.cpu;
    console.log(
      `  ${title.padEnd(16)}${figure(megabytes / seconds)} MB/s, ${figure(megabytes / cpu)} MB/s of CPU, RSS ${figure(after.rss)} MiB ` +
        `(${figure(after.rss - before.rss)} more), status p50 ${figure(quantile(times, 0.5), 1)} p99 ${figure(quantile(times, 0.99), 1)} ms`,
    );
  }

  console.log('\n1 MB of input to `cat >/dev/null`, in five sends');
  {
    const { session } = await call('session.start', { command: 'sh', args: ['-c', 'exec cat >/dev/null'] });
    const input = 'A line of a text that somebody has pasted.\n'.repeat(4_651).slice(0, 199_999);
    const [before, sinceMs] = [daemon.facts(), performance.now()];
    for (let count = 0; count < 5; count += 1) {
      await call('session.send', { session, input, timeoutMs: 0 });
      while ((await call('session.status', { session })).pendingBytes > 0)
        await new Promise((resolve) => setTimeout(resolve, 20));
    }
    const cpu = daemon.facts().cpu - before.cpu;
    console.log(`  ${figure(performance.now() - sinceMs)} ms, CPU ${figure(cpu * 1_000)} ms`);
    await call('session.stop', { session, graceMs: 0 });
  }

  console.log(`\n${STOPS} sessions stopped at once, while somebody asks for the line's status`);
  {
    const sessions = [];
    for (let count = 0; count < STOPS; count += 1)
      sessions.push((await call('session.start', { command: 'sleep', args: ['600'] })).session);
    const before = daemon.facts();
    let [isOver, worstMs] = [false, 0];
    const asked = (async () => {
      const other = await daemon.client('other');
      while (!isOver) {
        const sinceMs = performance.now();
        await other.call('line.status');
        worstMs = Math.max(worstMs, performance.now() - sinceMs);
      }
      other.close();
    })();
    const sinceMs = performance.now();
    await Promise.all(sessions.map((session) => call('session.stop', { session })));
    const ms = performance.now() - sinceMs;
    isOver = true;
    await asked;
    const cpu = daemon.facts().cpu - before.cpu;
    console.log(`  ${figure(ms)} ms, CPU ${figure(cpu * 1_000)} ms, longest status ${figure(worstMs, 1)} ms`);
  }

  close();
}
