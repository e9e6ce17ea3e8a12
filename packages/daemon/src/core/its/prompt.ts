/**
 * DDT's prompt (measured, docs/its-line.md 4): a bare `*` on a line of its own, printed after a command that succeeded.
 * A `*` occurs in ordinary output too, so it is one only as the last thing on the line, in silence.
 */

export function isPrompt(line: string): boolean {
  return line === '*';
}
