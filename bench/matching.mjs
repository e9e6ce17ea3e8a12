// Throughput of waiting for a pattern (docs/adr/0003-matching-engine.md, cases G20, X01, X02).
// Run after a build: node bench/matching.mjs

import vm from 'node:vm';
import { compilePattern, findMatchStart, Matcher } from '../packages/daemon/dist/core/pattern/pattern.js';

const CHUNK_CHARS = 65_536;
const LINES = 'ITS.1651. DDT.1547. TTY 21\n21. Lusers, Fair Share = 32%\n* ';

/** As a decoder makes it: flat, one byte a character. */
const flat = (text) => Buffer.from(text, 'latin1').toString('latin1');
const log = flat(LINES.repeat(CHUNK_CHARS / LINES.length + 1).slice(0, CHUNK_CHARS));

function noise(alphabet) {
  let state = 1;
  let text = '';
  while (text.length < CHUNK_CHARS) {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    text += alphabet[Math.floor((state / 2 ** 32) * alphabet.length)];
  }
  return flat(text);
}

function timeMs(work) {
  const start = performance.now();
  work();
  return performance.now() - start;
}

/** Processor time, so that what else runs on the machine does not count. */
function cpuMs(work) {
  const start = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(start);
  return (user + system) / 1000;
}

function pattern(source) {
  const result = compilePattern(source);
  if (result.kind === 'invalid') throw new Error(`${source}: ${result.message}`);
  return result.pattern;
}

const megabytes = (chars, ms) => `${(chars / 1e3 / ms).toFixed(0).padStart(5)} MB/s`;

function own(title, source, text, pushes) {
  const matcher = new Matcher(pattern(source));
  const times = Array.from({ length: pushes }, () => cpuMs(() => matcher.push(text)));
  const total = times.reduce((sum, ms) => sum + ms, 0);
  const later = times.slice(1).sort((a, b) => a - b);
  console.log(
    title.padEnd(36),
    megabytes(pushes * text.length, total),
    `  CPU of 64 KiB: first ${times[0].toFixed(1)} ms, median ${later[later.length >> 1].toFixed(2)}, max ${later.at(-1).toFixed(2)}`,
  );
}

console.log('own engine, nothing matches, 64 MiB in chunks of 64 KiB');
for (const source of [
  'ZZZ',
  '(?i)login:|password:',
  '\\bfoo\\b',
  '^%$',
  '\\w+\\* $',
  '.*ITS.*DDQ',
  'ITS[\\s\\S]*DDQ',
]) {
  own(source, source, log, 1024);
}

console.log('\nown engine, hostile, 4 MiB');
const endless = flat('a'.repeat(CHUNK_CHARS));
own('(a+)+$ on a…', '(a+)+$', endless, 64);
own('(a|a)*b on a…', '(a|a)*b', endless, 64);
own('x{1000}y on x…', 'x{1000}y', flat('x'.repeat(CHUNK_CHARS)), 64);
own('(a|b)*a(a|b){20}c on noise', '(a|b)*a(a|b){20}c', noise('ab'), 64);
own('a[ab]{1000}c on noise', 'a[ab]{1000}c', noise('ab'), 64);
own('a[ab]{0,1000}c on noise', 'a[ab]{0,1000}c', noise('ab'), 64);
own('a(?:[ab]|[bc][ac]){40}d on noise', 'a(?:[ab]|[bc][ac]){40}d', noise('abc'), 64);

console.log('\ncompiling, ms, first and best of 20');
for (const source of [
  'login:',
  '(?i)(?:error|warning|fatal).*$',
  'x{1000}y',
  '(?:a?b?){700}',
  '(x{1000}){1000}',
]) {
  const times = Array.from({ length: 20 }, () => timeMs(() => compilePattern(source)));
  const { kind } = compilePattern(source);
  console.log(source.padEnd(36), times[0].toFixed(2), Math.min(...times).toFixed(2), kind);
}

console.log('\nwhere a match began, 64 KiB backwards');
const spanning = pattern('ITS[\\s\\S]*#');
const backwards = Array.from({ length: 20 }, () =>
  timeMs(() => findMatchStart(spanning, `${log}#`, log.length + 1)),
);
console.log(`first ${backwards[0].toFixed(2)} ms, best ${Math.min(...backwards).toFixed(2)} ms`);

console.log('\nfloor: reading each character once');
let seen = 0;
const readAll = () => {
  for (let i = 0; i < log.length; i += 1) seen ^= log.charCodeAt(i);
};
for (let i = 0; i < 100; i += 1) readAll();
console.log(
  megabytes(
    512 * log.length,
    timeMs(() => Array.from({ length: 512 }, readAll)),
  ),
  seen === 1 ? '' : ' ',
);

console.log(
  '\nnative RegExp on a growing buffer, a test for each 64 characters (sizes kept small: it is quadratic and worse)',
);
for (const [source, unit, sizes] of [
  [/ZZZ/m, LINES, [8192, 16_384, 32_768]],
  [/\w+\* $/m, 'x', [512, 1024, 2048]],
  [/.*ITS.*DDT/m, 'ITS ', [512, 1024, 2048]],
  [/ITS[\s\S]*DDT/m, 'ITS ', [2048, 4096, 8192]],
]) {
  const figures = sizes.map((size) => {
    const text = flat(unit.repeat(size / unit.length + 1).slice(0, size));
    const ms = timeMs(() => {
      for (let end = 64; end <= size; end += 64) source.test(text.slice(0, end));
    });
    return `${size}: ${ms.toFixed(1)} ms`;
  });
  console.log(String(source).padEnd(36), figures.join(', '));
}
console.log(
  '/(a+)+$/ on a…b'.padEnd(36),
  [22, 24, 26]
    .map((n) => `${n}: ${timeMs(() => /(a+)+$/.test(`${'a'.repeat(n)}b`)).toFixed(0)} ms`)
    .join(', '),
);

console.log('\nnode:vm with a timeout of 50 ms');
const script = new vm.Script('/ZZZ/m.test(text)');
const context = vm.createContext({ text: '' });
const calls = Array.from({ length: 500 }, () => timeMs(() => script.runInContext(context, { timeout: 50 })));
console.log(`a call on an empty text: median ${(calls.sort((a, b) => a - b)[250] * 1000).toFixed(0)} µs`);
const hostile = vm.createContext({ text: `${'a'.repeat(40)}b` });
const interrupted = timeMs(() => {
  try {
    new vm.Script('/(a+)+$/.test(text)').runInContext(hostile, { timeout: 50 });
  } catch {
    // The timeout is what is measured.
  }
});
console.log(`/(a+)+$/ is interrupted after ${interrupted.toFixed(0)} ms`);
