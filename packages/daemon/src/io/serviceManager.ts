/**
 * Talks to the service manager that started us (sd_notify(3)): ready, reloading, stopping, still alive. Node has no datagram
 * sockets, so the `systemd-notify` program carries the messages; `--no-block`, because nothing here may wait for it.
 * Without `NOTIFY_SOCKET` (launchd, a shell, a client that started us) everything is a no-op.
 */
import { spawn } from 'node:child_process';

/** Three pings fit into the watchdog's time, so that two may be late before it strikes (sd_watchdog_enabled(3)). */
const PINGS_PER_WATCHDOG = 3;

export interface ServiceManagerOptions {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Told once when messages cannot be sent; the service manager will give up waiting for them. */
  readonly onFault: (error: Error) => void;
  /** Carries one message, for tests. Default: the `systemd-notify` program. */
  readonly carry?: Carry | undefined;
}

/** Starts to carry the assignments and returns; a fault is reported later. */
export type Carry = (assignments: readonly string[], onFault: (error: Error) => void) => void;

export class ServiceManager implements Disposable {
  readonly #options: ServiceManagerOptions;
  readonly #isThere: boolean;
  #timer: NodeJS.Timeout | undefined;
  #hasFailed = false;

  constructor(options: ServiceManagerOptions) {
    this.#options = options;
    this.#isThere = Boolean(options.env['NOTIFY_SOCKET']);
  }

  /**
   * Serving. From now on the watchdog is fed from the main loop: a loop that hangs is to be noticed. Each ping repeats READY=1,
   * which changes nothing: a message is lost when its carrier has ended before the manager has looked up whose child it was.
   */
  ready(): void {
    this.#notify('READY=1');
    const pingMs = toPingMs(this.#options.env['WATCHDOG_USEC']);
    if (!this.#isThere || pingMs === undefined || this.#timer !== undefined) return;
    this.#timer = setInterval(() => this.#notify('READY=1', 'WATCHDOG=1'), pingMs).unref();
  }

  /** Configuration is being read again; `ready` ends it. `nowUs`: the system's monotonic clock, in µs. */
  reloading(nowUs: bigint = process.hrtime.bigint() / 1_000n): void {
    this.#notify('RELOADING=1', `MONOTONIC_USEC=${nowUs}`);
  }

  /** A successor has taken over; the unit's main process is that one now. */
  mainPid(pid: number): void {
    this.#notify(`MAINPID=${pid}`);
  }

  /** On the way out: the time for stopping counts from here. */
  stopping(): void {
    this[Symbol.dispose]();
    this.#notify('STOPPING=1');
  }

  [Symbol.dispose](): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  #notify(...assignments: readonly string[]): void {
    if (!this.#isThere) return;
    const carry = this.#options.carry ?? carryBySystemdNotify;
    carry(assignments, (error) => {
      if (this.#hasFailed) return;
      this.#hasFailed = true;
      this.#options.onFault(error);
    });
  }
}

/**
 * Time between two pings, in ms, of systemd's `WATCHDOG_USEC`; undefined without a watchdog. `WATCHDOG_PID` is not looked at:
 * it names the process that systemd started, and a successor has to go on feeding in its place.
 */
export function toPingMs(watchdogUsec: string | undefined): number | undefined {
  if (watchdogUsec === undefined || !/^\d{1,15}$/.test(watchdogUsec)) return undefined;
  const ms = Math.floor(Number(watchdogUsec) / 1_000 / PINGS_PER_WATCHDOG);
  return ms >= 1 ? Math.min(ms, MAX_PING_MS) : undefined;
}

/** A longer timer of Node fires at once; far above any watchdog that makes sense. */
const MAX_PING_MS = 2 ** 31 - 1;

/** Detached: a message that is on its way must not die with a signal to our process group. */
const carryBySystemdNotify: Carry = (assignments, onFault) => {
  const child = spawn('systemd-notify', ['--no-block', ...assignments], { stdio: 'ignore', detached: true });
  child.once('error', onFault);
  child.once('exit', (code) => {
    if (code !== 0 && code !== null) onFault(new Error(`systemd-notify ended with ${code}`));
  });
  child.unref();
};
