/** How ITS prints a file on a VT52 (docs/its-line.md 4): folded at column 79, tabs as it sends them, a pager at each bottom. */

const ROWS = 24;
const COLUMNS = 80;
export const MORE = '--More-- (Space=yes, Rubout=no)';

/** Pages of output from row `row` on; each but the last ends with the pager's prompt, and is followed by `turned`. */
export function printed(lines: readonly string[], row: number): string[] {
  const pages: string[] = [];
  let page = '';
  let at = row;
  const newline = () => {
    page += '\r\n\x1bK';
    at += 1;
    if (at < ROWS - 1) return;
    pages.push(page + MORE);
    page = '';
    at = 0;
  };
  for (const line of lines) {
    let column = 0;
    for (const character of line) {
      const width = character === '\t' ? 8 - (column % 8) : 1;
      if (column + width > COLUMNS - 1) {
        page += '!';
        newline();
        column = 0;
      }
      const own = character === '\t' ? 8 - (column % 8) : 1;
      page += character === '\t' && own === 1 ? '\x1bC' : character;
      column += own;
    }
    newline();
  }
  pages.push(page);
  return pages;
}

/** What the line sends for the space that goes on. */
export const TURNED = ' \x1bH\x1bK';
