/** What is known of a command session, in plain words, and as an exit code of ours. */
import type { SessionFacts, SessionOutcome } from '@pidp10/protocol/sessionSchemas';
import type { Answer } from '../command.ts';
import { EXIT, toExitCode } from '../exitCodes.ts';
import { toTrailer } from '../render.ts';

/** `s3 (build)`. */
export function nameSession({ session, name }: Pick<SessionFacts, 'session' | 'name'>): string {
  return name === undefined ? session : `${session} (${name})`;
}

export function describeSession(facts: SessionFacts): string {
  return `${nameSession(facts)} ${describeState(facts)}${describeOutput(facts)}`;
}

export function describeState({ state, exit }: Pick<SessionFacts, 'state' | 'exit'>): string {
  switch (state) {
    case 'running':
      return 'is running';
    case 'stopping':
      return 'is being stopped';
    case 'exited':
      if (exit?.signal !== undefined) return `was ended by ${exit.signal} (status ${exit.status})`;
      return exit === undefined ? 'has exited' : `has exited with status ${exit.status}`;
    case 'lost':
      return 'is lost: the daemon that ran it ended without a word';
    default:
      return state satisfies never;
  }
}

/** Nothing where it is as one expects. */
function describeOutput({ state, outputState }: SessionFacts): string {
  if (outputState === 'held') return '; others that it started hold its output open';
  return outputState === 'ended' && (state === 'running' || state === 'stopping')
    ? '; it has closed its output'
    : '';
}

/** The program's own status, as a shell has it; `error` where nobody knows it. */
export function toStatus({ state, exit }: Pick<SessionFacts, 'state' | 'exit'>): number {
  return state === 'exited' && exit !== undefined ? exit.status : EXIT.error;
}

export function renderSessionOutcome(outcome: SessionOutcome): Answer {
  const { output, before, hint, file, state, outputState } = outcome;
  const isTruncated = output.truncated || before?.truncated === true;
  const isWorthSaying = state !== 'running' || outputState !== 'open';
  return {
    wire: outcome,
    output: output.text,
    ...(before !== undefined && before.text !== '' && { earlier: before.text }),
    notes: [
      toTrailer(outcome),
      ...(isTruncated ? ['older output that was not read yet is no longer held'] : []),
      ...(file === undefined ? [] : [`the whole text is in ${file}; this is its beginning`]),
      ...(hint === undefined ? [] : [hint]),
      ...(isWorthSaying ? [describeSession(outcome)] : []),
    ],
    exitCode: toExitCode(outcome),
  };
}
