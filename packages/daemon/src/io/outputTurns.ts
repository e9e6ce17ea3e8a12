/**
 * Turns of programs that flood: each is read for a slice, then waits until the others and everything else had their turn, so that
 * no program starves the line or another one (I18). Nothing is lost; a program whose output waits is stopped by the system.
 */

/** Output of one program that is taken before it waits for its next turn, in bytes: a millisecond's work. */
export const SLICE_BYTES = 65_536;
/** Programs that are read in one turn of the event loop: with their slices some milliseconds. */
export const TURN_PROGRAMS = 4;

export interface Pausable {
  pauseOutput(): void;
  resumeOutput(): void;
}

export class OutputTurns {
  readonly #waiting: Pausable[] = [];
  #isScheduled = false;

  /** Stops reading the program's output until its next turn. */
  wait(program: Pausable): void {
    program.pauseOutput();
    this.#waiting.push(program);
    this.#schedule();
  }

  #schedule(): void {
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    setImmediate(() => {
      this.#isScheduled = false;
      for (const program of this.#waiting.splice(0, TURN_PROGRAMS)) program.resumeOutput();
      if (this.#waiting.length > 0) this.#schedule();
    });
  }
}

/** One program's way through the turns. */
export class OutputMeter {
  readonly #turns: OutputTurns;
  readonly #program: Pausable;
  #sliceBytes = 0;

  constructor(turns: OutputTurns, program: Pausable) {
    this.#turns = turns;
    this.#program = program;
  }

  /** So many bytes were taken. */
  took(bytes: number): void {
    const isOver = this.#sliceBytes >= SLICE_BYTES; // waits already
    this.#sliceBytes += bytes;
    if (isOver || this.#sliceBytes < SLICE_BYTES) return;
    this.#turns.wait({
      pauseOutput: () => this.#program.pauseOutput(),
      resumeOutput: () => {
        this.#sliceBytes = 0;
        this.#program.resumeOutput();
      },
    });
  }
}
