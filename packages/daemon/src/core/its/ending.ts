/**
 * Endings: what the last words of the output tell about who waits for whom (measured, docs/its-line.md 4 and 8).
 *
 * Judged in silence only, and from the newest lines alone. Each rule is one shape that was seen on a real ITS; what fits
 * none is no ending, because wrong is worse than unknown.
 */
import { isBarePager, isPager } from './pager.ts';
import { isPrompt } from './prompt.ts';

export type Ending =
  /** DDT is ready: its prompt. */
  | { readonly kind: 'prompt' }
  /** DDT refused or gave up, and is ready; it prints no prompt then. */
  | { readonly kind: 'error'; readonly text: string; readonly needs?: Proof }
  /** DDT is ready, said without a prompt: after a login, after the banner, with an open location. */
  | { readonly kind: 'ready'; readonly needs?: Proof }
  /** Nobody is logged in on the line and it is deaf until ^Z. */
  | { readonly kind: 'free' }
  | {
      readonly kind: 'pager';
      readonly pager: 'ddt' | 'system' | 'other';
      /** Without the tail that explains the answers: a program's own may look the same. */
      readonly isBare?: boolean;
    }
  /** A question that only its asker's user may answer. */
  | { readonly kind: 'question'; readonly text: string; readonly yes: string; readonly no: string };

/**
 * What must have been typed for the words to be an ending, where they are too few to tell by themselves: `called`, that ^Z
 * was pressed last, but for a CR; `ddt`, that DDT had the line and was given no command that starts a program;
 * `keys`, that nothing but keys which DDT answers with these words alone was typed; `ahead`, that what stands in front of
 * the error is the echo of what was typed ahead.
 */
export type Proof =
  | { readonly kind: 'called' }
  | { readonly kind: 'ddt' }
  | { readonly kind: 'keys'; readonly echo: string }
  | { readonly kind: 'ahead' };

export interface EndingAt {
  readonly ending: Ending;
  /** Characters of the text before the line that is the ending. */
  readonly start: number;
}

/** ` JOB? `, ` QUIT? `, `^D XXX? `, `?U? `, `?? `, `Already logged in as "RMS"? `: the cursor stays behind them. */
const ERROR_IN_LINE =
  /(?:(?:^|[ ?^D])(?:\?\?|JOB\?|QUIT\?|XXX\?)|\?U\?|^Already logged in as "[^"]*"\?|\?U\? Use :.*) *$/;
