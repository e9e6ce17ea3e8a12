/** Filler text without end, at a rate or as fast as TCP takes it. */

import { performance } from 'node:perf_hooks';
import type { Transmitter } from './transmitter.ts';

const LINE = 'The quick brown fox jumps over the lazy dog 0123456789 ABCDEFGHIJ.\r\n\x1bK';
/** Bytes a write when there is no rate: enough to be limited by TCP and not by us. */
const BLOCK = Buffer.from(LINE.repeat(Math.ceil(65_536 / LINE.length)));
const TICK_MS = 10;

export class Flood {
  readonly #transmitter: Transmitter;
  readonly #bytesPerSecond: number | undefined;
  readonly #startedMs = performance.now();
  #sentBytes = 0;
  #timer: NodeJS.Timeout | NodeJS.Immediate | undefined;
  #isStopped = false;

  /** `rate`: bytes per second as text; `max` or nothing for as fast as it goes. */
  constructor(transmitter: Transmitter, rate: string) {
    const number = Number(rate);
    this.#bytesPerSecond = rate === '' || !Number.isFinite(number) ? undefined : number;
    this.#transmitter = transmitter;
    this.pour();
  }

  /** Sends what is due; called by the timer and when the transmitter has room again. */
  pour(): void {
    if (this.#isStopped || !this.#transmitter.hasRoom || this.#timer !== undefined) return;
    if (this.#bytesPerSecond === undefined) {
      this.#timer = setImmediate(() => this.#again());
      this.#transmitter.send(BLOCK, false);
      return;
    }
    const elapsedMs = performance.now() - this.#startedMs;
    const due = Math.floor((elapsedMs * this.#bytesPerSecond) / 1000) - this.#sentBytes;
    this.#timer = setTimeout(() => this.#again(), TICK_MS);
    if (due <= 0) return;
    const from = this.#sentBytes % LINE.length;
    const bytes = BLOCK.subarray(from, from + due);
    this.#sentBytes += bytes.length;
    this.#transmitter.send(bytes, false);
  }

  stop(): void {
    this.#isStopped = true;
    clearTimeout(this.#timer as NodeJS.Timeout);
    clearImmediate(this.#timer as NodeJS.Immediate);
  }

  #again(): void {
    this.#timer = undefined;
    this.pour();
  }
}
