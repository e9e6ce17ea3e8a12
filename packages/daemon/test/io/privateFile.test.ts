import { mkdtempSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { PrivateFile, readPrivateFile } from '../../src/io/privateFile.ts';

function folder(): string {
  const path = mkdtempSync(join(tmpdir(), 'pidp10d-file-'));
  onTestFinished(() => rmSync(path, { recursive: true, force: true }));
  return path;
}

test('S12 · the newest text is there when every put has resolved, mode 0600', async () => {
  const file = new PrivateFile(join(folder(), 'x'));
  await Promise.all(['1', '2', '3'].map((text) => file.put(text)));
  expect([readPrivateFile(file.path), statSync(file.path).mode & 0o777]).toEqual(['3', 0o600]);
  await file.idle();
});

test('a failed write keeps the old text, and a later one is tried', async () => {
  const place = folder();
  const file = new PrivateFile(join(place, 'none', 'x'));
  await expect(file.put('1')).rejects.toMatchObject({ code: 'ENOENT' });
  await expect(file.put('2')).rejects.toMatchObject({ code: 'ENOENT' });
  expect(readPrivateFile(file.path)).toBeUndefined();
});

test('S09 · a planted link is neither followed nor read', async () => {
  const place = folder();
  const target = join(place, 'target');
  writeFileSync(target, 'theirs');
  const file = new PrivateFile(join(place, 'x'));
  symlinkSync(target, file.path);
  symlinkSync(target, `${file.path}.new`);
  expect(readPrivateFile(file.path)).toBeUndefined();
  await expect(file.put('ours')).rejects.toMatchObject({ code: 'ELOOP' });
  expect(readFileSync(target, 'utf8')).toBe('theirs');
});