/** What DDT says of a program that ^Z has stopped: where, and at which instruction, `421574)   .IOT 1,2   `. */
const STOPPED = /^[0-7]+\)   \S.*   $/;
/** ^Z typed to a DDT that was there already: the sign of a line on which somebody is still logged in. */
const CALLED_AGAIN = /^\^Z\?\? $/;
/** `SYS: SYS3; TS NOSUCH - FILE NOT FOUND` and its kin: a file name, a dash, capitals; `foo^K` stands on the same line. */
const ERROR_LINE = /^(?:[^ ]*\^[HK])?[A-Z0-9]+: .* - [A-Z][A-Z -]+$/;
/** The same behind the echo of what was typed ahead, `:SYS: SYS3; TS NOSUCH - FILE NOT FOUND` (recording 14c). */
const ERROR_BEHIND_ECHO = /^[^\n]+[A-Z0-9]+: .* - [A-Z][A-Z -]+$/;
const FREE_LINE = /^[A-Z]+ ITS \d+ +Console \d+ Free\. \d\d:\d\d:\d\d$/;
const LOGIN_LINE = /^To see system messages, do ":MSGS<CR>"$/;
/** What DDT types behind an expression: an open location `100/   0   `, a value `1+2=3   `, in halves `?0,,3   `. */
const TYPED_VALUE = /^(?:[^ ]+(?:[/[!]   .*|=\S.*)|[^ ]*\?-?[0-7]+,,-?[0-7]+)   $/;
/** All that DDT says to a CR or ^C on an empty command line. */
const FRESH_LINES_ONLY = /^(?:(?:\^C)?\n)+$/;
const QUESTION = /^(.*--[^-].*--\.?) \((\w+)=yes, (\w+)=no\)$/;
const SYSTEM_PAGER = '**MORE**';
/** First line of DDT's banner; what follows is a file of the site's, so that only the fresh line behind it ends it. */
const BANNER = /^[A-Z]+ ITS\.\d+\. DDT\.\d+\.$/m;
/** PEEK's own, and the mode line of EMACS, INFO and RMAIL. */
const OTHER_PAGER = /(?:^|\s)--(?:More|MORE)--\s*$/;

/** The ending of `text`, the newest output, whose last line may be unfinished; undefined when it ends in none. */
export function findEnding(text: string): EndingAt | undefined {
  const start = text.lastIndexOf('\n') + 1;
  const line = text.slice(start);
  if (FRESH_LINES_ONLY.test(text))
    return { ending: { kind: 'ready', needs: { kind: 'keys', echo: text } }, start: 0 };
  const ending = line === '' ? endingOfLines(text) : endingInLine(line);
  if (ending === undefined) return undefined;
  // In front of it may stand the beginning of a line that goes on behind the page.
  if (ending.kind === 'pager' && ending.pager === 'system')
    return { ending, start: text.length - SYSTEM_PAGER.length };
  return { ending, start: line === '' ? Math.max(text.trimEnd().lastIndexOf('\n') + 1, 0) : start };
}

function endingInLine(line: string): Ending | undefined {
  if (isPrompt(line)) return { kind: 'prompt' };
  if (isPager(line)) return { kind: 'pager', pager: 'ddt', ...(isBarePager(line) && { isBare: true }) };
  if (line.endsWith(SYSTEM_PAGER)) return { kind: 'pager', pager: 'system' };
  const question = QUESTION.exec(line);
  if (question !== null) {
    const [, text = '', yes = '', no = ''] = question;
    return { kind: 'question', text: text.trim(), yes, no };
  }
  if (OTHER_PAGER.test(line)) return { kind: 'pager', pager: 'other' };
  if (ERROR_IN_LINE.test(line)) return { kind: 'error', text: line.trim() };
  if (STOPPED.test(line)) return { kind: 'ready', needs: { kind: 'called' } };
  return TYPED_VALUE.test(line) || CALLED_AGAIN.test(line) ? { kind: 'ready' } : undefined;
}

/** Whether the last words count by what was typed, be they its echo too: DDT's line end behind a CR is both. */
export function isProved(ending: Ending): boolean {
  if (ending.kind !== 'ready' && ending.kind !== 'error') return false;
  return ending.needs !== undefined && ending.needs.kind !== 'ahead';
}

/** The error that DDT printed behind the echo of a beginning of `typed`; undefined when the line is something else. */
export function errorBehind(typed: string, line: string): string | undefined {
  for (let chars = 1; chars <= typed.length && line.startsWith(typed.slice(0, chars)); chars += 1) {
    const rest = line.slice(chars);
    if (ERROR_LINE.test(rest)) return rest;
  }
  return undefined;
}

/** Whether the text has DDT's banner, and ends at a line's start. */
export function isBanner(text: string): boolean {
  return text.endsWith('\n') && BANNER.test(text);
}

/** What the last finished line says, when nothing stands behind it. */
function endingOfLines(text: string): Ending | undefined {
  const lines = text.trimEnd().split('\n');
  const last = lines.at(-1) ?? '';
  if (FREE_LINE.test(last)) return { kind: 'free' };
  if (LOGIN_LINE.test(last)) return { kind: 'ready' };
  if (ERROR_LINE.test(last)) return { kind: 'error', text: last };
  if (ERROR_BEHIND_ECHO.test(last)) return { kind: 'error', text: last, needs: { kind: 'ahead' } };
  return endingBehindCr(text.slice(0, -1));
}

/** DDT has answered on the line of the echo, and then the CR that was typed with it. */
function endingBehindCr(text: string): Ending | undefined {
  const line = text.slice(text.lastIndexOf('\n') + 1);
  if (STOPPED.test(line) || CALLED_AGAIN.test(line)) return { kind: 'ready', needs: { kind: 'called' } };
  if (TYPED_VALUE.test(line)) return { kind: 'ready', needs: { kind: 'ddt' } };
  return ERROR_IN_LINE.test(line) ? { kind: 'error', text: line.trim(), needs: { kind: 'ddt' } } : undefined;
}
