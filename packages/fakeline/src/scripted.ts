/** Bare TCP servers for tests: one whose handler does everything by hand, one that does nothing at all. */

import type { Socket } from 'node:net';
import { createServer } from 'node:net';
import { EventLog, type LineEvent, type WaitOptions } from './events.ts';

export interface ScriptedConnection {
  /** From 1. */
  readonly id: number;
  readonly remotePort: number;
  /** Everything the client has sent so far. */
  readonly received: Buffer;
  /** The client has sent FIN or is gone. */
  readonly isEnded: boolean;
  /** Text is Latin-1. */
  write(bytes: Uint8Array | string): void;
  /** FIN. */
  end(): void;
  reset(): void;
  /** Stops or goes on reading from TCP. */
  pause(): void;
  resume(): void;
  /** Resolves when at least so many bytes have come in all, or, with bytes, when they occur in what has come; rejects when the client is gone before. */
  waitForBytes(what: number | Uint8Array | string): Promise<Buffer>;
}

export interface ScriptedOptions {
  /** An error or rejection of the handler ends the connection with RST; `errors` keeps it. */
  readonly onConnect: (connection: ScriptedConnection) => void | Promise<void>;
  readonly host?: string;
  readonly port?: number;
  readonly log?: EventLog;
}

export interface ScriptedServer extends AsyncDisposable {
  readonly host: string;
  readonly port: number;
  readonly events: readonly LineEvent[];
  readonly connections: readonly ScriptedConnection[];
  /** What handlers threw while their client was still there. */
  readonly errors: readonly unknown[];
  waitFor(predicate: (events: readonly LineEvent[]) => boolean, options: WaitOptions): Promise<void>;
  close(): Promise<void>;
}

interface ByteWaiter {
  readonly check: () => boolean;
  readonly fail: () => void;
}

/** A TCP server without any behaviour of its own. */
export async function startScripted(options: ScriptedOptions): Promise<ScriptedServer> {
  const host = options.host ?? '127.0.0.1';
  const log = options.log ?? new EventLog();
  const connections: Scripted[] = [];
  const errors: unknown[] = [];
  const server = createServer({ allowHalfOpen: true, noDelay: true }, (socket) => {
    const connection = new Scripted(socket, connections.length + 1, log);
    connections.push(connection);
    const run = async (): Promise<void> => options.onConnect(connection);
    run().catch((error: unknown) => {
      if (connection.isGone) return;
      errors.push(error);
      connection.reset();
    });
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(options.port ?? 0, host, resolve);
  });
  const address = server.address();
  const close = async (): Promise<void> => {
    server.close();
    await Promise.all(connections.map((connection) => connection.destroy()));
    log.close();
  };
  return {
    host,
    port: typeof address === 'object' && address !== null ? address.port : 0,
    events: log.events,
    connections,
    errors,
    waitFor: (predicate, waitOptions) => log.waitFor(predicate, waitOptions),
    close,
    [Symbol.asyncDispose]: close,
  };
}

/** A server that accepts (as the kernel does for a stopped simulator) and never says or reads anything. */
export function startSilent(options: Omit<ScriptedOptions, 'onConnect'> = {}): Promise<ScriptedServer> {
  return startScripted({ ...options, onConnect: (connection) => connection.pause() });
}

class Scripted implements ScriptedConnection {
  readonly id: number;
  readonly remotePort: number;
  received = Buffer.alloc(0);
  isEnded = false;
  isGone = false;
  readonly #socket: Socket;
  readonly #log: EventLog;
  readonly #waiters = new Set<ByteWaiter>();
  #how: 'fin' | 'reset' | 'error' = 'fin';

  constructor(socket: Socket, id: number, log: EventLog) {
    this.id = id;
    this.remotePort = socket.remotePort ?? 0;
    this.#socket = socket;
    this.#log = log;
    this.#note('accepted', {});
    socket.on('data', (chunk: Buffer) => {
      this.received = Buffer.concat([this.received, chunk]);
      this.#note('received', { bytes: Buffer.from(chunk) });
      for (const waiter of this.#waiters) if (waiter.check()) this.#waiters.delete(waiter);
    });
    socket.on('end', () => {
      this.isEnded = true;
      this.#failWaiters();
      socket.end();
    });
    socket.on('error', (error: NodeJS.ErrnoException) => {
      this.#how = error.code === 'ECONNRESET' || error.code === 'EPIPE' ? 'reset' : 'error';
    });
    socket.once('close', () => {
      this.isEnded = true;
      this.isGone = true;
      this.#failWaiters();
      this.#note('closed', { how: this.#how });
    });
  }

  write(bytes: Uint8Array | string): void {
    if (this.isGone || this.#socket.writableEnded) return;
    const sent = toBuffer(bytes);
    this.#socket.write(sent);
    this.#note('sent', { bytes: sent });
  }

  end(): void {
    this.#socket.end();
  }

  reset(): void {
    this.#how = 'reset';
    this.#socket.resetAndDestroy();
  }

  pause(): void {
    this.#socket.pause();
  }

  resume(): void {
    this.#socket.resume();
  }

  waitForBytes(what: number | Uint8Array | string): Promise<Buffer> {
    const wanted = typeof what === 'number' ? what : toBuffer(what);
    return new Promise((resolve, reject) => {
      const check = (): boolean => {
        const { received } = this;
        if (typeof wanted === 'number' ? received.length < wanted : !received.includes(wanted)) return false;
        resolve(received);
        return true;
      };
      if (check()) return;
      const fail = (): void => reject(new Error(`client ${this.id} ended before it sent ${String(what)}`));
      if (this.isEnded) fail();
      else this.#waiters.add({ check, fail });
    });
  }

  destroy(): Promise<void> {
    if (this.isGone) return Promise.resolve();
    return new Promise((resolve) => {
      this.#socket.once('close', () => resolve());
      this.#socket.destroy();
    });
  }

  #failWaiters(): void {
    for (const waiter of this.#waiters) waiter.fail();
    this.#waiters.clear();
  }

  #note(kind: LineEvent['kind'], more: Partial<LineEvent>): void {
    this.#log.add({ ...more, kind, connection: this.id, remotePort: this.remotePort });
  }
}

function toBuffer(bytes: Uint8Array | string): Buffer {
  return typeof bytes === 'string' ? Buffer.from(bytes, 'latin1') : Buffer.from(bytes);
}
