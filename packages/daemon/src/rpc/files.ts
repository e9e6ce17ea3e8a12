/**
 * Files of ITS over the line, the way its users had them: :CREATE takes what is typed until ^C, :PRINT shows a file.
 *
 * The terminal is a VT52 meanwhile, and what it was again afterwards. A printing terminal would neither page nor fold, but
 * ITS sends it blanks for tabs; on a VT52 everything that is done to a text can be undone exactly (docs/its-line.md 4).
 */
import { rpcError } from '@pidp10/protocol/errors';
import type { MethodParams, MethodResult } from '@pidp10/protocol/methods';
import type { Ask } from './asking.ts';
import { Ddt, type Said } from './ddt.ts';
import type { LineService } from './lineService.ts';

const TERMINAL = 'VT52';
/** Pages of the longest file. */
const MAX_FILE_PAGES = 1_000;
/** DDT clears the screen before it prints; behind that the file begins. */
const CLEAR_SCREEN = '\u001bH\u001bJ';
/** A file in which messages of others came is printed so often. */
const MAX_PRINTS = 3;
/** DDT's fresh line and prompt behind a file that ended its last line itself. */
const FRESH_PROMPT = '\u001bK\u001bK*';
const RUBOUT = '\u007f';
/** Discards the output that is under way, for DDT's next prompt. */
const CONTROL_S = '\u0013';
const CONTROL_C = '\u0003';
const CONTROL_Z = '\u001a';
const IS_CREATING = /Type \^C to end input/;
const WRITTEN = /^Written to [A-Z0-9]+: (\S+; .+?)\s*$/m;
/** Slowest the line has taken text, in characters a second; what takes longer has stalled. */
const SLOWEST_CHARS_PER_SECOND = 10;
/** Longest silence of ITS at work on a small file, in ms. */
const PATIENCE_MS = 60_000;

export async function getFile(
  line: LineService,
  ask: Ask,
  { file }: MethodParams<'line.getFile'>,
): Promise<MethodResult<'line.getFile'>> {
  const ddt = readyDdt(line, ask);
  const text = await onVt52(ddt, () => printUndisturbed(ddt, file, () => false));
  return { file, text, lines: linesOf(text), chars: text.length };
}

export async function putFile(
  line: LineService,
  ask: Ask,
  { file, text }: MethodParams<'line.putFile'>,
): Promise<MethodResult<'line.putFile'>> {
  const typed = toTyped(text);
  const ddt = readyDdt(line, ask);
  return await onVt52(ddt, async () => {
    const name = await create(ddt, file, typed);
    const meant = typed.replaceAll('\r', '\n');
    const back = await printUndisturbed(ddt, name, (printed) => printed === meant);
    if (back !== meant) {
      await ddt.cleanUp(`:delete ${name}\r`);
      const detail = `${name} came out different from what was sent (${back.length} characters instead of ${meant.length}), and was deleted.`;
      throw rpcError('file_failed', detail);
    }
    return { file: name, lines: linesOf(back), chars: back.length, verified: true };
  });
}

function readyDdt(line: LineService, ask: Ask): Ddt {
  const ddt = new Ddt(line, ask);
  if (ddt.isReady) return ddt;
  const { activity } = line.conversation;
  const what = 'name' in activity ? `${activity.kind} ${activity.name ?? ''}` : activity.kind;
  throw rpcError('not_at_ddt', `The line is at: ${what.trim()}.`, { activity });
}

async function onVt52<T>(ddt: Ddt, act: () => Promise<T>): Promise<T> {
  const terminal = await ddt.terminal();
  if (terminal === TERMINAL) return await act();
  await ddt.setTerminal(TERMINAL);
  try {
    return await act();
  } finally {
    if (terminal !== undefined && ddt.isReady) await ddt.cleanUp(`:tctyp ${terminal.toLowerCase()}\r`);
  }
}

interface Printed {
  readonly text: string;
  readonly isDisturbed: boolean;
}

/** Prints until `isRight`, or until no message came in between; a few times at most. */
async function printUndisturbed(ddt: Ddt, file: string, isRight: (text: string) => boolean): Promise<string> {
  for (let prints = 1; ; prints += 1) {
    const { text, isDisturbed } = await print(ddt, file);
    if (!isDisturbed || prints === MAX_PRINTS || isRight(text)) return text;
  }
}

