/**
 * A program that was started here, followed to its end as if it ran in the shell: its output on ours, its errors on ours, its
 * status as ours. Leaving it (^C) does it no harm.
 */
import type { SessionFacts } from '@pidp10/protocol/sessionSchemas';
import type { Answer, Context } from '../command.ts';
import { EXIT } from '../exitCodes.ts';
import { type FollowEnd, follow } from '../follow.ts';
import { neutralize } from '../neutralize.ts';
import type { SessionEvent } from '../watcher.ts';
import { toShown } from '../watchText.ts';
import { describeSession, nameSession, toStatus } from './facts.ts';
import { waitForExit } from './waitForExit.ts';

export interface FollowProgramOptions {
  readonly facts: SessionFacts;
  /** Its errors are a stream of their own. */
  readonly splitStderr: boolean;
  /** The bytes as they are. */
  readonly isRaw: boolean;
  readonly isJson: boolean;
}

/** Rejects as requests do. */
export async function followProgram(context: Context, options: FollowProgramOptions): Promise<Answer> {
  const { facts, splitStderr } = options;
  const streams = splitStderr ? (['out', 'err'] as const) : (['out'] as const);
  const ends = await Promise.all(streams.map((stream) => followStream(context, options, stream)));
  if (ends.includes('interrupted')) return toLeft(facts);
  const { daemon, signal } = context;
  await using client = await daemon.connect({ isReader: false, access: 'read' });
  const result = await waitForExit(client, facts.session, { until: 'exit', signal });
  if (result.reason !== 'exited') return toLeft(facts);
  const { reason: _reason, ...known } = result;
  const isOrdinary = known.state === 'exited' && known.exit?.status === 0;
  return {
    wire: { event: 'end', ...known },
    output: '',
    notes: isOrdinary ? [] : [describeSession(known)],
    exitCode: toStatus(known),
  };
}

function followStream(
  context: Context,
  { facts: { session }, isRaw, isJson }: FollowProgramOptions,
  stream: 'out' | 'err',
): Promise<FollowEnd> {
  const { stdout, stderr } = context;
  let isToldHeld = false;
  const onEvent = (event: SessionEvent) => {
    if (event.name === 'session.state' && stream === 'out' && !isJson) {
      if (event.params.outputState !== 'held' || isToldHeld) return;
      isToldHeld = true;
      stderr.write(`pidp10ctl: ${neutralize(describeSession(event.params))}\n`);
      return;
    }
    if (event.name !== 'session.output' && !(isJson && stream === 'out')) return;
    const { out } = toShown(event, { isJson, isInputShown: isJson, stream });
    if (out === undefined) return;
    if (stream === 'err' && !isJson) stderr.write(out);
    else stdout.write(out);
  };
  const input = { session, stream, from: 0, form: isRaw ? ('bytes' as const) : ('text' as const) };
  return follow('session', input, context, { onEvent });
}

function toLeft(facts: SessionFacts): Answer {
  const { session } = facts;
  return {
    wire: { event: 'left', ...facts },
    output: '',
    notes: [
      `${nameSession(facts)} goes on: pidp10ctl stop ${session} ends it, logs -f ${session} follows it again`,
    ],
    exitCode: EXIT.interrupted,
  };
}
