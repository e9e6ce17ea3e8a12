/** `send -s ID TEXT`: gives a program input and prints what that produced. */
import { MAX_INPUT_CHARS } from '@pidp10/protocol/limits';
import { type Answer, type Arguments, type Context, UsageError } from '../command.ts';
import { toInput } from '../toInput.ts';
import { renderSessionOutcome } from './facts.ts';
import { refuseOptions, toSessionWaitInput } from './options.ts';

/** Options of `send` that only the line has. */
const OF_THE_LINE = [
  'raw',
  'paste',
  'confirm',
  'dry-run',
  'no-auto-more',
  'max-pages',
  'until-prompt',
  'host',
  'port',
];

/** Throws usage errors. */
export async function sendToSession(
  session: string,
  args: Arguments,
  { daemon, signal, readStdin }: Context,
): Promise<Answer> {
  refuseOptions(args, OF_THE_LINE, 'with --session');
  const { positionals } = args;
  const closeInput = args.flag('eof');
  if (positionals.length === 0 && !closeInput) throw new UsageError('send needs INPUT, or --eof');
  const isStdin = positionals.length === 1 && positionals[0] === '-';
  const input = toInput('session.send', {
    session,
    input: isStdin ? await readStdin(MAX_INPUT_CHARS) : toText(positionals),
    // What comes from a file has its line ends already.
    enter: !args.flag('no-enter') && !isStdin && positionals.length > 0,
    closeInput,
    echo: args.text('echo') === 'keep' ? 'keep' : 'strip',
    ...toSessionWaitInput(args),
  });
  await using client = await daemon.connect();
  return renderSessionOutcome(await client.request('session.send', input, { signal }));
}

function toText(words: readonly string[]): string | undefined {
  return words.length === 0 ? undefined : words.join(' ');
}
