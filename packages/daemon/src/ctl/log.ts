/** `log`: the output of the line from some place on, as far back as is kept; for pipes and pagers. */
import type { Command } from './command.ts';
import { PAST_OPTIONS, printPast } from './past.ts';
import { LINE } from './subject.ts';

export const logCommand: Command = {
  name: 'log',
  summary: 'Print the output from some place on, as far back as is kept',
  positionals: [],
  options: PAST_OPTIONS,
  examples: [
    ['log -n 50', 'the newest 50 lines'],
    ['log --since 2h | less', 'of the last two hours'],
    ['log -n 20 --follow', 'and on from there'],
    ['log --from 51200 --json | jq -c .', 'with times, inputs and marks, one object a line'],
  ],
  run: (args, context) => printPast(args, context, LINE),
};
