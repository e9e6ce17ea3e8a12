/** What the guest printed and the line has not sent yet: paced by the baud rate, held while nobody is connected. */

import { performance } from 'node:perf_hooks';
import type { Transmitter } from './transmitter.ts';

/** A typeout waits while this many bytes are still to go out (ITS buffers about that much per terminal). */
const ROOM_BYTES = 1024;
/** Bits a character on a serial line: start, eight, stop. */
const BITS_PER_CHAR = 10;
const TICK_MS = 5;

export class OutputQueue {
  readonly #bytesPerMs: number | undefined;
  readonly #line: () => Transmitter | undefined;
  #held = '';
  #waiter: (() => void) | undefined;
  #isFlushDue = false;
  #timer: NodeJS.Timeout | undefined;
  #immediate: NodeJS.Immediate | undefined;
  #isClosed = false;

  /** `baud` in bits per second, undefined for no limit; `line` is the way to the holder, if there is one. */
  constructor(baud: number | undefined, line: () => Transmitter | undefined) {
    this.#bytesPerMs = baud === undefined ? undefined : baud / BITS_PER_CHAR / 1000;
    this.#line = line;
  }

  /** Latin-1 text. What is printed in one turn goes out in one write, unless a fault cuts it. */
  print(text: string): void {
    this.#held += text;
    if (this.#isFlushDue) return;
    this.#isFlushDue = true;
    queueMicrotask(() => {
      this.#isFlushDue = false;
      this.flush();
    });
  }

  /** Drops what has not gone out: ^S and ^G do that to a typeout. */
  discard(): void {
    this.#held = '';
  }

  /** Calls back, once and later, when the line takes more; a second call replaces the first. */
  whenRoom(then: (() => void) | undefined): void {
    this.#waiter = then;
    this.flush();
  }

  flush(): void {
    if (this.#isClosed) return;
    const line = this.#line();
    if (line === undefined) return;
    if (this.#bytesPerMs === undefined) this.#send(line, this.#held.length);
    else if (this.#held !== '' && this.#timer === undefined) this.#tick(performance.now());
    this.#offerRoom(line);
  }

  close(): void {
    this.#isClosed = true;
    this.#waiter = undefined;
    clearTimeout(this.#timer);
    clearImmediate(this.#immediate);
  }

  #tick(fromMs: number): void {
    this.#timer = setTimeout(() => {
      const line = this.#line();
      const due = Math.floor((performance.now() - fromMs) * (this.#bytesPerMs ?? 0));
      // Sending can come back here by way of flush(); the timer still set keeps that from starting a second one.
      if (line !== undefined) this.#send(line, due);
      this.#timer = undefined;
      if (line === undefined || this.#isClosed) return;
      if (this.#held !== '') this.#tick(fromMs + due / (this.#bytesPerMs ?? 1));
      this.#offerRoom(line);
    }, TICK_MS);
  }

  #send(line: Transmitter, length: number): void {
    const text = this.#held.slice(0, length);
    this.#held = this.#held.slice(length);
    line.send(Buffer.from(text, 'latin1'));
  }

  #offerRoom(line: Transmitter): void {
    if (this.#waiter === undefined || this.#immediate !== undefined) return;
    if (this.#held.length >= ROOM_BYTES || !line.hasRoom) return;
    this.#immediate = setImmediate(() => {
      this.#immediate = undefined;
      const then = this.#waiter;
      this.#waiter = undefined;
      then?.();
    });
  }
}
