/** Starts the command; ends it at SIGTERM or SIGINT. */

import { runCli } from '../cli.ts';

const result = await runCli(process.argv.slice(2), process);
if (result.kind === 'exit') {
  process.exitCode = result.code;
} else {
  const { close } = result;
  const stop = (): void => {
    void close().then(() => process.exit(0));
  };
  process.once('SIGTERM', stop);
  process.once('SIGINT', stop);
}
