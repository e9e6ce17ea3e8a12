/** The way out of one connection: everything in order, in the pieces that the faults ask for, no faster than TCP takes it. */

import type { Socket } from 'node:net';
import type { Faults } from './faults.ts';
import { mulberry32 } from './random.ts';

export interface TransmitterHooks {
  /** Bytes handed to the socket. `isRecorded` is false for a flood. */
  readonly onSent: (bytes: Buffer, isRecorded: boolean) => void;
  /** Everything is out and the socket takes more. */
  readonly onRoom: () => void;
}

interface Piece {
  readonly bytes: Buffer;
  readonly isRecorded: boolean;
}

export class Transmitter {
  readonly #socket: Socket;
  readonly #faults: Faults;
  readonly #hooks: TransmitterHooks;
  readonly #queue: Piece[] = [];
  #isPumping = false;
  #mayWrite = true;
  #atEnd: (() => void) | undefined;
  #random: (() => number) | undefined;
  #timer: NodeJS.Timeout | undefined;

  constructor(socket: Socket, faults: Faults, hooks: TransmitterHooks) {
    this.#socket = socket;
    this.#faults = faults;
    this.#hooks = hooks;
    socket.on('drain', () => {
      this.#mayWrite = true;
      this.#pump();
    });
    socket.once('close', () => this.stop());
  }

  get hasRoom(): boolean {
    return this.#queue.length === 0 && this.#mayWrite;
  }

  send(bytes: Buffer, isRecorded = true): void {
    if (bytes.length === 0 || this.#atEnd !== undefined || this.#socket.destroyed) return;
    this.#queue.push({ bytes, isRecorded });
    const coalesceMs = this.#faults.number('coalesce', 50);
    if (coalesceMs === undefined) this.#pump();
    else this.#timer ??= setTimeout(() => this.#flushCoalesced(), coalesceMs);
  }

  /** Calls back when everything sent so far is handed to the socket; later sends are ignored. */
  finish(then: () => void): void {
    this.#atEnd = then;
    this.#pump();
  }

  stop(): void {
    clearTimeout(this.#timer);
    this.#queue.length = 0;
    this.#mayWrite = false;
  }

  #flushCoalesced(): void {
    this.#timer = undefined;
    const bytes = Buffer.concat(this.#queue.map((piece) => piece.bytes));
    const isRecorded = this.#queue.every((piece) => piece.isRecorded);
    this.#queue.splice(0, this.#queue.length, ...(bytes.length === 0 ? [] : [{ bytes, isRecorded }]));
    this.#pump();
  }

  #pump(): void {
    if (this.#isPumping) return;
    while (this.#mayWrite && !this.#socket.destroyed) {
      const piece = this.#queue.shift();
      if (piece === undefined) {
        this.#drained();
        return;
      }
      const length = this.#pieceLength(piece.bytes.length);
      this.#write(piece.bytes.subarray(0, length), piece.isRecorded);
      if (length === piece.bytes.length && !this.#cuts()) continue;
      if (length < piece.bytes.length) {
        this.#queue.unshift({ bytes: piece.bytes.subarray(length), isRecorded: piece.isRecorded });
      }
      // A turn of the event loop between the pieces, so that the peer can see them one by one.
      this.#isPumping = true;
      setImmediate(() => {
        this.#isPumping = false;
        this.#pump();
      });
      return;
    }
  }

  #drained(): void {
    const then = this.#atEnd;
    if (then === undefined) {
      this.#hooks.onRoom();
      return;
    }
    this.#atEnd = () => {};
    then();
  }

  #write(bytes: Buffer, isRecorded: boolean): void {
    this.#mayWrite = this.#socket.write(bytes);
    this.#hooks.onSent(bytes, isRecorded);
  }

  #cuts(): boolean {
    return this.#faults.has('byte-at-a-time') || this.#faults.has('split');
  }

  #pieceLength(length: number): number {
    if (this.#faults.has('byte-at-a-time')) return 1;
    const seed = this.#faults.number('split', 1);
    if (seed === undefined) return length;
    this.#random ??= mulberry32(seed);
    return 1 + Math.floor(this.#random() * length);
  }
}
