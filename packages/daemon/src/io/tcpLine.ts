/**
 * One TCP connection to the line: resolves the name, tries its addresses one after the other, and carries bytes. There is
 * never more than one socket (I1), and an end is always a reset, so that the simulator frees the line at once.
 */
import { type AddressInfo, connect, type OnReadOpts, Socket, type SocketConstructorOpts } from 'node:net';
import type { ConnectionFailure } from '../core/events.ts';
import { addressesOf, type Lookup, lookUp, type Refusal } from './addresses.ts';

/** One address that swallows SYNs must not use up the time of the next; in ms, while others are left. */
const ADDRESS_PATIENCE_MS = 1_500;
/** First keepalive probe after this silence, in ms; a peer that is gone is noticed within a minute. */
const KEEPALIVE_MS = 20_000;

/** Read at once, in bytes; what libuv would take. */
const READ_BYTES = 65_536;
/**
 * Taken from a line in one turn of the event loop, in bytes: libuv would read 32 times while more is there, and everybody else
 * would wait for 2 MiB to be looked through (D13). It is some 5 ms of work.
 */
export const TURN_BYTES = 262_144;

export interface TcpLineListener {
  /** Each address so far and what came of it, whenever that changes. */
  tried(detail: string): void;
  connected(): void;
  data(bytes: Uint8Array): void;
  /** The far end finished its side. */
  ended(): void;
  failed(failure: ConnectionFailure, detail: string): void;
}

export interface TcpLineOptions {
  readonly host: string;
  readonly port: number;
  readonly lookup?: Lookup;
}

export class TcpLine {
  readonly #listener: TcpLineListener;
  #socket: Socket | undefined;
  #isOver = false;
  #isPaused = false;
  /** Read since others had a turn. */
  #turnBytes = 0;

  private constructor(listener: TcpLineListener) {
    this.#listener = listener;
  }

  /** Begins to connect; what happens is told to the listener, nothing after `reset`. */
  static connect(options: TcpLineOptions, listener: TcpLineListener): TcpLine {
    const line = new TcpLine(listener);
    // Every failure ends in the listener; a throw in the listener itself is a fault of ours and must surface.
    void line.#dial(options);
    return line;
  }

  /** Goes on with a connection that another process of ours has had; reads nothing before `resume`. */
  static adopt(fd: number, listener: TcpLineListener): TcpLine {
    const line = new TcpLine(listener);
    const options: SocketConstructorOpts & { readonly onread: OnReadOpts } = {
      fd,
      allowHalfOpen: true,
      readable: true,
      writable: true,
      onread: line.#onRead(),
    };
    const socket = new Socket(options);
    socket.pause();
    socket.setNoDelay(true);
    socket.setKeepAlive(true, KEEPALIVE_MS);
    line.#socket = socket;
    line.#carry(socket);
    return line;
  }

  /** The connection's socket, to be inherited. */
  get socket(): Socket | undefined {
    return this.#socket;
  }

  /**
   * Stops reading at a byte border: what the system has not given us yet stays there for whoever reads next. Resolves when
   * all that was written has been taken; false if that takes too long.
   */
  async pause(patienceMs: number): Promise<boolean> {
    const socket = this.#socket;
    if (socket === undefined) return true;
    this.#isPaused = true;
    socket.pause();
    const deadline = Date.now() + patienceMs;
    while (socket.writableLength > 0 && Date.now() < deadline) await delay(5);
    return socket.writableLength === 0;
  }

  resume(): void {
    this.#isPaused = false;
    this.#socket?.resume();
  }

  /** Port on our side, while connected: the connection's identity for whoever checks that it stayed. */
  get localPort(): number | undefined {
    const address = this.#socket?.address();
    return address !== undefined && 'port' in address ? (address as AddressInfo).port : undefined;
  }

