/** The daemon as a process: configuration, signals, exit codes. */
import { homedir } from 'node:os';
import { join } from 'node:path';
import { type Config, ConfigError, EXIT_CONFIG, readConfig } from './config.ts';
import { AlreadyRunning, startDaemon } from './daemon.ts';
import { inherit } from './io/handover.ts';
import { createLog } from './io/log.ts';
import { ServiceManager } from './io/serviceManager.ts';
import { forgetStarts, isUnderLaunchd, noteStart } from './io/startCount.ts';
import { PlaceError } from './io/unixListener.ts';
import { Takeover } from './upgrade.ts';
import { VERSION } from './version.ts';

/** Stopping takes at most so long, in ms, whatever clients and commands do: these have a grace before they are killed. */
const STOP_PATIENCE_MS = 5_000;

/** Runs until a signal or a client ends it; resolves with the exit code. */
export async function main(argv: readonly string[]): Promise<number> {
  const code = await serve(argv);
  // launchd has no code for "do not try again" but 0.
  return code === EXIT_CONFIG && isUnderLaunchd(process.env) ? 0 : code;
}

async function serve(argv: readonly string[]): Promise<number> {
  const read = () => {
    const { env, platform } = process;
    return readConfig({ argv, env, platform, uid: process.getuid?.(), homedir: homedir(), version: VERSION });
  };
  let config: Config;
  try {
    config = read();
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    process.stderr.write(`pidp10d: ${error.message}\n`);
    return EXIT_CONFIG;
  }
  const log = createLog(config.logLevel, config.paths.name);
  const starts = join(config.paths.stateDir, `${config.paths.name}.starts`);
  if (isUnderLaunchd(process.env) && !noteStart(starts, Date.now())) {
    log.fatal(`too many starts without a clean end; mend what the log says, remove ${starts}, start again`);
    return 0;
  }
  using manager = new ServiceManager({
    env: process.env,
    onFault: (error) => log.warn({ err: error }, 'the service manager cannot be told'),
  });
  const signalled = nextSignal();
  // A hang-up is no reason to touch the line, wherever it comes from (CONTRACT 4).
  let reload = () => log.info('SIGHUP: the start is not over yet');
  process.on('SIGHUP', () => reload());
  try {
    const inherited = inherit(process.env);
    const daemon = await startDaemon(config, log, inherited && new Takeover(inherited));
    manager.ready();
    reload = () => {
      manager.reloading();
      try {
        daemon.reload(read());
      } catch (error) {
        log.error({ err: error }, 'the configuration is wrong; the old one stands');
      }
      manager.ready();
    };
    process.on('SIGUSR2', () => {
      daemon.upgrade().catch((error: unknown) => log.error({ err: error }, 'upgrade'));
    });
    const { fault, isFaulty } = nextFault();
    const reason = await Promise.race([
      signalled,
      daemon.stopped.then(() => 'shutdown'),
      daemon.replaced.then((pid) => {
        manager.mainPid(pid);
        return 'replaced';
      }),
      fault,
    ]);
    log.info({ reason }, 'stopping');
    // Everything is the successor's now; whatever is released here would be released under its hands.
    if (reason === 'replaced') return 0;
    manager.stopping();
    if (!isFaulty() && isUnderLaunchd(process.env)) forgetStarts(starts);
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
