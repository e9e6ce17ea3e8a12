/** All that went over a fake line, for as long as it may take: the line itself forgets its oldest events. */
import type { LineEvent } from '@pidp10/fakeline';

const IAC = 0xff;

export class LineTap {
  readonly #received: Buffer[] = [];
  readonly #sent: Buffer[] = [];
  #receivedBytes = 0;
  #sentBytes = 0;

  readonly handle = ({ kind, bytes }: LineEvent): void => {
    if (bytes === undefined) return;
    if (kind === 'received') {
      this.#received.push(bytes);
      this.#receivedBytes += bytes.length;
    } else if (kind === 'sent') {
      this.#sent.push(bytes);
      this.#sentBytes += bytes.length;
    }
  };

  get receivedBytes(): number {
    return this.#receivedBytes;
  }

  get sentBytes(): number {
    return this.#sentBytes;
  }

  /** What was typed since `from`, a place among the bytes; without the probes of telnet, IAC and one byte. */
  typed(from: number): Buffer {
    const bytes = Buffer.concat(this.#received).subarray(from);
    const kept = [...bytes].filter((byte, at) => byte !== IAC && bytes[at - 1] !== IAC);
    return Buffer.from(kept);
  }

  /** The newest of what the line said. */
  saidLast(bytes: number): Buffer {
    return Buffer.concat(this.#sent).subarray(this.#sentBytes - bytes);
  }

  /** Whether this was typed since `from`. */
  hasTyped(text: string, from: number): boolean {
    let at = this.#receivedBytes;
    const newest: Buffer[] = [];
    for (let index = this.#received.length - 1; index >= 0 && at > from; index -= 1) {
      const piece = this.#received[index] ?? Buffer.alloc(0);
      at -= piece.length;
      newest.unshift(piece);
    }
    return Buffer.concat(newest).toString('latin1').includes(text);
  }
}
