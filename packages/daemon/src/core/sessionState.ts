/**
 * Life of a command session: running, stopping, exited; and the procedure that stops it, which may go on behind the exit, because
 * descendants may have stayed (P08).
 *
 * Stopping: everybody of the session is asked to end (SIGTERM; on a terminal SIGHUP first, which is what an interactive shell
 * obeys; SIGCONT, else who is stopped never hears it). Who is there when the grace is over is killed, again at every look, until
 * nobody is left or it is given up; then those left are listed.
 */

/** Grace between asking and killing by default, in ms, so that a stop is over within five seconds (P07). */
export const STOP_GRACE_MS = 3_000;
/** Longest grace that can be asked for, in ms. */
export const STOP_GRACE_LIMIT_MS = 600_000;
/** Time for the system to carry a SIGKILL out, in ms; a process in an uninterruptible call outlasts it. */
export const KILL_PATIENCE_MS = 1_500;
/** Between two looks at who is left, in ms. */
export const LOOK_MS = 100;
/** Output still open so long behind the exit, in ms, is held open by descendants (P13). */
export const HELD_AFTER_MS = 200;

/** After so many looks that found nobody it is held by somebody whom we cannot see. */
export const VAIN_LOOKS_LIMIT = 10;

export type SessionLife = 'running' | 'stopping' | 'exited';
export type SessionStream = 'out' | 'err';

/** A process of the session. */
export interface Member {
  readonly pid: number;
  readonly name: string;
}

export interface SessionExit {
  readonly code?: number;
  readonly signal?: string;
}

/** Why it is or was being stopped. */
export type StopCause = 'asked' | 'timeout' | 'shutdown';

export type SessionInput =
  /** `graceMs`: 0 to STOP_GRACE_LIMIT_MS; 0 kills at once. A second stop shortens the grace, and never lengthens it. */
  | { readonly kind: 'stop'; readonly graceMs?: number; readonly cause?: StopCause }
  | { readonly kind: 'exit'; readonly exit: SessionExit }
  | { readonly kind: 'streamEnd'; readonly stream: SessionStream }
  /** The answer to `look`, and what `signal` found: who is alive, zombies not counted. */
  | { readonly kind: 'members'; readonly alive: readonly Member[] }
  | { readonly kind: 'tick' };

export type SessionEffect =
  /** Signal everybody of the session, in this order. */
  | { readonly kind: 'signal'; readonly signals: readonly SessionSignal[] }
  /** Look who is alive and give it back as `members`. */
  | { readonly kind: 'look' }
  /** Announce the exit. */
  | { readonly kind: 'exited'; readonly exit: SessionExit }
  /** Announce that descendants hold these streams open. */
  | { readonly kind: 'outputHeld'; readonly streams: readonly SessionStream[] }
  /** All output has come. */
  | { readonly kind: 'outputEnded' }
  /** Everybody is gone, or `survivors` are left that a SIGKILL did not end. */
  | { readonly kind: 'stopped'; readonly survivors: readonly Member[] };

export type SessionSignal = 'SIGHUP' | 'SIGTERM' | 'SIGCONT' | 'SIGKILL';

type Stopping =
  | { readonly phase: 'none' }
  | { readonly phase: 'asking' | 'killing'; readonly deadlineMs: number; readonly lookMs: number }
  | { readonly phase: 'done' };

export interface SessionStateSnapshot {
  readonly isPty: boolean;
  readonly startedMs: number;
  /** When it is stopped because its time is over. */
  readonly timeoutMs: number | undefined;
  readonly exit: SessionExit | undefined;
  readonly exitedMs: number | undefined;
  readonly openStreams: readonly SessionStream[];
  /** When open output counts as held; undefined: not before the exit, or said already. */
  readonly heldMs: number | undefined;
  readonly isOutputHeld: boolean;
  /** It was asked who is there to hold it: a machine that is busy may only not have brought the rest of it yet. */
  readonly isHolderSought: boolean;
  /** Looks at who may hold it that found nobody. */
  readonly vainLooks: number;
  readonly stopping: Stopping;
  readonly cause: StopCause | undefined;
  readonly survivors: readonly Member[];
}

