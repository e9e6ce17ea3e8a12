/** Whose characters are without their echo, and of how many of each send the echo came. */

type Chars = readonly [id: string, chars: number];

export interface EchoLedgerSnapshot {
  /** Sends whose characters are without their echo, in order, and how many. */
  readonly outstanding: readonly Chars[];
  readonly echoed: readonly Chars[];
}

export class EchoLedger {
  #outstanding: Chars[];
  readonly #echoed: Map<string, number>;

  constructor(snapshot?: EchoLedgerSnapshot) {
    this.#outstanding = [...(snapshot?.outstanding ?? [])];
    this.#echoed = new Map(snapshot?.echoed);
  }

  /** Characters of a send whose echo came. */
  echoed(id: string): number {
    return this.#echoed.get(id) ?? 0;
  }

  /** Nobody asks for the figures of this send any more. */
  release(id: string): void {
    this.#echoed.delete(id);
  }

  note(id: string, chars: number): void {
    const last = this.#outstanding.at(-1);
    if (last?.[0] === id) this.#outstanding[this.#outstanding.length - 1] = [id, last[1] + chars];
    else this.#outstanding.push([id, chars]);
  }

  /** `chars` of the oldest ones are accounted for; `isSeen`: by their echo. */
  settle(chars: number, isSeen: boolean): void {
    let left = chars;
    while (left > 0) {
      const head = this.#outstanding[0];
      if (head === undefined) return;
      const [id, outstanding] = head;
      const taken = Math.min(left, outstanding);
      left -= taken;
      if (isSeen) this.#echoed.set(id, this.echoed(id) + taken);
      if (taken === outstanding) this.#outstanding.shift();
      else this.#outstanding[0] = [id, outstanding - taken];
    }
  }

  /** Nothing is waited for any longer. */
  forget(): void {
    this.#outstanding = [];
  }

  snapshot(): EchoLedgerSnapshot {
    return { outstanding: [...this.#outstanding], echoed: [...this.#echoed] };
  }
}
