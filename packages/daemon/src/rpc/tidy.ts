/** Last step of an answer (CONTRACT 1): trailing blanks go, and more than one blank line in a row becomes one. */

export function tidyText(text: string): string {
  return text
    .split('\n')
    .map(withoutTrailingBlanks)
    .join('\n')
    .replace(/\n{3,}/g, '\n\n');
}

/** By hand: a pattern for blanks before a line end looks at a long run of other blanks once for each of them. */
function withoutTrailingBlanks(line: string): string {
  let end = line.length;
  while (end > 0 && (line[end - 1] === ' ' || line[end - 1] === '\t')) end -= 1;
  return line.slice(0, end);
}
