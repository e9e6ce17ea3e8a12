/** Sending: one command or several, each answered before the next goes, and what came of it as one outcome. */

import { RPC_ERRORS, RpcError } from '@pidp10/protocol/errors';
import { describeBytes } from '@pidp10/protocol/escapes';
import type { MethodParams } from '@pidp10/protocol/methods';
import type { Outcome, Slice } from '@pidp10/protocol/schemas';
import type { Expectation, Settlement } from '../core/events.ts';
import type { Ask, TimeLeft } from './asking.ts';
import { splitCommands } from './commands.ts';
import type { LineService } from './lineService.ts';
import { toOutcome } from './outcome.ts';

type SendParams = MethodParams<'line.send'>;

/** Endings after which the next command may go. */
const GOES_ON: ReadonlySet<Outcome['reason']> = new Set(['prompt', 'quiet', 'matched']);

export async function sendAll(
  line: LineService,
  ask: Ask,
  timeLeft: TimeLeft,
  input: {
    readonly bytes: Uint8Array;
    readonly expectation: Expectation;
    readonly params: SendParams;
    readonly isUrgent: boolean;
  },
): Promise<Outcome> {
  const { bytes, expectation, params, isUrgent } = input;
  const pieces = params.paste || params.raw || isUrgent ? [bytes] : splitCommands(bytes);
  const outcomes: Outcome[] = [];
  const { typist } = line.channel.conversation;
  const { urgentSends } = typist;
  for (const [index, piece] of pieces.entries()) {
    const isLast = index === pieces.length - 1;
    const returnAfterMs = timeLeft();
    const own: Expectation = { ...expectation, ...(returnAfterMs !== undefined && { returnAfterMs }) };
    const asked = ask({
      kind: 'send',
      bytes: piece,
      isUrgent,
      expectation: isLast ? own : withoutPattern(own),
    });
    const last = outcomes.at(-1);
    if (last === undefined) outcomes.push(toOutcome(line, await asked, params));
    else {
      const settlement = await unlessFloorLost(asked);
      if (settlement === undefined) {
        // Something of this call was sent, so that it ends with what came of that, and not with an error.
        outcomes[index - 1] = { ...last, reason: 'preempted' };
        break;
      }
      outcomes.push(toOutcome(line, settlement, params));
    }
    const outcome = outcomes[index];
    if (outcome === undefined || !GOES_ON.has(outcome.reason)) break;
    // An urgent key while a command was answered was meant to stop all of the call.
    if (!isLast && typist.urgentSends !== urgentSends) {
      outcomes[index] = { ...outcome, reason: 'interrupted' };
      break;
    }
  }
  return joined(outcomes, pieces);
}

/** Undefined when the floor went over between two commands of a call. */
async function unlessFloorLost(asked: Promise<Settlement>): Promise<Settlement | undefined> {
  try {
    return await asked;
  } catch (error) {
    if (error instanceof RpcError && error.code === RPC_ERRORS.floor_lost.code) return undefined;
    throw error;
  }
}

/** ^G or ^S alone, with the CR that is appended to everything: nobody types these to wait behind a paste. */
export function isStopKey([key, ...rest]: Uint8Array): boolean {
  return (key === 0x07 || key === 0x13) && rest.every((byte) => byte === 0x0d);
}

function withoutPattern({ pattern: _pattern, ...rest }: Expectation): Expectation {
  return rest;
}

/** One outcome of several: the last one's ending, everybody's output, and each command's own beside it. */
function joined(outcomes: readonly Outcome[], pieces: readonly Uint8Array[]): Outcome {
  const [first] = outcomes;
  const last = outcomes.at(-1);
  if (first === undefined || last === undefined) throw new Error('nothing was sent');
  if (pieces.length === 1) return last;
  const sum = (figure: 'sent' | 'echoed' | 'pages' | 'bells' | 'folds') =>
    outcomes.reduce((total, outcome) => total + (outcome[figure] ?? 0), 0);
  const unsent = pieces.length - outcomes.length;
  const notices = outcomes.flatMap((outcome) => outcome.notices ?? []);
  return {
    ...last,
    ...(first.before !== undefined && { before: first.before }),
    output: joinedSlice(outcomes.map(({ output }) => output)),
    commands: outcomes.map(({ reason, output }, index) => ({
      input: describeBytes(pieces[index] ?? new Uint8Array(0)),
      reason,
      output,
    })),
    accepted: pieces.reduce((total, piece) => total + piece.length, 0),
    sent: sum('sent'),
    echoed: sum('echoed'),
    pages: sum('pages'),
    bells: sum('bells'),
    ...(sum('folds') > 0 && { folds: sum('folds') }),
    ...(notices.length > 0 && { notices }),
    ...(unsent > 0 && {
      hint: `Stopped after command ${outcomes.length} of ${pieces.length} (${last.reason}); the other ${unsent} were not sent.`,
    }),
  };
}

function joinedSlice(slices: readonly Slice[]): Slice {
  return {
    start: slices[0]?.start ?? 0,
    end: slices.at(-1)?.end ?? 0,
    text: slices.map(({ text }) => text).join(''),
    truncated: slices.some(({ truncated }) => truncated),
    lines: slices.reduce((total, { lines }) => total + lines, 0),
  };
}
