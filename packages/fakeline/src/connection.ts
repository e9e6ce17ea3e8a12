/** One TCP connection to the multiplexer: taking its bytes at the guest's pace, sending, the ways it ends. */

import type { Socket } from 'node:net';
import type { EventLog, LineEvent } from './events.ts';
import type { Faults } from './faults.ts';
import { Flood } from './flood.ts';
import { TelnetInput } from './telnet.ts';
import { Transmitter } from './transmitter.ts';

export interface ConnectionOptions {
  readonly id: number;
  readonly log: EventLog;
  readonly faults: Faults;
  /** Characters per second taken from TCP; undefined for no limit. */
  readonly inputCps: number | undefined;
  readonly isTelnet: boolean;
  readonly onRoom: () => void;
  readonly onInput: (char: number) => void;
  readonly onDry: () => void;
  /** The line may go to the next one; the socket itself may live on until the client closes it. */
  readonly onFreed: () => void;
  readonly onGone: () => void;
}

/** Bytes taken from TCP and not yet given to the guest above which TCP is stopped (it holds back the client then). */
const RECEIVE_BYTES = 256;

export class Connection {
  readonly transmitter: Transmitter;
  /** Greeted or refused. */
  isAdmitted = false;
  isGone = false;
  readonly #socket: Socket;
  readonly #options: ConnectionOptions;
  readonly #remotePort: number;
  readonly #telnet = new TelnetInput();
  /** Taken from TCP, not yet given to the guest: from #taken on. */
  #received = Buffer.alloc(0);
  #taken = 0;
  #isServed = false;
  #flood: Flood | undefined;
  #floodRate: string | undefined;
  #timer: NodeJS.Timeout | undefined;
  #how: 'fin' | 'reset' | 'error' = 'fin';

  constructor(socket: Socket, options: ConnectionOptions) {
    this.#socket = socket;
    this.#options = options;
    this.#remotePort = socket.remotePort ?? 0;
    this.transmitter = new Transmitter(socket, options.faults, {
      onSent: (bytes, isRecorded) =>
        this.#note('sent', isRecorded ? { bytes: Buffer.from(bytes) } : { byteCount: bytes.length }),
      onRoom: () => {
        options.onRoom();
        this.#flood?.pour();
      },
    });
    socket.on('data', (chunk: Buffer) => this.#handleData(chunk));
    // A FIN of the client frees the line at once; what was to be sent to it is lost.
    socket.on('end', () => socket.destroy());
    socket.on('error', (error: NodeJS.ErrnoException) => {
      this.#how = error.code === 'ECONNRESET' || error.code === 'EPIPE' ? 'reset' : 'error';
    });
    socket.once('close', () => this.#handleClose());
    this.#note('accepted', {});
  }

  get id(): number {
    return this.#options.id;
  }

  get hasInputWaiting(): boolean {
    return this.#waiting > 0;
  }

  get #waiting(): number {
    return this.#received.length - this.#taken;
  }

  /** Takes the line: sends the greeting (which may be empty) and begins to read. */
  greet(greeting: Buffer): void {
    this.isAdmitted = true;
    this.#isServed = true;
    this.transmitter.send(greeting);
    this.#note('greeted', { bytes: greeting });
    this.applyFaults();
  }

  refuse(sentence: string): void {
    this.isAdmitted = true;
    const bytes = Buffer.from(`${sentence}\r\n`, 'latin1');
    this.#note('refused', { bytes });
    this.end(bytes);
  }

  /** Sends and then FIN; the client may send on, nobody listens. */
  end(bytes: Buffer): void {
    this.#stopServing();
    this.transmitter.send(bytes);
    this.transmitter.finish(() => this.#socket.end());
    // Read to the end, else the client's own bytes would make the kernel send RST in place of FIN.
    this.#socket.resume();
  }

  drop(how: 'fin' | 'reset'): void {
    if (how === 'fin') {
      this.end(Buffer.alloc(0));
      return;
    }
    this.#how = 'reset';
    this.#socket.resetAndDestroy();
  }

  /** Adjusts reading and flooding to the faults set now. */
  applyFaults(): void {
    if (!this.#isServed) return;
    this.#adjustReading();
    const rate = this.#options.faults.get('flood');
    if (rate === this.#floodRate) return;
    this.#flood?.stop();
    this.#floodRate = rate;
    this.#flood = rate === undefined ? undefined : new Flood(this.transmitter, rate);
  }

  /** Resolves when the socket is closed. */
  destroy(): Promise<void> {
    if (this.isGone) return Promise.resolve();
    return new Promise((resolve) => {
      this.#socket.once('close', () => resolve());
      this.#socket.destroy();
    });
  }

  #handleData(chunk: Buffer): void {
    this.#note('received', { bytes: Buffer.from(chunk) });
    if (!this.#isServed) return;
    this.#received = Buffer.concat([this.#received.subarray(this.#taken), chunk]);
    this.#taken = 0;
    if (this.#options.inputCps === undefined) this.#takeAll();
    else if (this.#timer === undefined) this.#takeTicking(1000 / this.#options.inputCps);
    this.#adjustReading();
  }

  #takeAll(): void {
    while (this.#isServed && this.#waiting > 0) this.#takeOne();
    this.#options.onDry();
  }

  #takeTicking(tickMs: number): void {
    // Telnet commands cost no tick: one character a tick, and all that belongs to the telnet layer before it.
    while (this.#isServed && this.#waiting > 0 && !this.#takeOne());
    if (this.#waiting === 0) this.#options.onDry();
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      if (this.#waiting > 0) this.#takeTicking(tickMs);
      this.#adjustReading();
    }, tickMs);
  }

  /** True when a character went to the guest. */
  #takeOne(): boolean {
    const byte = this.#received[this.#taken] ?? 0;
    this.#taken += 1;
    if (!this.#options.isTelnet) {
      this.#options.onInput(byte & 0x7f);
      return true;
    }
    const action = this.#telnet.push(byte);
    if (action?.kind === 'reply') this.transmitter.send(Buffer.from(action.bytes));
    if (action?.kind === 'char') this.#options.onInput(action.char);
    return action?.kind === 'char';
  }

  #adjustReading(): void {
    if (!this.#isServed) return;
    const isFull = this.#waiting >= RECEIVE_BYTES;
    if (isFull || this.#options.faults.has('stop-reading')) this.#socket.pause();
    else this.#socket.resume();
  }

  #stopServing(): void {
    if (!this.#isServed) return;
    this.#isServed = false;
    this.#received = Buffer.alloc(0);
    this.#taken = 0;
    clearTimeout(this.#timer);
    this.#flood?.stop();
    this.#flood = undefined;
    this.#options.onFreed();
  }

  #handleClose(): void {
    this.isGone = true;
    this.#stopServing();
    this.#options.onGone();
    this.#note('closed', { how: this.#how });
  }

  #note(kind: LineEvent['kind'], more: Partial<LineEvent>): void {
    this.#options.log.add({ ...more, kind, connection: this.#options.id, remotePort: this.#remotePort });
  }
}
