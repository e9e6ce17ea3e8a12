/** `send INPUT...`: types input, on the line or into a program, and prints what it produced. */
import { MAX_INPUT_CHARS } from '@pidp10/protocol/schemas';
import { type Command, UsageError } from './command.ts';
import { toTarget } from './daemonAccess.ts';
import { SPAWN_OPTIONS, toWaitInput, WAIT_OPTIONS } from './options.ts';
import { renderDryRun, renderOutcome } from './render.ts';
import { refuseOptions } from './session/options.ts';
import { sendToSession } from './session/send.ts';
import { SESSION_OPTION } from './subject.ts';
import { toInput } from './toInput.ts';

export const sendCommand: Command = {
  name: 'send',
  summary: 'Type input on the line, or into a program, and print what it produced',
  positionals: [{ name: 'input', isRest: true }],
  options: {
    ...SESSION_OPTION,
    ...WAIT_OPTIONS,
    'timeout-ms': { type: 'number', describe: 'Longest wait, in ms (default 10000)' },
    raw: { type: 'boolean', describe: 'Send the bytes as they are: no CR appended, LF stays LF' },
    paste: {
      type: 'boolean',
      describe: 'Text for one program: lines follow each other without waiting for an answer to each',
    },
    confirm: {
      type: 'boolean',
      describe: 'Send it although the guard stops it: a line that brings ITS down for everybody',
    },
    'dry-run': { type: 'boolean', describe: 'Only show what would be sent' },
    echo: {
      type: 'string',
      choices: ['keep', 'strip'],
      describe: 'Keep the echo of the input in the output, or strip it (default strip)',
    },
    'no-enter': { type: 'boolean', describe: 'With --session: no Enter behind the input' },
    eof: { type: 'boolean', describe: 'With --session: end of input, behind the input if there is any' },
    ...SPAWN_OPTIONS,
  },
  examples: [
    ["send '~z'", 'call up DDT: ~z is ^Z, ~e ESC, ~~ a tilde; ~- at the end: no CR'],
    ['send :login rms', 'words are joined by one blank, a CR is appended'],
    ["send ':listf' --expect '\\*$'", 'wait for a pattern'],
    ["send ':midas hello' --until-prompt --timeout-ms 60000", 'a program that is silent while it thinks'],
    ["send ':listf sys' --max-pages 200 --to-file sys", 'a long text into a file'],
    ['send - < commands', 'lines of standard input, each when the one before was answered'],
    ['send --paste - < text', 'into an editor: lines one after the other'],
    ['send -- -1', 'input that begins with a hyphen'],
    ["send -s py '1 + 1'", 'to a program that run has started: as it stands, without escapes'],
  ],
  async run(args, context) {
    const session = args.text('session');
    if (session !== undefined) return await sendToSession(session, args, context);
    refuseOptions(args, ['no-enter', 'eof'], 'without --session');
    const { daemon, env, signal, readStdin } = context;
    const { positionals } = args;
    if (positionals.length === 0) throw new UsageError('send needs INPUT');
    const isStdin = positionals.length === 1 && positionals[0] === '-';
    const echo = args.text('echo') === 'keep' ? 'keep' : 'strip';
    const input = toInput('line.send', {
      input: isStdin ? await readStdin(MAX_INPUT_CHARS) : positionals.join(' '),
      ...toWaitInput(args),
      raw: args.flag('raw'),
      paste: args.flag('paste'),
      confirm: args.flag('confirm'),
      dryRun: args.flag('dry-run'),
      echo,
    });
    const target = toTarget(args, env);
    await using client = await daemon.connectOrStart(target);
    const result = await client.request('line.send', input, { signal });
    return 'dryRun' in result ? renderDryRun(result) : renderOutcome(result);
  },
};
