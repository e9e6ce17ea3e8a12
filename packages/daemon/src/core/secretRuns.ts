/**
 * Runs: places in the output where a secret may be standing, told byte by byte. What a far end puts between two characters of
 * an echo is passed over: colours and motions, the line end of a line that is too long, with the mark that some put before it.
 *
 * A run is sure when it is too long for chance; it is sure from its first character where the echo is due. Any part of a
 * secret that is long enough counts, because echo may be switched off or on in the middle of it.
 */

/** A shorter secret is looked for only where its echo is due: elsewhere it would star out half of what is said. */
export const MIN_SOUGHT_BYTES = 4;
/** So many bytes of a longer secret in a row are no chance any more. */
export const SURE_BYTES = 6;
/** Bytes between two characters of an echo: a few attributes and motions. A run with more between them is none. */
export const MAX_GAP_BYTES = 256;
/** Runs of one secret at a time. Only one that repeats itself has more, and most of those say the same. */
export const MAX_RUNS = 8;

const LF = 0x0a;
const CR = 0x0d;
const BLANK = 0x20;
const ESC = 0x1b;
const CARET = 0x5e;
const DOLLAR = 0x24;
/** What stands at the end of a line that goes on in the next: ITS's `!`, a shell's blank, EMACS's `\`. */
const WRAP_MARKS: ReadonlySet<number> = new Set([BLANK, 0x21, 0x5c]);

export interface Run {
  /** Part of the secret that was seen, as indices of its bytes. */
  readonly from: number;
  readonly to: number;
  readonly isSure: boolean;
  /** The `^` of a control character was seen. */
  readonly isCaret: boolean;
  /** A mark was seen after which the line must end. */
  readonly isWrapping: boolean;
  /** Bytes since its last character. */
  readonly gap: number;
  /** Where its characters stand, as far as nobody was told yet that they are the secret's. */
  readonly marks: readonly number[];
}

export interface Found {
  readonly runs: readonly Run[];
  /** Positions that are certainly the secret's. */
  readonly positions: readonly number[];
}

/** What the runs make of a character at `position`; `isDue`: the echo is due, and may begin here. */
export function seeCharacter(
  secret: readonly number[],
  runs: readonly Run[],
  { byte, position, isDue }: { readonly byte: number; readonly position: number; readonly isDue: boolean },
): Found {
  const next: Run[] = [];
  for (const run of runs) {
    if (run.isWrapping) continue;
    next.push(...advance(secret, run, byte, position));
    if (!run.isCaret && WRAP_MARKS.has(byte)) next.push({ ...run, isWrapping: true, gap: run.gap + 1 });
  }
  next.push(...begin(secret, { byte, position, isDue }));
  return settle(secret, next);
}

/** What the runs make of a byte that shows no character by itself; a control character may be the secret's own. */
export function passOver(
  secret: readonly number[],
  runs: readonly Run[],
  { byte, position, isDue }: { readonly byte: number; readonly position: number; readonly isDue: boolean },
): Found {
  const next: Run[] = [];
  for (const run of runs) {
    if (!run.isCaret && !run.isWrapping && secret[run.to] === byte)
      next.push(...advance(secret, run, byte, position));
    const endsLine = byte === CR || byte === LF;
    const gap = run.gap + 1;
    if (gap <= MAX_GAP_BYTES) next.push({ ...run, gap, isWrapping: run.isWrapping && !endsLine });
  }
  if (isControl(byte)) next.push(...begin(secret, { byte, position, isDue }));
  return settle(secret, next);
}

/** Nobody waits longer for the rest of what stands before `position`: a beginning of two characters counts as the secret. */
export function decide(runs: readonly Run[], position: number): Found {
  const positions: number[] = [];
  const decided = runs.map((run): Run => {
    const isWaiting = run.marks.some((mark) => mark < position);
    const isSure = run.isSure || (isWaiting && run.from === 0 && run.to >= 2 && !run.isCaret);
    if (isSure && !run.isSure) positions.push(...run.marks);
    return { ...run, isSure, marks: isSure ? [] : run.marks.filter((mark) => mark >= position) };
  });
  return { runs: decided, positions };
}

