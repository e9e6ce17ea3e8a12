/** `log`: the output from some place on, as far back as is kept; for pipes and pagers. */
import { type Command, UsageError } from './command.ts';
import { EXIT } from './exitCodes.ts';
import { follow } from './follow.ts';
import { findSpan, MAX_LAST_LINES } from './span.ts';
import { toInput } from './toInput.ts';
import { toTime } from './toTime.ts';
import { toShown } from './watchText.ts';

export const logCommand: Command = {
  name: 'log',
  summary: 'Print the output from some place on, as far back as is kept',
  positionals: [],
  options: {
    from: {
      type: 'number',
      describe: 'Begin at this offset of the output (default: as far back as is kept)',
    },
    since: {
      type: 'string',
      describe: 'Begin with what came then: 2031-01-01, 2031-01-01T09:30, 90m, 2d (ago)',
    },
    lines: { type: 'number', alias: 'n', describe: 'Begin so many lines before the end, 1 to 1000' },
    follow: { type: 'boolean', describe: 'Go on with what comes, until ^C' },
    raw: { type: 'boolean', describe: 'The bytes as they are, control sequences for a VT52 included' },
  },
  examples: [
    ['log -n 50', 'the newest 50 lines'],
    ['log --since 2h | less', 'of the last two hours'],
    ['log -n 20 --follow', 'and on from there'],
    ['log --from 51200 --json | jq -c .', 'with times, inputs and marks, one object a line'],
  ],
  async run(args, context) {
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
    const span = await findSpan(context, { from, since: toTime(since, '--since'), lastLines });
    let offset = span.from;
    const { stdout, stderr } = context;
    const end = await follow(
      context,
      {
        from: span.from,
        until: args.flag('follow') ? undefined : span.end,
        form: isRaw ? 'bytes' : 'text',
      },
      {
        onEvent: (event) => {
          if (event.name === 'line.output') offset = event.params.end;
          const { out, note } = toShown(event, { isJson, isInputShown: isJson });
          if (out !== undefined) stdout.write(out);
          // What lies between two connections is no output, and must not look like any.
          if (event.name === 'line.outage' && note !== undefined) stderr.write(`pidp10ctl: ${note}\n`);
        },
      },
    );
    const isCut = from !== undefined && span.from > from;
    return {
      wire: { event: 'end', offset },
      output: '',
      notes: isCut ? [`output before offset ${span.from} is no longer kept`] : [],
      exitCode: end === 'interrupted' ? EXIT.interrupted : EXIT.ok,
    };
  },
};
