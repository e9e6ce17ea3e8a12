import { mkdtempSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { acquireLock } from '../../src/io/lock.ts';

let folder: string;
let path: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'p10-'));
  path = join(folder, 'x.lock');
});

afterEach(() => rmSync(folder, { recursive: true }));

test('is given once, names its holder, and is free again after the release', () => {
  const first = acquireLock(path, 11, process.platform);
  if (first.kind !== 'locked') throw new Error('not locked');
  expect(acquireLock(path, 22, process.platform)).toEqual({ kind: 'taken', holder: '11' });
  first.lock[Symbol.dispose]();
  const second = acquireLock(path, 33, process.platform);
  if (second.kind !== 'locked') throw new Error('not locked');
  expect(readFileSync(path, 'utf8')).toBe('33\n');
  second.lock[Symbol.dispose]();
});

test('what a former holder wrote is no lock', () => {
  writeFileSync(path, '123456789 and more\n');
  const found = acquireLock(path, 11, process.platform);
  if (found.kind !== 'locked') throw new Error('not locked');
  expect(readFileSync(path, 'utf8')).toBe('11\n');
  found.lock[Symbol.dispose]();
});

test('S09 · the file is private, and a link in its place is not followed', () => {
  const found = acquireLock(path, 11, process.platform);
  if (found.kind !== 'locked') throw new Error('not locked');
  expect((statSync(path).mode & 0o777).toString(8)).toBe('600');
  found.lock[Symbol.dispose]();
  const victim = join(folder, 'victim');
  writeFileSync(victim, 'precious');
  symlinkSync(victim, join(folder, 'link.lock'));
  expect(() => acquireLock(join(folder, 'link.lock'), 11, process.platform)).toThrow('ELOOP');
  expect(readFileSync(victim, 'utf8')).toBe('precious');
});
