/** The last line of a result about a command: why the call ended, which session, how it does, where to go on. */
import type { SessionFacts, SessionOutcome } from '@pidp10/protocol/sessionSchemas';
import { toFloorFact, toPreemptedPhrase } from './floorText.ts';
import { toCount, toVisibleLine } from './visibleText.ts';

/** The daemon's hint may be long; a trailer is not. */
const MAX_PHRASE_CHARS = 400;
const MAX_PATH_CHARS = 300;
const MAX_SIGNAL_CHARS = 16;
/** Room for an id: what a daemon gives, as the contract has it. */
const MAX_ID_CHARS = 64;

export function toSessionTrailer(outcome: SessionOutcome): string {
  const { output, remaining = 0, reason, bells = 0, file } = outcome;
  const phrase = toPhrase(outcome);
  const floor = toFloorFact(outcome.floor);
  // Who has seen all there is knows it as the end, not as a death.
  const word = reason === 'dead' ? 'ended' : reason;
  return toTrailer([
    phrase === undefined ? word : `${word}: ${phrase}`,
    toSessionWords(outcome),
    toStateWords(outcome, remaining),
    `${toCount(output.text.length)} chars`,
    ...(output.lines > 1 ? [`${toCount(output.lines)} lines`] : []),
    `offset ${output.start}`,
    `next_offset ${output.end}`,
    ...(output.truncated ? ['older output is gone'] : []),
    ...(remaining > 0 && reason !== 'limit' ? [`${toCount(remaining)} bytes unread`] : []),
    ...(file === undefined ? [] : [`all is in ${toVisibleLine(file, MAX_PATH_CHARS)}`]),
    ...toInputFacts(outcome),
    ...(bells > 0 ? [bells === 1 ? '1 bell' : `${toCount(bells)} bells`] : []),
    ...(floor === undefined ? [] : [floor]),
  ]);
}

export function toTrailer(parts: readonly string[]): string {
  return `[${parts.join(' · ')}]`;
}

/** `session s12`. A name is its caller's words: it stands in the list, quoted. */
export function toSessionWords({ session }: Pick<SessionFacts, 'session'>): string {
  return `session ${toVisibleLine(session, MAX_ID_CHARS)}`;
}

/** How it does. How it ended is told with its last byte, never before: output is what explains it. */
export function toStateWords({ state, exit, outputState }: SessionFacts, remaining = 0): string {
  switch (state) {
    case 'running':
    case 'stopping':
      return state;
    case 'lost':
      return 'lost: its daemon ended without a word, nobody knows how the program ended';
    case 'exited':
      if (remaining > 0) return 'exited, the exit code comes with the last of its output';
      if (outputState === 'open') return 'exited, its last output is still to come';
      return `${toExitWords(exit)}${outputState === 'held' ? ', its output is held open by processes that it started (get_status names them, stop_command ends them)' : ''}`;
    default:
      return state satisfies never;
  }
}

function toExitWords(exit: SessionFacts['exit']): string {
  if (exit === undefined) return 'exited';
  const { code, signal, status } = exit;
  return signal === undefined
    ? `exited with code ${code ?? status}`
    : `ended by ${toVisibleLine(signal, MAX_SIGNAL_CHARS)} (exit code ${status})`;
}

function toPhrase(outcome: SessionOutcome): string | undefined {
  const { reason, remaining = 0, stream, accepted, sent, hint } = outcome;
  const again = stream === 'err' ? 'read_stderr' : 'read_output';
  const words = (): string | undefined => {
    switch (reason) {
      case 'limit':
        return `${toCount(remaining)} more bytes wait, call ${again}`;
      case 'still_waiting':
        return accepted === 0 && sent === 0 ? hint : `call ${again} to go on`;
      case 'preempted':
        return toPreemptedPhrase(outcome);
      default:
        // The state says who holds it, and what helps, in words of tools.
        return outcome.outputState === 'held' ? undefined : hint;
    }
  };
  const said = words();
  return said === undefined ? undefined : toVisibleLine(said, MAX_PHRASE_CHARS);
}

function toInputFacts({ accepted, sent, reason }: SessionOutcome): string[] {
  if (reason === 'preempted' || accepted === undefined || sent === undefined || sent >= accepted) return [];
  return [`the program took ${toCount(sent)} of ${toCount(accepted)} input bytes`];
}
