/**
 * First words of the simulator's multiplexer on a new connection (sim_tmxr.c; measured, docs/its-line.md 1).
 * A refusal comes without any telnet bytes and is followed by FIN.
 */
import type { LineErrorName } from '../events.ts';

const REFUSALS: readonly (readonly [sentence: string, error: LineErrorName])[] = [
  ['All connections busy', 'line_all_busy'],
  ['Line connection busy', 'line_busy'],
  ['Line connection not available', 'line_not_available'],
  ['No answer on any connection', 'line_no_answer'],
  ['Rejecting connection from unexpected source', 'line_rejected'],
];

/** The greeting's text is `Connected to the … simulator …` and ends with CR LF LF. */
const GREETING = /Connected to the [^\r\n]*\r\n\n/;
const FAREWELL = /Disconnected from the [^\r\n]* simulator/;

/** Which refusal the text is, once a whole sentence of them has come. */
export function parseRefusal(text: string): LineErrorName | undefined {
  return REFUSALS.find(([sentence]) => text.includes(sentence))?.[1];
}

/** Whether more bytes could still make a refusal of `text`. */
export function mayBecomeRefusal(text: string): boolean {
  const said = text.trimStart();
  return REFUSALS.some(([sentence]) => sentence.startsWith(said));
}

/** Characters up to the end of the greeting; undefined while it is not complete. */
export function tryGreetingEnd(text: string): number | undefined {
  const match = GREETING.exec(text);
  return match === null ? undefined : match.index + match[0].length;
}

/** The simulator says goodbye when its operator disconnects the line or quits. */
export function isFarewell(text: string): boolean {
  return FAREWELL.test(text);
}
