/** Whether everything reaches the disk, told once per change. */
import type { StorageStatus } from './journalOptions.ts';
import type { SegmentWriter } from './segmentWriter.ts';

export class StorageWatch {
  readonly #writers: () => readonly SegmentWriter[];
  readonly #onStorage: ((status: StorageStatus) => void) | undefined;
  #quotaFault: string | undefined;
  #told = 'ok';

  constructor(
    writers: () => readonly SegmentWriter[],
    onStorage: ((status: StorageStatus) => void) | undefined,
  ) {
    this.#writers = writers;
    this.#onStorage = onStorage;
  }

  get status(): StorageStatus {
    const fault = this.#writers().find((writer) => writer.fault !== undefined)?.fault;
    if (fault !== undefined) {
      return { storage: 'degraded', detail: `${fault.operation} of ${fault.path} failed (${fault.code})` };
    }
    if (this.#quotaFault === undefined) return { storage: 'ok' };
    return { storage: 'degraded', detail: `old files cannot be deleted (${this.#quotaFault})` };
  }

  /** Undefined: old files could be deleted, or need not be. */
  setQuotaFault(fault: string | undefined): void {
    this.#quotaFault = fault;
    this.tell();
  }

  tell(): void {
    const status = this.status;
    const told = status.detail ?? status.storage;
    if (told === this.#told) return;
    this.#told = told;
    this.#onStorage?.(status);
  }
}
