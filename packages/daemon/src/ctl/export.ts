/** `export`: a span of the output as a file: text, bytes, JSON Lines with times, or a recording to be played. */

import { type Command, UsageError } from './command.ts';
import { EXIT } from './exitCodes.ts';
import { AsciicastWriter } from './export/asciicast.ts';
import { openSink, type Sink } from './export/sink.ts';
import { type FollowListener, follow } from './follow.ts';
import { neutralize } from './neutralize.ts';
import { findSpan } from './span.ts';
import { toInput } from './toInput.ts';
import { toTime } from './toTime.ts';
import { toShown } from './watchText.ts';

const FORMATS = ['text', 'raw', 'jsonl', 'asciicast'] as const;
type Format = (typeof FORMATS)[number];

const FORMS = { text: 'text', raw: 'bytes', jsonl: 'text', asciicast: 'ansi' } as const;

export const exportCommand: Command = {
  name: 'export',
  summary: 'Write a span of the output as text, bytes, JSON Lines or a recording (asciicast v3)',
  positionals: [],
  options: {
    format: { type: 'string', choices: FORMATS, describe: 'What to write (default text)' },
    output: {
      type: 'string',
      alias: 'o',
      describe: 'Into this new file, for you alone (default: standard output)',
    },
    force: { type: 'boolean', describe: 'Replace a file of that name' },
    from: {
      type: 'number',
      describe: 'Begin at this offset of the output (default: as far back as is kept)',
    },
    since: {
      type: 'string',
      describe: 'Begin with what came then: 2031-01-01, 2031-01-01T09:30, 90m, 2d (ago)',
    },
    until: { type: 'number', describe: 'End at this offset (default: now)' },
  },
  examples: [
    ['export --since 2h --format asciicast -o session.cast', 'then: pidp10ctl play session.cast'],
    ['export --format raw --from 0 --until 51200 -o bytes', 'a span, exactly'],
    ['export --format jsonl | jq -c .', 'output, inputs, marks with their times'],
  ],
  async run(args, context) {
    const format = FORMATS.find((each) => each === args.text('format')) ?? 'text';
    const path = args.text('output');
    const isFile = path !== undefined && path !== '-';
    if (args.flag('json') && !isFile)
      throw new UsageError('export does not go with --json; --format jsonl does');
    const [from, since, until] = [args.number('from'), args.text('since'), args.number('until')];
    if (from !== undefined && since !== undefined)
      throw new UsageError('only one of --from and --since tells where to begin');
    toInput('line.watch', { from, until }, { until: '--until' });
    const span = await findSpan(context, { from, since: toTime(since, '--since') });
    const end = Math.max(Math.min(until ?? span.end, span.end), span.from);
    using sink = openSink(path, args.flag('force'), context.stdout);
    const listener = toListener(format, sink, isFile);
    const ended = await follow(
      'line',
      { from: span.from, until: end, form: FORMS[format] },
      context,
      listener,
    );
    listener.onDone?.();
    const what = `offsets ${span.from}-${end} as ${format}`;
    const isCut = from !== undefined && span.from > from;
    return {
      wire: { format, from: span.from, until: end, ...(isFile && { file: path }) },
      output: '',
      notes: [
        ...(isCut ? [`output before offset ${span.from} is no longer kept`] : []),
        ...(isFile ? [`${what}, written to ${path}`] : []),
      ],
      exitCode: ended === 'interrupted' ? EXIT.interrupted : EXIT.ok,
    };
  },
};

interface ExportListener extends FollowListener<'line'> {
  readonly onDone?: () => void;
}

function toListener(format: Format, sink: Sink, isFile: boolean): ExportListener {
  switch (format) {
    case 'text':
      return {
        onEvent: (event) => {
          if (event.name !== 'line.output') return;
          const { text = '' } = event.params;
          sink.write(isFile ? text : neutralize(text));
        },
      };
    case 'raw':
    case 'jsonl': {
      const isJson = format === 'jsonl';
      return {
        onEvent: (event) => {
          const { out } = toShown(event, { isJson, isInputShown: isJson });
          if (out !== undefined) sink.write(out);
        },
      };
    }
    case 'asciicast': {
      const writer = new AsciicastWriter((text) => sink.write(text));
      return {
        onBegun: (watch) => writer.begin(watch),
        onEvent: (event) => writer.take(event),
        onDone: () => writer.end(Date.now()),
      };
    }
    default:
      return format satisfies never;
  }
}
