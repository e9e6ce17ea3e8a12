/** The daemon as a process: configuration, signals, exit codes. */
import { homedir } from 'node:os';
import { type Config, ConfigError, EXIT_CONFIG, readConfig } from './config.ts';
import { AlreadyRunning, startDaemon } from './daemon.ts';
import { createLog } from './io/log.ts';
import { PlaceError } from './io/unixListener.ts';
import { VERSION } from './version.ts';

/** Stopping takes at most so long, in ms, whatever clients do. */
const STOP_PATIENCE_MS = 1_500;

/** Runs until a signal or a client ends it; resolves with the exit code. */
export async function main(argv: readonly string[]): Promise<number> {
  let config: Config;
  try {
    const { env, platform } = process;
    config = readConfig({
      argv,
      env,
      platform,
      uid: process.getuid?.(),
      homedir: homedir(),
      version: VERSION,
    });
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    process.stderr.write(`pidp10d: ${error.message}\n`);
    return EXIT_CONFIG;
  }
  const log = createLog(config.logLevel, config.paths.name);
  const signalled = nextSignal();
  // A hang-up is no reason to touch the line, wherever it comes from.
  process.on('SIGHUP', () => log.info('SIGHUP ignored'));
  try {
    const daemon = await startDaemon(config, log);
    const { fault, isFaulty } = nextFault();
    const reason = await Promise.race([signalled, daemon.stopped.then(() => 'shutdown'), fault]);
    log.info({ reason }, 'stopping');
    // Unref'd: it must not keep alive a process that has nothing left to do.
    setTimeout(() => process.exit(isFaulty() ? 1 : 0), STOP_PATIENCE_MS).unref();
    await daemon[Symbol.asyncDispose]();
    return isFaulty() ? 1 : 0;
  } catch (error) {
    if (error instanceof AlreadyRunning) {
      log.info(error.message);
      return 0;
    }
    log.fatal({ err: error }, error instanceof Error ? error.message : 'start failed');
    return error instanceof PlaceError ? EXIT_CONFIG : 1;
  }

  function nextFault(): { fault: Promise<string>; isFaulty: () => boolean } {
    let hasFault = false;
    const fault = new Promise<string>((resolve) => {
      // Whatever went wrong, the line is left in order: a dead client would hold it on the far side.
      process.on('uncaughtException', (error) => {
        hasFault = true;
        log.fatal({ err: error }, 'uncaught exception');
        resolve('fault');
      });
    });
    return { fault, isFaulty: () => hasFault };
  }
}

function nextSignal(): Promise<string> {
  return new Promise((resolve) => {
    for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => resolve(signal));
  });
}
