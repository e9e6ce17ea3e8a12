/** The files that come with the program: unit templates, man pages, completion files. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** In a published package, seen from its bundle; in a clone, seen from the bundle, and from a source or compiled file. */
const CANDIDATES = ['../packaging/', '../../../packaging/', '../../../../../packaging/'].map((path) =>
  fileURLToPath(new URL(path, import.meta.url)),
);

/** The daemon's program, seen from the same places. */
const PROGRAMS = ['../bin/pidp10d.js', '../../../bin/pidp10d.js'].map((path) =>
  fileURLToPath(new URL(path, import.meta.url)),
);

/** Throws when the program was taken out of its folder. */
export function findPackaging(): string {
  return firstThat(CANDIDATES, (folder) => existsSync(join(folder, 'systemd')), 'templates of the service');
}

/** Absolute path of pidp10d.js beside us. Throws when there is none. */
export function findProgram(): string {
  return firstThat(PROGRAMS, existsSync, 'program pidp10d');
}

export interface Asset {
  readonly folder: 'man' | 'bash' | 'zsh' | 'fish';
  /** Path below that folder. */
  readonly path: string;
  readonly text: string;
}

/** Man pages go into the folder of their section, completion files are called as their shell wants. */
export function readAssets(packaging: string): Asset[] {
  const pages = list(join(packaging, 'man')).map(({ name, text }): Asset => {
    return { folder: 'man', path: join(`man${name.slice(-1)}`, name), text };
  });
  const completions = list(join(packaging, 'completion')).flatMap(({ name, text }): Asset[] => {
    const [, program = '', shell] = /^(.+)\.(bash|zsh|fish)$/.exec(name) ?? [];
    switch (shell) {
      case 'bash':
        return [{ folder: 'bash', path: program, text }];
      case 'zsh':
        return [{ folder: 'zsh', path: `_${program}`, text }];
      case 'fish':
        return [{ folder: 'fish', path: `${program}.fish`, text }];
      default:
        return [];
    }
  });
  return [...pages, ...completions];
}

export function readTemplate(packaging: string, path: string): string {
  return readFileSync(join(packaging, path), 'utf8');
}

function list(folder: string): { readonly name: string; readonly text: string }[] {
  const names = readdirSync(folder).filter((name) => /^[\w-]+\.(?:[18]|bash|zsh|fish)$/.test(name));
  return names.sort().map((name) => ({ name, text: readFileSync(join(folder, name), 'utf8') }));
}

function firstThat(paths: readonly string[], isIt: (path: string) => boolean, what: string): string {
  const found = paths.find(isIt);
  if (found === undefined)
    throw new Error(`the ${what} is not beside pidp10ctl; looked at ${paths.join(', ')}`);
  return found;
}