  /** `taken` is called when the system has taken the bytes; that says nothing about the far end. */
  write(bytes: Uint8Array, taken: () => void): void {
    this.#socket?.write(bytes, (error) => {
      if (!error && !this.#isOver) taken();
    });
  }

  /** Ends the connection with RST. Idempotent; the listener hears nothing more. */
  reset(): void {
    this.#isOver = true;
    const socket = this.#socket;
    this.#socket = undefined;
    if (socket === undefined) return;
    // A socket that is still connecting has no peer to reset; the listener's handlers stay, and do nothing.
    if (socket.connecting) socket.destroy();
    else socket.resetAndDestroy();
  }

  async #dial({ host, port, lookup = lookUp }: TcpLineOptions): Promise<void> {
    const refusals: Refusal[] = [];
    // A turn later: the listener hears nothing before `connect` has returned.
    await Promise.resolve();
    if (this.#isOver) return;
    this.#listener.tried(`looking up ${host}`);
    for await (const { address, hasNext } of addressesOf(host, lookup, refusals)) {
      if (this.#isOver) return;
      this.#listener.tried(describe([...refusals, { address, code: 'no answer' }]));
      // allowHalfOpen: else Node would answer a FIN with one of its own, and the end has to be a reset.
      const socket = connect({
        host: address,
        port,
        allowHalfOpen: true,
        noDelay: true,
        keepAlive: true,
        keepAliveInitialDelay: KEEPALIVE_MS,
        onread: this.#onRead(),
      });
      this.#socket = socket;
      const refusal = await connection(socket, hasNext);
      if (this.#isOver) return;
      if (refusal === undefined) {
        this.#carry(socket);
        this.#listener.connected();
        return;
      }
      this.#socket = undefined;
      refusals.push({ address, code: refusal });
      this.#listener.tried(describe(refusals));
    }
    if (this.#isOver) return;
    this.#isOver = true;
    this.#listener.failed(
      failureOf(refusals),
      `Connecting to ${host}:${port} failed (${describe(refusals)}).`,
    );
  }

  /** Straight from the system, without a stream's buffer in between: what `pause` stops is stopped at once. */
  #onRead(): OnReadOpts {
    return {
      buffer: Buffer.alloc(READ_BYTES),
      callback: (length, buffer) => {
        if (!this.#isOver) this.#listener.data(Uint8Array.from(buffer.subarray(0, length)));
        this.#turnBytes += length;
        if (this.#turnBytes >= TURN_BYTES) this.#giveWay();
        return true;
      },
    };
  }

  /** Goes on reading when everybody else has had a turn. */
  #giveWay(): void {
    this.#turnBytes = 0;
    const socket = this.#socket;
    if (socket === undefined || this.#isPaused) return;
    socket.pause();
    setImmediate(() => {
      if (this.#socket === socket && !this.#isPaused) socket.resume();
    });
  }

  #carry(socket: Socket): void {
    const unlessOver = (act: () => void) => {
      if (!this.#isOver) act();
    };
    socket.on('end', () => unlessOver(() => this.#listener.ended()));
    socket.on('error', (error: NodeJS.ErrnoException) =>
      unlessOver(() => {
        this.#isOver = true;
        this.#socket = undefined;
        const code = error.code ?? error.message;
        this.#listener.failed(failureOf([{ address: '', code }]), `The connection failed: ${code}.`);
      }),
    );
  }
}

/**
 * Resolves when the socket is connected (undefined) or is not going to be (the error's code). Patience ends only if there is
 * another address to try.
 */
function connection(socket: Socket, hasNext: Promise<boolean>): Promise<string | undefined> {
  return new Promise((resolve) => {
    const giveUp = async () => {
      if (!(await hasNext) || !socket.connecting) return;
      socket.destroy();
      settle('ETIMEDOUT');
    };
    const timer = setTimeout(() => void giveUp(), ADDRESS_PATIENCE_MS);
    const settle = (result: string | undefined) => {
      clearTimeout(timer);
      socket.off('connect', connected).off('error', failed).off('close', closed);
      // A late error of a socket that was given up must not end the process.
      if (result !== undefined) socket.on('error', () => undefined);
      resolve(result);
    };
    const connected = () => settle(undefined);
    const failed = (error: NodeJS.ErrnoException) => settle(error.code ?? error.message);
    const closed = () => settle('closed');
    socket.on('connect', connected).on('error', failed).on('close', closed);
  });
}

function describe(refusals: readonly Refusal[]): string {
  return refusals.map(({ address, code }) => `${address}: ${code}`).join(', ');
}

function delay(ms: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, ms);
  });
}

function failureOf(refusals: readonly Refusal[]): ConnectionFailure {
  const codes = new Set(refusals.map(({ code }) => code));
  if (codes.has('ECONNREFUSED')) return 'refused';
  if (codes.has('ECONNRESET') || codes.has('EPIPE')) return 'reset';
  if (codes.has('ETIMEDOUT')) return 'timeout';
  return [...codes].every((code) => code === 'ENOTFOUND' || code === 'EAI_AGAIN') ? 'unknown_host' : 'other';
}
