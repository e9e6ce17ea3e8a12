/** Results of the daemon as people want to read them. Text only: what a terminal must not get is taken out later. */
import { describeBytes } from '@pidp10/protocol/escapes';
import type { MethodResult } from '@pidp10/protocol/methods';
import type { LineState, Outcome } from '@pidp10/protocol/schemas';
import { describeActivity, describeHolder } from './activity.ts';
import type { Answer, Section } from './command.ts';
import { EXIT, toExitCode } from './exitCodes.ts';

type DryRun = Extract<MethodResult<'line.send'>, { dryRun: unknown }>;
type Cursor = MethodResult<'line.screen'>['cursor'];

export function renderOutcome(outcome: Outcome): Answer {
  const { output, before, commands } = outcome;
  return {
    wire: outcome,
    output: output.text,
    ...(before !== undefined && before.text !== '' && { earlier: before.text }),
    ...(commands !== undefined && { sections: toSections(commands) }),
    notes: [toTrailer(outcome), ...toNotes(outcome)],
    exitCode: toExitCode(outcome),
  };
}

/** How a call ended, of the line or of a session, which has less to tell. */
type Ending = Pick<Outcome, 'reason'> & Partial<Omit<Outcome, 'reason'>>;

/** The reason first, then only what is out of the ordinary. */
export function toTrailer(outcome: Ending): string {
  const { reason, pages = 0, bells = 0, folds = 0, remaining = 0, accepted, sent, echoed, hint } = outcome;
  const holder = outcome.activity === undefined ? undefined : describeHolder(outcome.activity);
  const isShort = accepted !== undefined && sent !== undefined && sent < accepted;
  const facts = [
    ...(pages > 0 ? [`${count(pages, 'page')} turned`] : []),
    ...(bells > 0 ? [count(bells, 'bell')] : []),
    ...(folds > 0 ? [`${count(folds, 'folded line')} joined`] : []),
    ...(remaining > 0 && hint === undefined ? [`${count(remaining, 'byte')} of output not given yet`] : []),
    ...(isShort ? [`sent ${sent} of ${count(accepted, 'byte')}`] : []),
    // A key may show nothing, so that fewer echoes than bytes mean little while all went out and nothing was lost.
    ...(echoed !== undefined && (isShort || outcome.overflow !== undefined)
      ? [`echo of ${echoed} came`]
      : []),
    ...(holder === undefined ? [] : [holder]),
  ];
  return facts.length === 0 ? reason : `${reason} (${facts.join(', ')})`;
}

function toNotes(outcome: Outcome): string[] {
  const {
    reason,
    output,
    before,
    hint,
    lineState,
    screen,
    overflow,
    notices = [],
    file,
    goingDown,
  } = outcome;
  const isTruncated = output.truncated || before?.truncated === true;
  const needsAnswer = hint === undefined && (reason === 'pager' || reason === 'question');
  return [
    ...notices.map(({ text }) => `notice: ${indent(text)}`),
    ...(goingDown === undefined ? [] : [describeGoingDown(goingDown)]),
    ...(overflow === undefined || hint !== undefined ? [] : [describeOverflow(overflow.offset)]),
    ...(isTruncated ? ['older output that was not read yet is no longer held'] : []),
    ...(screen === undefined
      ? []
      : [`the screen changed in ${describeRows(screen.rows)}; ${describeCursor(screen.cursor)}`]),
    ...(file === undefined ? [] : [`the whole text is in ${file}; this is its beginning`]),
    ...(needsAnswer ? [describeActivity(outcome.activity)] : []),
    ...(hint === undefined ? [] : [hint]),
    ...(lineState.state === 'open' ? [] : [describeLine(lineState)]),
  ];
}

function toSections(commands: NonNullable<Outcome['commands']>): Section[] {
  return commands.map(({ input, reason, output }, index) => ({
    label: `command ${index + 1}, ${input}: ${reason}`,
    output: output.text,
  }));
}

function describeOverflow(offset: number): string {
  return `input was lost: ITS was not reading and its buffer was full; go on from byte ${offset} of the input (from 0)`;
}

/** What the system said, as its own words. */
export function describeGoingDown(text: string): string {
  return `ITS is going down: "${text}"`;
}

export function describeCursor({ row, column }: Cursor): string {
  return `cursor in row ${row}, column ${column} (from 0)`;
}

/** `rows 0-3, 22`; numbers rise. */
export function describeRows(rows: readonly number[]): string {
  const runs: [first: number, last: number][] = [];
  for (const row of rows) {
    const run = runs.at(-1);
    if (run !== undefined && row === run[1] + 1) run[1] = row;
    else runs.push([row, row]);
  }
  const shown = runs.map(([first, last]) => (first === last ? `${first}` : `${first}-${last}`));
  return rows.length === 0 ? 'no row' : `${rows.length === 1 ? 'row' : 'rows'} ${shown.join(', ')}`;
}

export function renderDryRun(result: DryRun): Answer {
  const { hex, bytes, warnings } = result.dryRun;
  return {
    wire: result,
    output: `${describeBytes(Buffer.from(hex, 'hex'))}\n`,
    notes: [`dry run: ${count(bytes, 'byte')} not sent`, ...warnings],
    exitCode: EXIT.ok,
  };
}

export function describeLine({ state, phase, reason, detail, host, port, codec }: LineState): string {
  const where = host === undefined || port === undefined ? '' : ` ${host}:${port}`;
  switch (state) {
    case 'open':
      return `the line is open to${where}${codec === 'unknown' ? '' : ` (${codec})`}`;
    case 'connecting':
      return `the line is connecting to${where}, ${phase === 'greeting' ? 'waiting for the greeting' : 'no TCP connection yet'}`;
    case 'dead':
      return [
        `the line is dead${where === '' ? '' : `, it was open to${where}`}`,
        ...(reason === undefined ? [] : [` (${reason})`]),
        ...(detail === undefined ? [] : [`: ${detail}`]),
      ].join('');
    case 'closed':
      return 'the line is closed';
    default:
      return state satisfies never;
  }
}

export function count(number: number, what: string): string {
  return `${number} ${what}${number === 1 ? '' : 's'}`;
}

function indent(text: string): string {
  return text.trim().replaceAll('\n', '\n  ');
}
