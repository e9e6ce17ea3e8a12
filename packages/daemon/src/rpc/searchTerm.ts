/** What is looked for: a test of one line, and, for most texts, a quick look at raw bytes that shows where it cannot be. */
import { rpcError } from '@pidp10/protocol/errors';
import type { MethodParams } from '@pidp10/protocol/methods';
import { compilePattern, MAX_PATTERN_CHARS, Matcher, type Pattern } from '../core/pattern/pattern.ts';

/** Shortest text that raw bytes are asked for: halves of shorter ones are everywhere. */
export const MIN_FILTER_CHARS = 4;
/** Characters that a pattern looks at before others have their turn: a ms of the slowest one. */
const PATTERN_SLICE_CHARS = 4_096;
const ESC = 0x1b;
const ADDRESS = 0x59;
const RUBOUT = 0x7f;
const IGNORE_CASE = '(?i)';

export interface SearchTerm {
  /** Index behind a match in a line, undefined when there is none. `breathe` is awaited in the middle of long lines. */
  find(line: string, breathe: () => Promise<void>): number | undefined | Promise<number | undefined>;
  /** Whether lines that touch these bytes may have a match; undefined: they always may. */
  readonly mayBeIn: ((bytes: Uint8Array) => boolean) | undefined;
}

/** Throws `invalid_params` and `pattern_invalid`. */
export function toSearchTerm(params: MethodParams<'line.search'>): SearchTerm {
  const { text, pattern, ignoreCase } = params;
  if (text !== undefined && pattern === undefined) return textTerm(text, ignoreCase);
  if (pattern !== undefined && text === undefined) return patternTerm(compile(pattern, ignoreCase));
  throw rpcError('invalid_params', 'line.search: exactly one of text and pattern is needed.');
}

function textTerm(text: string, ignoreCase: boolean): SearchTerm {
  const sought = ignoreCase ? text.toLowerCase() : text;
  return {
    find: (line) => {
      const at = (ignoreCase ? line.toLowerCase() : line).indexOf(sought);
      return at < 0 ? undefined : at + sought.length;
    },
    mayBeIn: toFilter(sought, ignoreCase),
  };
}

function compile(source: string, ignoreCase: boolean): Pattern {
  const prefix = ignoreCase && source.length + IGNORE_CASE.length <= MAX_PATTERN_CHARS ? IGNORE_CASE : '';
  const compiled = compilePattern(`${prefix}${source}`);
  if (compiled.kind === 'invalid') {
    const position = Math.max(compiled.position - prefix.length, 0);
    const detail = `pattern, at position ${position}: ${compiled.message}.`;
    throw rpcError('pattern_invalid', detail, { position });
  }
  if (ignoreCase && prefix === '') {
    const most = MAX_PATTERN_CHARS - IGNORE_CASE.length;
    throw rpcError('pattern_invalid', `With ignoreCase a pattern has at most ${most} characters.`, {
      position: most,
    });
  }
  return compiled.pattern;
}

/** One line at a time: it has one matcher for all. */
function patternTerm(pattern: Pattern): SearchTerm {
  const matcher = new Matcher(pattern);
  const { text: literal = '', ignoresCase = false } = pattern.literal ?? {};
  return {
    find: (line, breathe) => {
      if (!(ignoresCase ? line.toLowerCase() : line).includes(literal)) return undefined;
      matcher.restart();
      if (line.length > PATTERN_SLICE_CHARS) return findInLong(matcher, line, breathe);
      return matcher.push(line) ?? (matcher.matchesAtSilence() ? line.length : undefined);
    },
    mayBeIn: toFilter(literal, ignoresCase),
  };
}

async function findInLong(
  matcher: Matcher,
  line: string,
  breathe: () => Promise<void>,
): Promise<number | undefined> {
  for (let at = 0; at < line.length; at += PATTERN_SLICE_CHARS) {
    const end = matcher.push(line.slice(at, at + PATTERN_SLICE_CHARS));
    if (end !== undefined) return at + end;
    await breathe();
  }
  return matcher.matchesAtSilence() ? line.length : undefined;
}

/**
 * Where neither half of the longest word stands in the bytes, the word does not either: what comes in between (a fold of
 * ITS, the end of a block) can divide one half only. Blanks are no part of it, since the line may have sent a motion or a tab.
 */
function toFilter(sought: string, ignoreCase: boolean): SearchTerm['mayBeIn'] {
  const words = sought.match(/[!-~]+/g) ?? [];
  const word = words.reduce((longest, each) => (each.length > longest.length ? each : longest), '');
  if (word.length < MIN_FILTER_CHARS) return undefined;
  const middle = word.length >> 1;
  const halves = [word.slice(0, middle), word.slice(middle)];
  return (bytes) => {
    const plain = printing(bytes, ignoreCase);
    return halves.some((half) => plain.includes(half));
  };
}

/** The printing characters of VT52 output, seven bits of each; small letters only, if case is nothing. */
function printing(bytes: Uint8Array, ignoreCase: boolean): Buffer {
  const out = Buffer.allocUnsafe(bytes.length);
  let length = 0;
  for (let at = 0; at < bytes.length; at += 1) {
    const code = (bytes[at] ?? 0) & 0x7f;
    if (code === ESC) {
      at += ((bytes[at + 1] ?? 0) & 0x7f) === ADDRESS ? 3 : 1;
    } else if (code > 0x20 && code !== RUBOUT) {
      out[length] = ignoreCase && code >= 0x41 && code <= 0x5a ? code + 0x20 : code;
      length += 1;
    }
  }
  return out.subarray(0, length);
}
