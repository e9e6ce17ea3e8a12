/**
 * `watch`: follows the line for ever, as text or as one JSON object a line. As a spy it types nothing. Its own slowness
 * costs nothing: a watch that lagged is begun anew where it stopped.
 */
import type { DaemonClient } from '@pidp10/protocol/node/daemonClient';
import { type Answer, type Command, type Context, UsageError } from './command.ts';
import { EXIT } from './exitCodes.ts';
import { toInput } from './toInput.ts';
import { Watcher } from './watcher.ts';
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
    const form = isRaw ? ('bytes' as const) : ('text' as const);
    const until = args.number('until');
    const input = toInput(
      'line.watch',
      { from: args.number('from'), until, form },
      { until: '--until', from: '--from' },
    );
    return await follow(input, { isJson, isInputShown: args.flag('input') }, context);
  },
};

interface WatchInput {
  readonly from?: number | undefined;
  readonly until?: number | undefined;
  readonly form?: 'text' | 'bytes' | 'ansi' | 'none' | undefined;
}

type End =
  | { readonly kind: 'ended' | 'interrupted' | 'closed' }
  | { readonly kind: 'failed'; readonly error: unknown };

async function follow(
  input: WatchInput,
  options: { readonly isJson: boolean; readonly isInputShown: boolean },
  { daemon, stdout, stderr, signal }: Context,
): Promise<Answer> {
  let end: (end: End) => void = () => {};
  const ended = new Promise<End>((resolve) => {
    end = resolve;
  });
  let offset = input.from ?? 0;
  let client: DaemonClient | undefined;
  const write = (shown: Shown) => {
    if (shown.out !== undefined) stdout.write(shown.out);
    if (shown.note !== undefined) stderr.write(`pidp10ctl: ${shown.note}\n`);
  };
  const begin = (from: number | undefined) => {
    if (client === undefined) return;
    watcher
      .begin(client, { ...input, from }, (watch) => {
        if (watch.truncated) write(toShown({ name: 'truncated', from, offset: watch.offset }, options));
        offset = watch.offset;
      })
      .catch((error: unknown) => end({ kind: 'failed', error }));
  };
  const watcher = new Watcher((event) => {
    if (event.name === 'line.lagged') return begin(event.params.offset);
    if (event.name === 'line.output') offset = event.params.end;
    if (event.name === 'line.watchEnded') return end({ kind: 'ended' });
    write(toShown(event, options));
  });
  const interrupt = () => end({ kind: 'interrupted' });
  signal.addEventListener('abort', interrupt, { once: true });
  // A reader of ours that has seen enough (`| head`) is no fault.
  stdout.once?.('error', () => end({ kind: 'closed' }));
  try {
    await using connection = await daemon.connect({
      isReader: false,
      access: 'read',
      onNotification: watcher.listener,
    });
    client = connection;
    void connection.closed.then((error) => end({ kind: 'failed', error }));
    begin(input.from);
    const { kind, ...rest } = await ended;
    if ('error' in rest) throw rest.error;
    const exitCode = kind === 'interrupted' ? EXIT.interrupted : EXIT.ok;
    return { wire: { event: 'end', offset }, output: '', notes: [], exitCode };
  } finally {
    signal.removeEventListener('abort', interrupt);
  }
}
