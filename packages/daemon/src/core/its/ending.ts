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
  | { readonly kind: 'error'; readonly text: string }
  /** DDT is ready, said without a prompt: after a login, after the banner, with an open location. */
  | { readonly kind: 'ready' }
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
/** `SYS: SYS3; TS NOSUCH - FILE NOT FOUND` and its kin: a file name, a dash, capitals. */
const ERROR_LINE = /^[A-Z0-9]+: .* - [A-Z][A-Z -]+$/;
const FREE_LINE = /^[A-Z]+ ITS \d+ +Console \d+ Free\. \d\d:\d\d:\d\d$/;
const LOGIN_LINE = /^To see system messages, do ":MSGS<CR>"$/;
/** What DDT types behind an expression: an open location `100/   0   `, a value `1+2=3   `. */
const TYPED_VALUE = /^[^ ]+(?:[/[!]   .*|=\S.*)   $/;
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
  return TYPED_VALUE.test(line) || STOPPED.test(line) || CALLED_AGAIN.test(line)
    ? { kind: 'ready' }
    : undefined;
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
  return ERROR_LINE.test(last) ? { kind: 'error', text: last } : undefined;
}
