/** A client of a few lines that shares no code with ours: what anybody can write with a Unix socket and JSON. */
import { connect, type Socket } from 'node:net';

export interface RawAnswer {
  readonly id?: unknown;
  readonly method?: string;
  readonly params?: Record<string, unknown>;
  readonly result?: Record<string, unknown>;
  readonly error?: {
    readonly code: number;
    readonly message: string;
    readonly data?: Record<string, unknown>;
  };
}

export const HELLO = { protocol: { major: 1, minor: 0 }, client: { name: 'raw', version: '0' } } as const;

export class RawClient implements Disposable {
  readonly socket: Socket;
  /** Everything that came and was not taken with `next`. */
  readonly #answers: RawAnswer[] = [];
  #rest = '';
  #wake: () => void = () => undefined;
  #isClosed = false;
  #nextId = 1_000;

  private constructor(socket: Socket) {
    this.socket = socket;
    socket.setEncoding('utf8');
    socket.on('data', (text: string) => {
      const lines = (this.#rest + text).split('\n');
      this.#rest = lines.pop() ?? '';
      this.#answers.push(...lines.map((line): RawAnswer => JSON.parse(line)));
      this.#wake();
    });
    socket.on('error', () => undefined);
    socket.on('close', () => {
      this.#isClosed = true;
      this.#wake();
    });
  }

  /** Rejects with the system's error. */
  static async connect(path: string): Promise<RawClient> {
    const socket = connect(path);
    await new Promise((resolve, reject) => socket.once('connect', resolve).once('error', reject));
    return new RawClient(socket);
  }

  /** Connected, and hello said. */
  static async greet(path: string, hello: Record<string, unknown> = {}): Promise<RawClient> {
    const client = await RawClient.connect(path);
    const { error } = await client.call('hello', { ...HELLO, ...hello });
    if (error !== undefined) throw new Error(error.message);
    return client;
  }

  get isClosed(): boolean {
    return this.#isClosed;
  }

  write(bytes: string | Uint8Array): void {
    this.socket.write(bytes);
  }

  /** One frame. */
  send(message: unknown): void {
    this.write(`${JSON.stringify(message)}\n`);
  }

  request(id: unknown, method: string, params: unknown = {}): void {
    this.send({ jsonrpc: '2.0', id, method, params });
  }

  /** The next message; undefined when the daemon has closed the connection. */
  async next(): Promise<RawAnswer | undefined> {
    await this.#until(() => this.#answers.length > 0 || this.#isClosed);
    return this.#answers.shift();
  }

  /** A request and its answer; others that come before it stay in the queue. */
  async call(method: string, params: unknown = {}): Promise<RawAnswer> {
    const id = this.#nextId++;
    this.request(id, method, params);
    await this.#until(() => this.#isClosed || this.#answers.some((answer) => answer.id === id));
    const index = this.#answers.findIndex((answer) => answer.id === id);
    const [answer] = index < 0 ? [] : this.#answers.splice(index, 1);
    if (answer === undefined) throw new Error(`no answer to ${method}: the connection was closed`);
    return answer;
  }

  /** Resolves when the daemon has ended the connection. */
  closed(): Promise<void> {
    return this.#until(() => this.#isClosed);
  }

  [Symbol.dispose](): void {
    this.socket.destroy();
  }

  async #until(isThere: () => boolean): Promise<void> {
    while (!isThere()) {
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
  }
}
