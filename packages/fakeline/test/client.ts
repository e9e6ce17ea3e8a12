/** A bare TCP client for the tests: what came, and waiting for it by events. */

import type { Socket } from 'node:net';
import { connect } from 'node:net';

/** A test that waits longer than this has failed; the failure shows what has come. */
const WAIT_MS = 4000;

export class TestClient implements AsyncDisposable {
  received = Buffer.alloc(0);
  ended: 'fin' | 'reset' | undefined;
  readonly socket: Socket;
  readonly #listeners = new Set<() => void>();

  private constructor(socket: Socket) {
    this.socket = socket;
    socket.on('data', (chunk: Buffer) => {
      this.received = Buffer.concat([this.received, chunk]);
      this.#wake();
    });
    socket.on('end', () => {
      this.ended ??= 'fin';
      this.#wake();
    });
    socket.on('error', () => {
      this.ended ??= 'reset';
      this.#wake();
    });
    socket.on('close', () => this.#wake());
  }

  static async open(port: number, host = '127.0.0.1'): Promise<TestClient> {
    const socket = connect({ port, host, noDelay: true });
    const client = new TestClient(socket);
    await new Promise<void>((resolve, reject) => {
      socket.once('connect', resolve);
      // A server that resets at once may do so before the client has seen its own connect.
      socket.once('error', (error: NodeJS.ErrnoException) =>
        error.code === 'ECONNRESET' ? resolve() : reject(error),
      );
    });
    return client;
  }

  get text(): string {
    return this.received.toString('latin1');
  }

  send(bytes: Uint8Array | string): void {
    this.socket.write(typeof bytes === 'string' ? Buffer.from(bytes, 'latin1') : bytes);
  }

  /** What came since the text `mark` was last seen. */
  after(mark: string): string {
    return this.text.slice(this.text.lastIndexOf(mark) + mark.length);
  }

  /** Waits until the output ends with the text. */
  untilEnd(text: string): Promise<void> {
    return this.until(() => this.text.endsWith(text), `output that ends with ${JSON.stringify(text)}`);
  }

  /** The same, wherever on the screen it stands: a newline at the bottom counts as any other. */
  untilLines(text: string): Promise<void> {
    const ends = (): boolean => this.text.replaceAll('\x1bH\x1bK', '\r\n\x1bK').endsWith(text);
    return this.until(ends, `lines that end with ${JSON.stringify(text)}`);
  }

  untilClosed(): Promise<void> {
    return this.until(() => this.socket.closed, 'the end of the connection');
  }

  until(predicate: () => boolean, what: string): Promise<void> {
    return new Promise((resolve, reject) => {
      const listener = (): void => {
        if (!predicate()) return;
        clearTimeout(timer);
        this.#listeners.delete(listener);
        resolve();
      };
      const timer = setTimeout(() => {
        this.#listeners.delete(listener);
        reject(new Error(`waited for ${what}, got ${JSON.stringify(this.text.slice(-300))}`));
      }, WAIT_MS);
      this.#listeners.add(listener);
      listener();
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.socket.closed) return;
    await new Promise<void>((resolve) => {
      this.socket.once('close', () => resolve());
      this.socket.destroy();
    });
  }

  #wake(): void {
    for (const listener of this.#listeners) listener();
  }
}
