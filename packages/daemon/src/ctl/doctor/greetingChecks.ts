/** What one connection to the simulator got, in its first seconds. Sentences of sim_tmxr.c; see docs/its-line.md 1. */
import { type Check, fail, ok, warn } from './check.ts';

/** First words of a refusal: the line cannot be had now. */
export const REFUSALS = [
  'All connections busy',
  'Line connection busy',
  'Line connection not available',
  'No answer on any connection',
  'Rejecting connection from unexpected source',
] as const;

/** The greeting of the simulator is complete, and nothing more comes before the guest is called. */
const GREETING = /Connected to the ([^\r\n]*)\r\n\n/;
const IAC = 0xff;

export interface Contact {
  /** Error code of the attempt; undefined when TCP came up. */
  readonly problem: string | undefined;
  readonly bytes: Uint8Array;
  /** The far end closed. */
  readonly isClosed: boolean;
  /** How long was listened, in ms. */
  readonly waitedMs: number;
}

/** Whether listening on would tell nothing new. */
export function isComplete(bytes: Uint8Array): boolean {
  const text = toText(bytes);
  return GREETING.test(text) || REFUSALS.some((sentence) => text.includes(`${sentence}\r\n`));
}

export function checkContact(where: string, contact: Contact): Check {
  const { problem, bytes, isClosed, waitedMs } = contact;
  if (problem !== undefined) return toProblem(where, problem);
  const text = toText(bytes);
  const refusal = REFUSALS.find((sentence) => text.includes(sentence));
  if (refusal !== undefined) {
    const remedy =
      'Somebody holds it: a telnet session, another daemon, perhaps on another machine. It is free when he closes.';
    return warn('connect', `${where} answers "${refusal}"`, remedy);
  }
  const codec = bytes.includes(IAC) ? 'telnet' : 'raw, no telnet';
  const greeting = GREETING.exec(text)?.[1];
  if (greeting !== undefined)
    return ok('connect', `${where} greets: "Connected to the ${greeting}" (${codec})`);
  if (isClosed) {
    return fail(
      'connect',
      `${where} closed without a greeting`,
      'Is that the port of the line? A stock PiDP-10 has it on 10018.',
    );
  }
  if (bytes.length === 0) {
    const remedy =
      'The simulator is halted (sim>) or very busy, or the line is set notelnet (10016): then --telnet off.';
    return warn('connect', `${where} accepts, but says nothing for ${waitedMs} ms`, remedy);
  }
  const said = text.replaceAll(/\s+/g, ' ').trim().slice(0, MAX_QUOTED_CHARS);
  return warn(
    'connect',
    `${where} says something else (${codec}): "${said}"`,
    'Is that the port of the line?',
  );
}

/** Characters of foreign words in a finding. */
const MAX_QUOTED_CHARS = 200;

function toProblem(where: string, problem: string): Check {
  const remedy =
    problem === 'ECONNREFUSED'
      ? 'The machine is there, the simulator does not run, or has another port.'
      : 'Is the PiDP-10 on, and is it in the same network?';
  return fail('connect', `${where} cannot be reached: ${problem}`, remedy);
}

/** Without telnet commands: IAC, a verb, an option. Data of seven bits is all that the greeting has. */
function toText(bytes: Uint8Array): string {
  let text = '';
  for (let index = 0; index < bytes.length; index += 1) {
    const byte = bytes[index] ?? 0;
    if (byte === IAC) index += 2;
    else text += String.fromCharCode(byte & 0x7f);
  }
  return text;
}
