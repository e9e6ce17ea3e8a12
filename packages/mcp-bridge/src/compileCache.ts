/**
 * Node's compile cache, where Node has one (22.8 and later): the bridge starts while somebody waits, and a quarter of that
 * is compiling. In a folder of the user's own, because whoever can write there decides what runs here; the default, below
 * the folder for temporary files, is everybody's. Whatever is in the way, the bridge starts without a cache.
 */
import { isAbsolute, join } from 'node:path';

export interface CacheOptions {
  /** `node:module`; older versions have no cache in it. */
  readonly module: object;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly platform: NodeJS.Platform;
  readonly homedir: string;
  readonly uid: number | undefined;
}

/** When what was compiled is written down, in ms after the start: a bridge may be killed, and then writes nothing. */
const FLUSH_AFTER_MS = 3_000;
const OTHERS_MAY_WRITE = 0o022;

/** True when there is a cache now. Never throws. NODE_COMPILE_CACHE and NODE_DISABLE_COMPILE_CACHE are Node's own, and win. */
export function tryCacheCompiled(options: CacheOptions): boolean {
  const { module, env } = options;
  const enable: unknown = Reflect.get(module, 'enableCompileCache');
  if (typeof enable !== 'function' || env['NODE_COMPILE_CACHE'] || env['NODE_DISABLE_COMPILE_CACHE'])
    return false;
  try {
    const folder = cacheFolder(options);
    if (folder === undefined || !isPrivate(folder, options.uid)) return false;
    enable(folder);
    const flush: unknown = Reflect.get(module, 'flushCompileCache');
    if (typeof flush === 'function') setTimeout(() => flush(), FLUSH_AFTER_MS).unref();
    return true;
  } catch {
    return false;
  }
}

/** XDG base directories; on macOS the user's Caches. */
function cacheFolder({ env, platform, homedir }: CacheOptions): string | undefined {
  const xdg = env['XDG_CACHE_HOME'];
  if (xdg !== undefined && isAbsolute(xdg)) return join(xdg, 'pidp10', 'compiled');
  if (!isAbsolute(homedir)) return undefined;
  const caches = platform === 'darwin' ? join(homedir, 'Library', 'Caches') : join(homedir, '.cache');
  return join(caches, 'pidp10', 'compiled');
}

function isPrivate(folder: string, uid: number | undefined): boolean {
  // Imported as a module it would load all that it loads only when asked for (streams, promises), for 3 ms.
  const { lstatSync, mkdirSync } = process.getBuiltinModule('node:fs');
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const found = lstatSync(folder);
  return found.isDirectory() && found.uid === uid && (found.mode & OTHERS_MAY_WRITE) === 0;
}