export interface SessionOptions {
  readonly isPty: boolean;
  readonly streams: readonly SessionStream[];
  readonly startedMs: number;
  /** Time that it may run, in ms. */
  readonly timeLimitMs?: number | undefined;
}

export class SessionState {
  #state: SessionStateSnapshot;

  /** A new session, or one that goes on from a snapshot. */
  constructor(from: SessionOptions | SessionStateSnapshot) {
    this.#state = 'stopping' in from ? from : initial(from);
  }

  snapshot(): SessionStateSnapshot {
    return this.#state;
  }

  get life(): SessionLife {
    if (this.#state.exit !== undefined) return 'exited';
    return this.#state.stopping.phase === 'none' ? 'running' : 'stopping';
  }

  get exit(): SessionExit | undefined {
    return this.#state.exit;
  }

  get isOutputEnded(): boolean {
    return this.#state.openStreams.length === 0;
  }

  /** Why it is or was being stopped, the first time. */
  get cause(): StopCause | undefined {
    return this.#state.cause;
  }

  get isOutputHeld(): boolean {
    return this.#state.isOutputHeld;
  }

  /** Who outlived the last stop. */
  get survivors(): readonly Member[] {
    return this.#state.survivors;
  }

  /** When to come back with a tick; undefined: nothing is due. */
  get nextDeadlineMs(): number | undefined {
    const { stopping, heldMs } = this.#state;
    const due = [heldMs, this.#timeoutMs];
    if ('deadlineMs' in stopping) due.push(stopping.deadlineMs, stopping.lookMs);
    const known = due.filter((ms) => ms !== undefined);
    return known.length === 0 ? undefined : Math.min(...known);
  }

  handle(input: SessionInput, nowMs: number): readonly SessionEffect[] {
    switch (input.kind) {
      case 'stop':
        return this.#stop(input.cause ?? 'asked', input.graceMs ?? STOP_GRACE_MS, nowMs);
      case 'exit':
        return this.#exit(input.exit, nowMs);
      case 'streamEnd':
        return this.#endStream(input.stream);
      case 'members':
        return this.#hear(input.alive, nowMs);
      case 'tick':
        return this.#tick(nowMs);
      default:
        return input satisfies never;
    }
  }

  /** The time limit holds for who runs and is not being stopped. */
  get #timeoutMs(): number | undefined {
    return this.life === 'running' ? this.#state.timeoutMs : undefined;
  }

  #stop(cause: StopCause, graceMs: number, nowMs: number): readonly SessionEffect[] {
    const { stopping } = this.#state;
    const grace = Math.min(Math.max(graceMs, 0), STOP_GRACE_LIMIT_MS);
    if (stopping.phase === 'killing') return [];
    if (stopping.phase === 'asking') {
      const deadlineMs = Math.min(stopping.deadlineMs, nowMs + grace);
      this.#set({ stopping: { ...stopping, deadlineMs } });
      return grace === 0 ? this.#tick(nowMs) : [];
    }
    this.#set({
      cause: this.#state.cause ?? cause,
      survivors: [],
      stopping: { phase: 'asking', deadlineMs: nowMs + grace, lookMs: nowMs + LOOK_MS },
    });
    if (grace === 0) return this.#tick(nowMs);
    const hangUp: readonly SessionSignal[] = this.#state.isPty ? ['SIGHUP'] : [];
    return [{ kind: 'signal', signals: [...hangUp, 'SIGTERM', 'SIGCONT'] }];
  }

  #exit(exit: SessionExit, nowMs: number): readonly SessionEffect[] {
    if (this.#state.exit !== undefined) return [];
    const heldMs = this.#state.openStreams.length > 0 ? nowMs + HELD_AFTER_MS : undefined;
    this.#set({ exit, exitedMs: nowMs, heldMs });
    const effects: SessionEffect[] = [{ kind: 'exited', exit }];
    if ('deadlineMs' in this.#state.stopping) effects.push({ kind: 'look' });
    return effects;
  }

  #endStream(stream: SessionStream): readonly SessionEffect[] {
    const { openStreams } = this.#state;
    const left = openStreams.filter((open) => open !== stream);
    if (left.length === openStreams.length) return [];
    this.#set({ openStreams: left });
    if (left.length > 0) return [];
    this.#set({ heldMs: undefined, isOutputHeld: false, isHolderSought: false });
    return [{ kind: 'outputEnded' }];
  }

  #hear(alive: readonly Member[], nowMs: number): readonly SessionEffect[] {
    return [...this.#hearHolders(alive, nowMs), ...this.#hearStopped(alive, nowMs)];
  }

  /** Output is held by somebody, or its end is only late. */
  #hearHolders(alive: readonly Member[], nowMs: number): readonly SessionEffect[] {
    const { isHolderSought, openStreams: streams, vainLooks } = this.#state;
    if (!isHolderSought) return [];
    const isOutputHeld = alive.length > 0 || vainLooks + 1 >= VAIN_LOOKS_LIMIT;
    this.#set({
      isHolderSought: false,
      vainLooks: vainLooks + 1,
      isOutputHeld,
      heldMs: isOutputHeld ? undefined : nowMs + HELD_AFTER_MS,
    });
    return isOutputHeld ? [{ kind: 'outputHeld', streams }] : [];
  }

  #hearStopped(alive: readonly Member[], nowMs: number): readonly SessionEffect[] {
    const { stopping, exit } = this.#state;
    if (!('deadlineMs' in stopping)) return [];
    // Who was killed and is not reaped yet is no longer alive, but not gone either (P09).
    if (alive.length === 0 && exit !== undefined) return this.#finish([]);
    if (stopping.phase === 'killing' && nowMs >= stopping.deadlineMs) return this.#finish(alive);
    return [];
  }

  #finish(survivors: readonly Member[]): readonly SessionEffect[] {
    this.#set({ survivors, stopping: { phase: 'done' } });
    return [{ kind: 'stopped', survivors }];
  }

  #tick(nowMs: number): readonly SessionEffect[] {
    const effects: SessionEffect[] = [];
    const { heldMs } = this.#state;
    if (heldMs !== undefined && nowMs >= heldMs) {
      this.#set({ heldMs: undefined, isHolderSought: true });
      effects.push({ kind: 'look' });
    }
    const timeoutMs = this.#timeoutMs;
    if (timeoutMs !== undefined && nowMs >= timeoutMs)
      return [...effects, ...this.#stop('timeout', STOP_GRACE_MS, nowMs)];
    return [...effects, ...this.#pursue(nowMs)];
  }

  #pursue(nowMs: number): readonly SessionEffect[] {
    const { stopping } = this.#state;
    if (!('deadlineMs' in stopping)) return [];
    const lookMs = nowMs + LOOK_MS;
    if (stopping.phase === 'asking' && nowMs >= stopping.deadlineMs) {
      this.#set({ stopping: { phase: 'killing', deadlineMs: nowMs + KILL_PATIENCE_MS, lookMs } });
      return [{ kind: 'signal', signals: ['SIGKILL'] }];
    }
    if (nowMs < stopping.lookMs && nowMs < stopping.deadlineMs) return [];
    this.#set({ stopping: { ...stopping, lookMs } });
    // Somebody may have begun a process between the look and the signal; the last look only counts.
    if (stopping.phase === 'asking' || nowMs >= stopping.deadlineMs) return [{ kind: 'look' }];
    return [{ kind: 'signal', signals: ['SIGKILL'] }, { kind: 'look' }];
  }

  #set(change: Partial<SessionStateSnapshot>): void {
    this.#state = { ...this.#state, ...change };
  }
}

function initial({ isPty, streams, startedMs, timeLimitMs }: SessionOptions): SessionStateSnapshot {
  return {
    isPty,
    startedMs,
    timeoutMs: timeLimitMs === undefined ? undefined : startedMs + timeLimitMs,
    exit: undefined,
    exitedMs: undefined,
    openStreams: streams,
    heldMs: undefined,
    isOutputHeld: false,
    isHolderSought: false,
    vainLooks: 0,
    stopping: { phase: 'none' },
    cause: undefined,
    survivors: [],
  };
}