/** Throws `file_failed` with what ITS said. */
async function print(ddt: Ddt, file: string): Promise<Printed> {
  const options = { until: 'prompt', timeoutMs: PATIENCE_MS, maxPages: MAX_FILE_PAGES } as const;
  const said = await ddt.command(`:print ${file}`, options);
  const printed = upToPrompt(ddt.spokenBytes(said.span));
  const cleared = ddt.bytes(said.span).indexOf(CLEAR_SCREEN);
  const isWhole = said.settlement.reason === 'prompt' && printed.endsWith('*') && !said.isTruncated;
  if (!isWhole || cleared < 0) {
    // A print that was given up is put away: nobody else waits for its pages.
    if (!ddt.isReady) await ddt.cleanUp(ddt.isAtPager ? RUBOUT : CONTROL_S);
    throw failed(`:print ${file}`, said);
  }
  const start = said.span.start + cleared + CLEAR_SCREEN.length;
  const shown = ddt.text({ start, end: said.span.end }).slice(0, -1);
  const text = printed.endsWith(FRESH_PROMPT) ? shown : withoutLastEnd(shown);
  return { text, isDisturbed: ddt.isDisturbed(said.span) };
}

/** Without the line ends that messages of others leave behind DDT's prompt. */
function upToPrompt(bytes: string): string {
  const end = bytes.lastIndexOf('*') + 1;
  const rest = bytes.slice(end).replaceAll('\u001bK', '').replaceAll('\n', '');
  return rest === '' ? bytes.slice(0, end) : bytes;
}

/** Returns the name under which ITS wrote the file. */
async function create(ddt: Ddt, file: string, typed: string): Promise<string> {
  const begun = await ddt.command(`:create ${file}`, { quietMs: 3_000, pattern: IS_CREATING.source });
  if (begun.settlement.reason !== 'matched') return await abandon(ddt, `:create ${file}`, begun);
  if (typed !== '') {
    const timeoutMs = PATIENCE_MS + (typed.length / SLOWEST_CHARS_PER_SECOND) * 1_000;
    const entered = await ddt.type(typed, { quietMs: 700, timeoutMs });
    const { reason, sent, overflow } = entered.settlement;
    const isWhole = reason !== 'cancelled' && sent === typed.length && overflow === undefined;
    if (!isWhole) return await abandon(ddt, `:create ${file}`, entered);
  }
  const ended = await ddt.cleanUp(CONTROL_C);
  const name = WRITTEN.exec(ended.text)?.[1];
  if (name === undefined) throw failed(`:create ${file}`, ended);
  return name;
}

/** Stops CREATE, which then writes nothing: ^C would put half a text in the place of what is there. */
async function abandon(ddt: Ddt, command: string, said: Said): Promise<never> {
  if (!ddt.isReady) await ddt.cleanUp(CONTROL_Z);
  if (said.settlement.reason !== 'prompt' && ddt.isReady) await ddt.cleanUp(':kill\r');
  throw failed(command, said);
}

function failed(command: string, { settlement, text }: Said): Error {
  const said = JSON.stringify(text.trim().slice(-200));
  const { reason } = settlement;
  // At DDT's prompt what it said is the whole story.
  const detail =
    reason === 'prompt'
      ? `To ${command} ITS said: ${said}.`
      : `${command} ended with ${reason}; ITS said: ${said}.`;
  return rpcError('file_failed', detail);
}

/** Keys for a text; throws `input_not_seven_bit` for what cannot be typed into a file. */
function toTyped(text: string): string {
  const plain = text.replace(/\r\n?|\n/g, '\r');
  const wrong = /[^\t\r\u0020-\u007e]/.exec(plain);
  if (wrong === null) return plain;
  const code = (wrong[0].codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0');
  const detail = `U+${code} at position ${wrong.index} cannot be typed into a file. Nothing was sent.`;
  throw rpcError('input_not_seven_bit', detail, { position: wrong.index });
}

function withoutLastEnd(text: string): string {
  return text.endsWith('\n') ? text.slice(0, -1) : text;
}

function linesOf(text: string): number {
  return text === '' ? 0 : withoutLastEnd(text).split('\n').length;
}
