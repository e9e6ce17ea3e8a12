/** `service`: pidp10d as a service of systemd or launchd. The work is loaded when it is asked for: other commands start faster. */
import { type Command, UsageError } from './command.ts';
import { SPAWN_OPTIONS } from './options.ts';

export const serviceCommand: Command = {
  name: 'service',
  summary: 'Install, remove or show the daemon as a service; ACTION is install, uninstall or status',
  positionals: [{ name: 'action', isRequired: true }],
  options: {
    user: { type: 'boolean', describe: 'A service of yours (default)' },
    system: { type: 'boolean', describe: 'A service of the system, from boot on; needs root' },
    'run-as': {
      type: 'string',
      describe: 'User whose line a system service holds (default: who called sudo)',
    },
    'dry-run': { type: 'boolean', describe: 'Print the unit and what would be done, do nothing' },
    force: { type: 'boolean', describe: 'Replace files that pidp10ctl did not write, keeping them' },
    root: {
      type: 'string',
      describe: 'Put the files below this folder instead of /, run nothing; for packagers',
    },
    ...SPAWN_OPTIONS,
  },
  examples: [
    ['service install --host localhost', 'on the PiDP-10 itself, as you'],
    ['service install --name vt05 --port 10017', 'a second line'],
    ['service install --system --dry-run', 'what it would do for the whole system'],
    ['service status', 'state, and whether what runs is what is installed'],
  ],
  async run(args, context) {
    const [action] = args.positionals;
    switch (action) {
      case 'install':
        return (await import('./service/install.ts')).install(args, context);
      case 'uninstall':
        return (await import('./service/uninstall.ts')).uninstall(args, context);
      case 'status':
        return (await import('./service/status.ts')).status(args, context);
      default:
        throw new UsageError(`service takes install, uninstall or status, found "${action}"`);
    }
  },
};
