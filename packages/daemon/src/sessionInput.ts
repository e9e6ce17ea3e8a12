/**
 * What goes to a program: somebody's input, and the answers of its terminal, one behind the other. Which of the bytes that the
 * system takes were which is told here.
 */
import type { ProcessHandle } from './io/process/processHandle.ts';

/** Answers of a terminal that may wait for a program that does not read, in bytes. */
export const ANSWERS_LIMIT = 65_536;

export class SessionInputs {
  readonly #isPty: boolean;
  readonly #ledger = new InputLedger();
  #handle: ProcessHandle | undefined;

  constructor(isPty: boolean) {
    this.#isPty = isPty;
  }

  /** From now on there is a program; what was written before is lost. */
  begin(handle: ProcessHandle): void {
    this.#handle = handle;
  }

  /** Somebody's input. */
  write(bytes: Uint8Array): void {
    this.#write(bytes, true);
  }

  /** What the terminal answers, unless so much of that waits already. */
  answer(bytes: Uint8Array): void {
    if (this.#ledger.hasRoomFor(bytes.length)) this.#write(bytes, false);
  }

  /** End of input, behind all that was written. */
  end(): void {
    // On a terminal it is one byte, which somebody's input is not.
    if (this.#isPty) this.#ledger.wrote(1, false);
    this.#handle?.closeInput();
  }

  /** The system took so many bytes more; returns how many of them were somebody's input. */
  written(bytes: number): number {
    return this.#ledger.written(bytes);
  }

  #write(bytes: Uint8Array, isData: boolean): void {
    if (this.#handle?.write(bytes).kind === 'queued') this.#ledger.wrote(bytes.length, isData);
  }
}

export class InputLedger {
  #pieces: { bytes: number; readonly isData: boolean }[] = [];
  #answerBytes = 0;

  /** Whether the terminal may answer so much more now. */
  hasRoomFor(answerBytes: number): boolean {
    return this.#answerBytes + answerBytes <= ANSWERS_LIMIT;
  }

  wrote(bytes: number, isData: boolean): void {
    this.#pieces.push({ bytes, isData });
    if (!isData) this.#answerBytes += bytes;
  }

  /** The system took so many bytes more; returns how many of them were somebody's input. */
  written(bytes: number): number {
    let data = 0;
    for (let left = bytes; left > 0; ) {
      const piece = this.#pieces[0];
      if (piece === undefined) break;
      const taken = Math.min(left, piece.bytes);
      left -= taken;
      piece.bytes -= taken;
      if (piece.bytes === 0) this.#pieces.shift();
      if (piece.isData) data += taken;
      else this.#answerBytes -= taken;
    }
    return data;
  }
}
