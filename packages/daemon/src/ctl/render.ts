/** Results of the daemon as people want to read them. Text only: what a terminal must not get is taken out later. */
import { describeBytes } from '@pidp10/protocol/escapes';
import type { MethodResult } from '@pidp10/protocol/methods';
import type { LineState, Outcome } from '@pidp10/protocol/schemas';
import type { Answer } from './command.ts';
import { EXIT, toExitCode } from './exitCodes.ts';

type DryRun = Extract<MethodResult<'line.send'>, { dryRun: unknown }>;

export function renderOutcome(outcome: Outcome): Answer {
  const { output, before, hint, lineState } = outcome;
  const isTruncated = output.truncated || before?.truncated === true;
  return {
    wire: outcome,
    output: output.text,
    ...(before !== undefined && before.text !== '' && { earlier: before.text }),
    notes: [
      toTrailer(outcome),
      ...(isTruncated ? ['older output that was not read yet is no longer held'] : []),
      ...(hint === undefined ? [] : [hint]),
      ...(lineState.state === 'open' ? [] : [describeLine(lineState)]),
    ],
    exitCode: toExitCode(outcome),
  };
}

/** The reason first, then only what is out of the ordinary. */
function toTrailer(outcome: Outcome): string {
  const { reason, pages = 0, bells = 0, remaining = 0, accepted, sent, hint } = outcome;
  const facts = [
    ...(pages > 0 ? [`${count(pages, 'page')} turned`] : []),
    ...(bells > 0 ? [count(bells, 'bell')] : []),
    ...(remaining > 0 && hint === undefined ? [`${count(remaining, 'byte')} of output not given yet`] : []),
    ...(accepted !== undefined && sent !== undefined && sent < accepted
      ? [`sent ${sent} of ${count(accepted, 'byte')}`]
      : []),
  ];
  return facts.length === 0 ? reason : `${reason} (${facts.join(', ')})`;
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
