/** `doctor`: finds out what is wrong, without touching a line that is in use. */
import type { Command } from './command.ts';
import { SPAWN_OPTIONS } from './options.ts';

export const doctorCommand: Command = {
  name: 'doctor',
  summary:
    'Look at everything a daemon depends on, say what is wrong and what to do; exit code 1 if something failed',
  positionals: [],
  options: {
    connect: {
      type: 'boolean',
      describe: 'Also make one connection to the line, if nobody holds it, and reset it',
    },
    repair: { type: 'boolean', describe: 'Write the service unit again if its paths are gone' },
    'pidp10-dir': { type: 'string', describe: 'Where the PiDP-10 is installed (default /opt/pidp10)' },
    ...SPAWN_OPTIONS,
  },
  examples: [
    ['doctor', 'a line for each finding'],
    ['doctor --connect --host pidp10.local', 'does the line answer?'],
    ['doctor --json', '{"checks": [{"id", "verdict", "text", "remedy"}, ...]}'],
  ],
  run: async (args, context) => (await import('./doctor/doctor.ts')).doctor(args, context),
};