/** The first position about which nothing is certain yet. */
export function firstDoubt(runs: readonly Run[]): number {
  return runs.reduce((first, { marks }) => Math.min(first, marks[0] ?? first), Number.POSITIVE_INFINITY);
}

/** Whether a run may begin with this byte. */
export function mayBeginWith(secret: readonly number[], byte: number): boolean {
  const starts = startsOf(secret);
  for (let from = 0; from < starts; from += 1) if (mayShow(secret[from], byte)) return true;
  return false;
}

/** Bytes of the secret at which a run may begin: those behind them are enough to be sure. */
function startsOf(secret: readonly number[]): number {
  return Math.max(secret.length - SURE_BYTES, 0) + 1;
}

function begin(
  secret: readonly number[],
  { byte, position, isDue }: { readonly byte: number; readonly position: number; readonly isDue: boolean },
): readonly Run[] {
  if (!isDue && secret.length < MIN_SOUGHT_BYTES) return [];
  const starts = startsOf(secret);
  const found: Run[] = [];
  for (let from = 0; from < starts && found.length < MAX_RUNS; from += 1) {
    if (!mayShow(secret[from], byte)) continue;
    const blank = { from, to: from, isCaret: false, isWrapping: false, gap: 0, marks: [] };
    found.push(...advance(secret, { ...blank, isSure: isDue && from === 0 }, byte, position));
  }
  return found;
}

/** The run with one more character, in each way in which the byte can be part of it. */
function advance(secret: readonly number[], run: Run, byte: number, position: number): readonly Run[] {
  const due = secret[run.to];
  if (due === undefined) return [];
  const marks = [...run.marks, position];
  const longer = { ...run, to: run.to + 1, isCaret: false, gap: 0, marks };
  if (run.isCaret) return toUpper(byte) === (due ^ 0x40) ? [longer] : [];
  if (showsWhole(due, byte)) return [longer];
  return mayShow(due, byte) ? [{ ...run, isCaret: true, gap: 0, marks }] : [];
}

/** Whether `byte` is how `due` looks, or how it begins to look. */
function mayShow(due: number | undefined, byte: number): boolean {
  return due !== undefined && (showsWhole(due, byte) || (byte === CARET && isControl(due)));
}

/** ITS shows capitals where a terminal is set to them, and ESC as `$`. */
function showsWhole(due: number, byte: number): boolean {
  return toUpper(byte) === toUpper(due) || (due === ESC && byte === DOLLAR);
}

/** Of runs that have come equally far only the longest is kept; what is certain is told. */
function settle(secret: readonly number[], runs: readonly Run[]): Found {
  if (runs.length === 0) return { runs, positions: [] };
  const positions: number[] = [];
  const kept = new Map<number, Run>();
  for (const run of runs) {
    const isSure = run.isSure || run.to - run.from >= Math.min(secret.length, SURE_BYTES);
    const isCertain = isSure && !run.isCaret;
    if (isCertain) positions.push(...run.marks);
    if (run.to === secret.length && isCertain) continue;
    const key = run.to * 4 + (run.isCaret ? 2 : 0) + (run.isWrapping ? 1 : 0);
    const other = kept.get(key);
    const isBetter = other === undefined || run.from < other.from || (run.from === other.from && isSure);
    if (isBetter) kept.set(key, { ...run, isSure, marks: isCertain ? [] : run.marks });
  }
  return { runs: pruned([...kept.values()]), positions };
}

/** Of too many the longest are kept. */
function pruned(runs: Run[]): readonly Run[] {
  if (runs.length <= MAX_RUNS) return runs;
  return runs.sort((a, b) => b.to - b.from - (a.to - a.from)).slice(0, MAX_RUNS);
}

function toUpper(byte: number): number {
  return byte >= 0x61 && byte <= 0x7a ? byte - 0x20 : byte;
}

function isControl(byte: number): boolean {
  return byte < BLANK || byte === 0x7f;
}
