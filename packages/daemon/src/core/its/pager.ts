/**
 * DDT's pager (ddtord.1462 ..MORWARN; measured, docs/its-line.md 4): `--More--` at the start of a line, with or without
 * the tail that explains the answers, and nothing behind it. DDT's other questions have the same tail and are not
 * pagers; `--MORE--` in a mode line of EMACS or INFO takes other answers.
 */

/** The whole of the line at which DDT waits. */
const PAGER = /^--More--(?: \(Space=yes, (?:Rubout|CR)=no\))?$/;

/** Answer that shows the next page. */
export const PAGER_GO_ON = 0x20;
/** Pages that one wait goes through by default; then the caller decides (PARITY A10). */
export const MAX_PAGES = 20;
/** Answer that flushes the rest; to DDT's pager only. ITS's own takes any key but space for the next command. */
export const PAGER_FLUSH = 0x7f;

/** As it is after an altmode login, and as PEEK has it too. */
export function isBarePager(line: string): boolean {
  return line === '--More--';
}

const ESC = '\u001b';
/** The pager in the middle of a folded line, by its bytes; the text of the line goes on behind the page. */
const BEHIND_FOLD = new RegExp(`!(?:\r\n|${ESC}H)${ESC}K(--More--(?: \\(Space=yes, (?:Rubout|CR)=no\\))?)$`);
/** Bytes at the end of the stream in which it is looked for. */
export const BEHIND_FOLD_BYTES = 64;

/** Length of the pager that stands behind a fold at the end of `bytes`, one character a byte; undefined: there is none. */
export function findPagerBehindFold(bytes: string): number | undefined {
  return BEHIND_FOLD.exec(bytes)?.[1]?.length;
}

export function isPager(line: string): boolean {
  return PAGER.test(line);
}
