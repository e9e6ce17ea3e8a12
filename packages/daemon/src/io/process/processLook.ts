/**
 * One look at the table of processes, with the environments that somebody asked for in it. Reading all of /proc takes some
 * milliseconds, and as long again for the environments: whoever asks in the same turn of the loop shares one look, so that
 * stopping all sessions at once costs as much as stopping one (I18).
 */
import { listProcesses, type ProcessInfo, readEnvironment } from './processTable.ts';

export class ProcessLook {
  readonly processes: readonly ProcessInfo[];
  readonly #environments = new Map<number, ReadonlySet<string>>();

  constructor(processes: readonly ProcessInfo[] = listProcesses()) {
    this.processes = processes;
  }

  /** Whether the environment that the process was started with holds `entry` (`NAME=value`); false where nobody tells. */
  startedWith(pid: number, entry: string): boolean {
    const known = this.#environments.get(pid) ?? readEnvironment(pid);
    this.#environments.set(pid, known);
    return known.has(entry);
  }
}

export class SharedLook {
  readonly #look: () => ProcessLook;
  #current: ProcessLook | undefined;

  constructor(look = () => new ProcessLook()) {
    this.#look = look;
  }

  /** The look of this turn of the loop. `isNew`: nothing can have happened since it was taken. */
  take(): { readonly look: ProcessLook; readonly isNew: boolean } {
    if (this.#current !== undefined) return { look: this.#current, isNew: false };
    this.#current = this.#look();
    setImmediate(() => this.forget()).unref();
    return { look: this.#current, isNew: true };
  }

  /** Who asks next needs a new one: a process has begun that was not there. */
  forget(): void {
    this.#current = undefined;
  }
}

/** Of this process; there is but one table. */
export const sharedLook = new SharedLook();
