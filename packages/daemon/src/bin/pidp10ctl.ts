/** Starts the command. ^C cancels what is under way; a second one ends at once. */
import { homedir } from 'node:os';
import { run } from '../ctl/run.ts';

const interrupt = new AbortController();
process.once('SIGINT', () => interrupt.abort());
// A reader that has seen enough (`| head`) is no fault; there is nothing more to write after it.
process.stdout.on('error', () => {});
process.stderr.on('error', () => {});

process.exitCode = await run(process.argv.slice(2), {
  env: process.env,
  platform: process.platform,
  homedir: homedir(),
  uid: process.getuid?.(),
  stdin: process.stdin,
  stdout: process.stdout,
  stderr: process.stderr,
  signal: interrupt.signal,
});
