/** `bugreport`: what somebody who is to help has to know, in one file. */
import type { Command } from './command.ts';

export const bugreportCommand: Command = {
  name: 'bugreport',
  summary:
    'Write findings, versions, state, log and configuration, without secrets, into a file for a report',
  positionals: [],
  options: {
    output: {
      type: 'string',
      alias: 'o',
      describe: 'The file (default pidp10-bugreport-DATE.json here); never one that exists',
    },
    'with-scrollback': {
      type: 'boolean',
      describe: 'Also the newest output of the line, which may hold anything',
    },
  },
  examples: [['bugreport -o report.json', 'read it before you send it']],
  run: async (args, context) => (await import('./doctor/bugreport.ts')).bugreport(args, context),
};
