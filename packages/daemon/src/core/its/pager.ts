/**
 * DDT's pager (ddtord.1462 ..MORWARN; measured, docs/its-line.md 4): `--More--` at the start of a line, with or without
 * the tail that explains the answers, and nothing behind it. DDT's other questions have the same tail and are not
 * pagers; `--MORE--` in a mode line of EMACS or INFO takes other answers.
 */

/** The whole of the line at which DDT waits. */
const PAGER = /^--More--(?: \(Space=yes, (?:Rubout|CR)=no\))?$/;

/** Answer that shows the next page. */
export const PAGER_GO_ON = 0x20;
/** Pages that one wait goes through; then the caller decides (PARITY A10). */
export const MAX_PAGES = 20;

export function isPager(line: string): boolean {
  return PAGER.test(line);
}
