/**
 * What each client typed, by its own account. An account says how many bytes of an input went out, or between how many: who
 * was killed in the middle cannot know.
 */
export interface Sending {
  readonly author: string;
  readonly bytes: Uint8Array;
  /** Bytes of it that went out, by its sender's account. */
  least: number;
  most: number;
  /** Keys of a person: each is its own call, and one that is refused leaves a gap. */
  readonly isKeys: boolean;
}

export class Ledger {
  readonly sendings: Sending[] = [];

  /** Notes an input that is about to be typed; its sender tells later what became of it. */
  begin(author: string, bytes: Uint8Array, { isKeys = false } = {}): Sending {
    const sending = { author, bytes, least: 0, most: bytes.length, isKeys };
    this.sendings.push(sending);
    return sending;
  }
}
