/**
 * What goes into the disk queue of one stream when the disk does not keep up: all of it until `limitBytes` wait, then
 * nothing until the queue has shrunk to half, so that the disk gets a few long stretches and not thousands of crumbs.
 * What was left out is a gap of exact size.
 */

/** Bytes of one stream that wait for the disk or for a sync: over ten minutes of a line at 9600 baud (CONTRACT 5). */
export const QUEUE_BYTES = 8 * 1024 * 1024;

export interface Gap {
  readonly from: number;
  readonly to: number;
  readonly fromWallMs: number;
  readonly toWallMs: number;
}

export interface IntakeSnapshot {
  /** Where the open gap began. */
  readonly gap?: { readonly from: number; readonly fromWallMs: number };
}

export interface Taken {
  /** How many of the bytes, from the first on, go into the queue. */
  readonly accepted: number;
  /** A gap that ended right before these bytes. */
  readonly closed?: Gap;
}

export class Intake {
  readonly #limitBytes: number;
  #gap: { readonly from: number; readonly fromWallMs: number } | undefined;

  constructor(limitBytes: number, snapshot?: IntakeSnapshot) {
    this.#limitBytes = limitBytes;
    this.#gap = snapshot?.gap;
  }

  /** Offset at which the open gap began. */
  get gapFrom(): number | undefined {
    return this.#gap?.from;
  }

  /** Decides about `bytes` that come at `offset` while `queuedBytes` wait. */
  take(offset: number, bytes: number, queuedBytes: number, wallMs: number): Taken {
    if (this.#gap !== undefined && queuedBytes > this.#limitBytes / 2) return { accepted: 0 };
    const closed = this.close(offset, wallMs);
    const accepted = Math.min(bytes, Math.max(this.#limitBytes - queuedBytes, 0));
    if (accepted < bytes) this.#gap = { from: offset + accepted, fromWallMs: wallMs };
    return closed === undefined ? { accepted } : { accepted, closed };
  }

  /** Ends the open gap at `to`. */
  close(to: number, wallMs: number): Gap | undefined {
    const gap = this.#gap;
    this.#gap = undefined;
    return gap === undefined ? undefined : { ...gap, to, toWallMs: wallMs };
  }

  snapshot(): IntakeSnapshot {
    return this.#gap === undefined ? {} : { gap: this.#gap };
  }
}
