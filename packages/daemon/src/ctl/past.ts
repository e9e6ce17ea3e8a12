/** Output from some place on, as far back as is kept, up to now or as it goes on: `log` of the line, `logs` of sessions. */
import { type Answer, type Arguments, type Context, type OptionSpec, UsageError } from './command.ts';
import { EXIT } from './exitCodes.ts';
import { type FollowEnd, follow } from './follow.ts';
import { findSpan, MAX_LAST_LINES } from './span.ts';
import type { Subject } from './subject.ts';
import { toInput } from './toInput.ts';
import { toTime } from './toTime.ts';
import type { WatchEvent } from './watcher.ts';
import { toShown } from './watchText.ts';

export const PAST_OPTIONS = {
  from: {
    type: 'number',
    describe: 'Begin at this offset of the output (default: as far back as is kept)',
  },
  since: {
    type: 'string',
    describe: 'Begin with what came then: 2031-01-01, 2031-01-01T09:30, 90m, 2d (ago)',
  },
  lines: { type: 'number', alias: 'n', describe: 'Begin so many lines before the end, 1 to 1000' },
  follow: { type: 'boolean', alias: 'f', describe: 'Go on with what comes, until ^C' },
  raw: { type: 'boolean', describe: 'The bytes as they are, control sequences included' },
} as const satisfies Record<string, OptionSpec>;

/** Throws usage errors for what does not go together. */
export async function printPast(args: Arguments, context: Context, subject: Subject): Promise<Answer> {
  const isRaw = args.flag('raw');
  const isJson = args.flag('json');
  if (isRaw && isJson) throw new UsageError('--raw does not go with --json');
  const [from, since, lastLines] = [args.number('from'), args.text('since'), args.number('lines')];
  if ([from, since, lastLines].filter((each) => each !== undefined).length > 1)
    throw new UsageError('only one of --from, --since and --lines tells where to begin');
  toInput('line.watch', { from });
  if (
    lastLines !== undefined &&
    !(Number.isInteger(lastLines) && lastLines >= 1 && lastLines <= MAX_LAST_LINES)
  )
    throw new UsageError(`--lines takes a number from 1 to ${MAX_LAST_LINES}`);
  const span = await findSpan(context, { from, since: toTime(since, '--since'), lastLines }, subject);
  let offset = span.from;
  const onEvent = (event: WatchEvent) => {
    if (event.name === 'line.output' || event.name === 'session.output') offset = event.params.end;
    const { out, note } = toShown(event, { isJson, isInputShown: isJson });
    if (out !== undefined) context.stdout.write(out);
    // What lies between two connections is no output, and must not look like any.
    if (event.name === 'line.outage' && note !== undefined) context.stderr.write(`pidp10ctl: ${note}\n`);
  };
  const until = args.flag('follow') ? undefined : span.end;
  const end = await followFrom({ from: span.from, until, form: isRaw ? 'bytes' : 'text' });
  const isCut = from !== undefined && span.from > from;
  return {
    wire: { event: 'end', offset },
    output: '',
    notes: isCut ? [`output before offset ${span.from} is no longer kept`] : [],
    exitCode: end === 'interrupted' ? EXIT.interrupted : EXIT.ok,
  };

  function followFrom(input: {
    readonly from: number;
    readonly until: number | undefined;
    readonly form: 'bytes' | 'text';
  }): Promise<FollowEnd> {
    if (subject.kind === 'line') return follow('line', input, context, { onEvent });
    const { session, stream } = subject;
    return follow('session', { ...input, session, stream }, context, { onEvent });
  }
}
