/** What an installed unit file would start, and what lies there now (U06: paths that an upgrade took away; U08: versions). */
import { readdirSync, readFileSync, realpathSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { parseExecWords } from './templates.ts';

export interface UnitProgram {
  /** Of Node, or of a program that needs none. */
  readonly file: string;
  /** The script, when `file` is Node. */
  readonly script: string | undefined;
}

/** Undefined for a unit that starts something else than we would write. */
export function parseUnitProgram(text: string): UnitProgram | undefined {
  const words = text.includes('<plist') ? parsePlist(text) : parseService(text);
  const [file, script] = words;
  if (file?.startsWith('/') !== true) return undefined;
  return { file, script: script !== undefined && /\.[cm]?js$/.test(script) ? script : undefined };
}

function parseService(text: string): string[] {
  const line = /^ExecStart=\s*[-:@+!]*(.*)$/m.exec(text)?.[1];
  return line === undefined ? [] : parseExecWords(line);
}

function parsePlist(text: string): string[] {
  const array = /<key>ProgramArguments<\/key>\s*<array>([\s\S]*?)<\/array>/.exec(text)?.[1] ?? '';
  return [...array.matchAll(/<string>([^<]*)<\/string>/g)].map(([, word = '']) =>
    word.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&quot;', '"').replaceAll('&amp;', '&'),
  );
}

export interface InstalledProgram {
  readonly version: string;
  /** When the newest of its files was written, in ms since the epoch. */
  readonly changedMs: number;
}

/** Of the package that a script `…/bin/pidp10d.js` belongs to; undefined when there is none. */
export function readInstalledProgram(script: string): InstalledProgram | undefined {
  try {
    const folder = dirname(dirname(realpathSync(script)));
    const manifest: unknown = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
    if (typeof manifest !== 'object' || manifest === null || !('version' in manifest)) return undefined;
    const bundle = join(folder, 'bundle');
    const times = readdirSync(bundle).map((file) => statSync(join(bundle, file)).mtimeMs);
    return { version: String(manifest.version), changedMs: Math.max(...times) };
  } catch {
    return undefined;
  }
}

/** The script that a running process was started with; undefined where the system does not tell. */
export function readRunningScript(pid: number): string | undefined {
  try {
    const words = readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0');
    return words.find((word, index) => index > 0 && /\.[cm]?js$/.test(word));
  } catch {
    return undefined;
  }
}
