/** Starts the command. ^C, SIGTERM and SIGHUP cancel what is under way; a second one ends at once. */
import { homedir } from 'node:os';
import { listenForEnd } from '../ctl/endSignals.ts';
import { run } from '../ctl/run.ts';

const { signal, toExitCode } = listenForEnd(process);
// A reader that has seen enough (`| head`) is no fault; there is nothing more to write after it.
process.stdout.on('error', () => {});
process.stderr.on('error', () => {});

const code = await run(process.argv.slice(2), {
  env: process.env,
  cwd: process.cwd(),
  platform: process.platform,
  homedir: homedir(),
  uid: process.getuid?.(),
  stdin: process.stdin,
  stdout: process.stdout,
  stderr: process.stderr,
  signal,
});
process.exitCode = toExitCode(code);
