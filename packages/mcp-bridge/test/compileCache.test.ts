import { chmodSync, mkdirSync, mkdtempSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type CacheOptions, tryCacheCompiled } from '../src/compileCache.ts';

let home: string;
let enabled: string[];

beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'p10-'));
  enabled = [];
});
afterEach(() => rmSync(home, { recursive: true }));

function tryHere(options: Partial<CacheOptions> = {}): boolean {
  const module = { enableCompileCache: (folder: string) => enabled.push(folder) };
  return tryCacheCompiled({
    module,
    env: {},
    platform: 'linux',
    homedir: home,
    uid: process.getuid?.(),
    ...options,
  });
}

describe('the cache lies in a folder of the user’s own', () => {
  test('below ~/.cache, for nobody else', () => {
    expect(tryHere()).toBe(true);
    const folder = join(home, '.cache', 'pidp10', 'compiled');
    expect([enabled, statSync(folder).mode & 0o777]).toEqual([[folder], 0o700]);
    expect(tryHere()).toBe(true);
  });

  test('where XDG_CACHE_HOME or macOS has it', () => {
    expect(tryHere({ env: { XDG_CACHE_HOME: join(home, 'xdg') } })).toBe(true);
    expect(tryHere({ env: { XDG_CACHE_HOME: 'relative' } })).toBe(true);
    expect(tryHere({ platform: 'darwin' })).toBe(true);
    expect(enabled.map((folder) => folder.slice(home.length + 1))).toEqual([
      'xdg/pidp10/compiled',
      '.cache/pidp10/compiled',
      'Library/Caches/pidp10/compiled',
    ]);
  });
});

describe('without a cache it starts all the same', () => {
  test.each<[what: string, options: Partial<CacheOptions>]>([
    ['a Node that has none', { module: {} }],
    ['Node’s own variable, which names another folder', { env: { NODE_COMPILE_CACHE: '/elsewhere' } }],
    ['a user who wants none', { env: { NODE_DISABLE_COMPILE_CACHE: '1' } }],
    ['a folder of somebody else', { uid: 4_711 }],
    ['no home', { homedir: '' }],
  ])('%s', (_what, options) => {
    expect([tryHere(options), enabled]).toEqual([false, []]);
  });

  test('a home that is a file, a folder that others may write to, a link', () => {
    const file = join(home, 'file');
    writeFileSync(file, '');
    expect(tryHere({ homedir: file })).toBe(false);
    const folder = join(home, '.cache', 'pidp10', 'compiled');
    mkdirSync(folder, { recursive: true });
    chmodSync(folder, 0o770);
    expect(tryHere()).toBe(false);
    rmSync(folder, { recursive: true });
    symlinkSync(home, folder);
    expect([tryHere(), enabled]).toEqual([false, []]);
  });

  test('a cache that throws', () => {
    const module = {
      enableCompileCache: () => {
        throw new Error('full');
      },
    };
    expect(tryHere({ module })).toBe(false);
  });
});
