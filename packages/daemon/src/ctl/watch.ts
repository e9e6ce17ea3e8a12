/**
 * `watch`: follows the line for ever, as text or as one JSON object a line. As a spy it types nothing. Its own slowness
 * costs nothing: a watch that lagged is begun anew where it stopped.
 */
import { type Command, UsageError } from './command.ts';
import { EXIT } from './exitCodes.ts';
import { follow } from './follow.ts';
import { toInput } from './toInput.ts';
import { type Shown, toShown } from './watchText.ts';

export const watchCommand: Command = {
  name: 'watch',
  summary: 'Follow the output of the line, until ^C',
  positionals: [],
  options: {
    from: { type: 'number', describe: 'Begin at this offset, as far back as is kept (default: now)' },
    until: { type: 'number', describe: 'End at this offset (default: never)' },
    input: { type: 'boolean', describe: 'Tell what is typed too, and by whom' },
    raw: { type: 'boolean', describe: 'The bytes as they are, control sequences for a VT52 included' },
  },
  examples: [
    ['watch', 'text on standard output, everything else that happens on standard error'],
    ['watch --json | jq -c .', 'everything, one object a line'],
    ['watch --from 0 --until 51200 --raw > bytes', 'a span, exactly'],
  ],
  async run(args, context) {
    const isRaw = args.flag('raw');
    const isJson = args.flag('json');
    if (isRaw && isJson) throw new UsageError('--raw does not go with --json');
    const input = toInput(
      'line.watch',
      { from: args.number('from'), until: args.number('until'), form: isRaw ? 'bytes' : 'text' },
      { until: '--until', from: '--from' },
    );
    const options = { isJson, isInputShown: args.flag('input') };
    const { stdout, stderr } = context;
    let offset = input.from ?? 0;
    const write = ({ out, note }: Shown) => {
      if (out !== undefined) stdout.write(out);
      if (note !== undefined) stderr.write(`pidp10ctl: ${note}\n`);
    };
    const end = await follow('line', input, context, {
      onBegun: (watch, from) => {
        offset = watch.offset;
        if (watch.truncated) write(toShown({ name: 'truncated', from, offset }, options));
      },
      onEvent: (event) => {
        if (event.name === 'line.output') offset = event.params.end;
        write(toShown(event, options));
      },
    });
    return {
      wire: { event: 'end', offset },
      output: '',
      notes: [],
      exitCode: end === 'interrupted' ? EXIT.interrupted : EXIT.ok,
    };
  },
};
