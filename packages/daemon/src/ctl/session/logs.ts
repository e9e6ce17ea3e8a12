/** `logs ID`: the output of a command session from some place on, as far back as is kept; for pipes and pagers. */
import type { Command } from '../command.ts';
import { PAST_OPTIONS, printPast } from '../past.ts';
import { toInput } from '../toInput.ts';

export const logsCommand: Command = {
  name: 'logs',
  summary: 'Print the output of a program from some place on, as far back as is kept',
  positionals: [{ name: 'id', isRequired: true }],
  options: {
    ...PAST_OPTIONS,
    follow: { type: 'boolean', alias: 'f', describe: 'Go on with what comes, to its end or until ^C' },
    stderr: { type: 'boolean', describe: 'Its errors, of a program that was run with --split-stderr' },
  },
  examples: [
    ['logs build | less', 'everything that is kept'],
    ['logs -f -n 20 build', 'the newest 20 lines, and on to the end'],
    ['logs --raw s3 > bytes', 'exactly as it came'],
  ],
  run(args, context) {
    const [session = ''] = args.positionals;
    toInput('session.status', { session }, { session: 'ID' });
    const stream = args.flag('stderr') ? 'err' : 'out';
    return printPast(args, context, { kind: 'session', session, stream });
  },
};
