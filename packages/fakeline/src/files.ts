/**
 * A small file system in memory: directories, files with two names, text. What :LISTF, :PRINT and :CREATE share.
 * Names are upper case and of at most six characters, as in sixbit. Layout of a listing: recordings 04a and 16.
 */

import { toListingDate } from './clock.ts';

export interface FileSpec {
  /** Directory, for instance `RMS`; it exists as soon as a file is in it. */
  readonly directory: string;
  readonly name1: string;
  readonly name2: string;
  /** Lines end in LF here; the terminal makes its own newlines of them. */
  readonly text: string;
  readonly writtenAt?: Date;
  /** Disk pack, 0-3. */
  readonly pack?: number;
}

export interface FileName {
  readonly directory: string;
  readonly name1: string;
  readonly name2: string;
}

/** Characters in a disk block: 1024 words of five. */
const BLOCK_CHARS = 5120;
const FREE_BLOCKS = '#2=5740 #3=6731 #0=6706 #1=6571 ';

export class FileSystem {
  readonly #files = new Map<string, FileSpec>();
  readonly #directories = new Set<string>();
  readonly #listings: ReadonlyMap<string, readonly string[]>;

  /** `listings`: for a directory the exact lines that :LISTF shows behind its first one (the `FREE BLOCKS` line included). */
  constructor(files: readonly FileSpec[], listings: Readonly<Record<string, readonly string[]>> = {}) {
    this.#listings = new Map(Object.entries(listings).map(([name, lines]) => [sixbit(name), lines]));
    for (const name of this.#listings.keys()) this.#directories.add(name);
    for (const file of files) this.write(file);
  }

  hasDirectory(name: string): boolean {
    return this.#directories.has(sixbit(name));
  }

  tryRead(name: FileName): string | undefined {
    return this.#files.get(keyOf(this.resolve(name)))?.text;
  }

  /** False when there is no such file. */
  delete(name: FileName): boolean {
    return this.#files.delete(keyOf(this.resolve(name)));
  }

  /** Replaces a file of the same names. A second name `>` becomes the next number. Returns the names written. */
  write(file: FileSpec): FileName {
    const name = toSixbit(file);
    const versions = this.#versions(name);
    const name2 = name.name2 === '>' ? String((versions.at(-1) ?? 0) + 1) : name.name2;
    const written = { directory: name.directory, name1: name.name1, name2 };
    this.#directories.add(name.directory);
    this.#files.set(keyOf(written), { ...file, ...written });
    return written;
  }

  /** A second name `>` stands for the highest number there is. */
  resolve(name: FileName): FileName {
    const own = toSixbit(name);
    if (own.name2 !== '>') return own;
    return { ...own, name2: String(this.#versions(own).at(-1) ?? '>') };
  }

  /** The text of :LISTF, with newlines; undefined when there is no such directory. */
  tryListing(directory: string): string | undefined {
    const name = sixbit(directory);
    if (!this.#directories.has(name)) return undefined;
    const files = [...this.#files.values()].filter((file) => file.directory === name);
    const lines = this.#listings.get(name) ?? [
      `FREE BLOCKS ${FREE_BLOCKS}`,
      ...files.map(listingLine).sort((a, b) => (a.slice(6) < b.slice(6) ? -1 : 1)),
    ];
    return `${[`KA   ${name.padEnd(6)}`, ...lines].join('\n')}\n`;
  }

  #versions(name: FileName): readonly number[] {
    return [...this.#files.values()]
      .filter((file) => file.directory === name.directory && file.name1 === name.name1)
      .filter((file) => /^[0-9]+$/.test(file.name2))
      .map((file) => Number(file.name2))
      .sort((a, b) => a - b);
  }
}

/** `dir;name1 name2` in any of ITS's usual forms; missing parts come from the defaults. */
export function toFileName(spec: string, directory: string): FileName {
  const [before, after] = spec.includes(';') ? spec.split(';', 2) : [directory, spec];
  const [name1, name2] = (after ?? '').trim().split(/\s+/);
  const own = (before ?? '').trim().split(/\s+/).at(-1) ?? directory;
  return toSixbit({ directory: own, name1: name1 === '' ? '@' : (name1 ?? '@'), name2: name2 ?? '>' });
}

/** `DSK: RMS; TMP TEXT` */
export function fileNameText(name: FileName): string {
  return `DSK: ${name.directory}; ${name.name1} ${name.name2}`;
}

/** Upper case, six characters. */
export function sixbit(name: string): string {
  return name.toUpperCase().slice(0, 6);
}

function toSixbit(name: FileName): FileName {
  return { directory: sixbit(name.directory), name1: sixbit(name.name1), name2: sixbit(name.name2) };
}

function keyOf(name: FileName): string {
  return `${name.directory};${name.name1} ${name.name2}`;
}

function listingLine(file: FileSpec): string {
  const blocks = Math.max(1, Math.ceil(file.text.length / BLOCK_CHARS));
  const date = toListingDate(file.writtenAt ?? new Date(1987, 1, 23, 15, 42, 13));
  return `  ${file.pack ?? 1}   ${file.name1.padEnd(6)} ${file.name2.padEnd(6)} ${blocks} ! ${date}`;
}

/** The files of a fakeline to which none were given: INFO;PAGES has several pages, SYS lists over two. */
export function defaultFiles(): readonly FileSpec[] {
  const pages = Array.from(
    { length: 80 },
    (_, i) => `Line ${i + 1} of INFO;PAGES TEXT: a text of several pages.\n`,
  );
  const programs = [
    'CREATE',
    'DATE',
    'DDT',
    'EMACS',
    'LISTF',
    'MAIL',
    'MIDAS',
    'PEEK',
    'PRINT',
    'SEND',
    'TCTYP',
  ];
  const more = [
    'TECO',
    'TIME',
    'WHO',
    'DUMP',
    'FIND',
    'INFO',
    'LOAD',
    'LOCK',
    'NAME',
    'DSKUSE',
    'FAIL',
    'CC',
    'COPY',
  ];
  return [
    { directory: 'RMS', name1: 'NOTES', name2: 'TEXT', text: 'Happy hacking!\nThis is a fake line.\n' },
    { directory: 'RMS', name1: 'HELLO', name2: '1', text: '\ttitle hello\n\tend\n' },
    { directory: 'INFO', name1: 'PAGES', name2: 'TEXT', text: pages.join('') },
    { directory: 'SYS', name1: 'SYSTEM', name2: 'MAIL', text: 'Welcome to ITS!\n' },
    ...[...programs, ...more].map((name2) => ({ directory: 'SYS', name1: 'TS', name2, text: 'a binary\n' })),
  ];
}
