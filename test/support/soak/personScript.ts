/** A person at `pidp10ctl attach`, in a terminal of his own: takes the floor by force, types, and gives it back. */
import type { Fakeline } from '@pidp10/fakeline';
import type { Tmux } from '../tmux.ts';
import type { Chance } from './chance.ts';
import type { Figures } from './figures.ts';
import type { Ledger } from './ledger.ts';
import type { LineTap } from './lineTap.ts';

export interface PersonOptions {
  readonly tmux: Tmux;
  readonly line: Fakeline;
  readonly tap: LineTap;
  readonly chance: Chance;
  readonly ledger: Ledger;
  readonly figures: Figures;
}

/** As the record names it. */
export const PERSON = 'pidp10ctl';
const FORCE = '\x05cf';
const RELEASE = '\x05cr';
/** How long he looks whether his line has arrived. */
const LOOK_MS = 5_000;

export class PersonScript {
  readonly #options: PersonOptions;
  #serial = 0;

  constructor(options: PersonOptions) {
    this.#options = options;
  }

  async run(isOver: () => boolean): Promise<void> {
    const { chance, tmux } = this.#options;
    while (!isOver()) {
      await this.#look(chance.between(20, 1_500));
      await tmux.type(FORCE);
      if (await this.#hasFloor())
        for (let left = chance.between(1, 4); left > 0; left -= 1) await this.#type();
      await tmux.type(RELEASE);
    }
  }

  /** Watches until so many bytes more have come, or nothing happens. */
  async #look(bytes: number): Promise<void> {
    const { line, tap } = this.#options;
    const until = tap.sentBytes + bytes;
    await line
      .waitFor(() => tap.sentBytes >= until, { what: 'output', timeoutMs: LOOK_MS })
      .catch(() => undefined);
  }

  async #hasFloor(): Promise<boolean> {
    const { figures, tmux } = this.#options;
    const startMs = performance.now();
    while (performance.now() - startMs < LOOK_MS) {
      const last = (await tmux.rows()).at(-1) ?? '';
      if (last.startsWith('you have the floor')) {
        figures.took('force at attach', performance.now() - startMs, 0);
        figures.count('times the person took the floor');
        return true;
      }
    }
    figures.count('times the person did not see that he has the floor');
    return false;
  }

  async #type(): Promise<void> {
    const { chance, figures, ledger, line, tap, tmux } = this.#options;
    this.#serial += 1;
    const command =
      `:p${this.#serial.toString(36)} ${'abcdefg '.repeat(chance.between(0, 4)).trimEnd()}`.trimEnd();
    const keys = `${command}\r`;
    ledger.begin(PERSON, Buffer.from(keys), { isKeys: true });
    figures.count('lines typed at attach');
    const from = tap.receivedBytes;
    await tmux.type(keys);
    await line
      .waitFor(() => tap.hasTyped(keys, from), { what: keys, timeoutMs: LOOK_MS })
      .catch(() => figures.count('lines typed at attach that did not arrive whole at once'));
    if (!chance.oneIn(6)) return;
    ledger.begin(PERSON, Buffer.of(0x07), { isKeys: true });
    await tmux.type('\x07');
  }
}
