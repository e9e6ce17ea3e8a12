/** What happened at the port, in order, and waiting for it without polling. */

import { performance } from 'node:perf_hooks';

export type LineEventKind = 'accepted' | 'greeted' | 'refused' | 'received' | 'sent' | 'closed';

export interface LineEvent {
  readonly kind: LineEventKind;
  /** Monotonic, `performance.now()`. */
  readonly atMs: number;
  /** Number of the connection, from 1, never reused. */
  readonly connection: number;
  readonly remotePort: number;
  /** Present for greeted, refused, received and sent; the bytes of a flood are counted, not kept: then absent. */
  readonly bytes?: Buffer;
  /** Only for sent by a flood: how many bytes. */
  readonly byteCount?: number;
  /** Only for closed: how the connection ended, whoever ended it. */
  readonly how?: 'fin' | 'reset' | 'error';
}

export interface WaitOptions {
  /** Default 5000. */
  readonly timeoutMs?: number;
  /** What is waited for; the error of a timeout names it. */
  readonly what: string;
}

/** Events kept; older ones go in one piece of a tenth. A test that needs more is not a test of a terminal line. */
const MAX_EVENTS = 200_000;

interface Waiter {
  readonly check: () => boolean;
  readonly fail: (why: string) => void;
}

export class EventLog {
  readonly events: LineEvent[] = [];
  /** Called with every event, for `--log`. */
  onEvent: ((event: LineEvent) => void) | undefined;
  readonly #waiters = new Set<Waiter>();

  add(event: Omit<LineEvent, 'atMs'>): void {
    const stamped = { ...event, atMs: performance.now() };
    if (this.events.length >= MAX_EVENTS) this.events.splice(0, MAX_EVENTS / 10);
    this.events.push(stamped);
    this.onEvent?.(stamped);
    this.wake();
  }

  /** Looks at every waiter again. */
  wake(): void {
    for (const waiter of this.#waiters) if (waiter.check()) this.#waiters.delete(waiter);
  }

  /** Raw bytes received, of one connection or of all in order of arrival. */
  receivedBytes(connection?: number): Buffer {
    return this.#bytes('received', connection);
  }

  /** Raw bytes handed to the socket (flood excepted), of one connection or of all. */
  sentBytes(connection?: number): Buffer {
    return this.#bytes('sent', connection);
  }

  /** Resolves as soon as the predicate is true, at once when it is already; rejects naming `what`. */
  waitFor(predicate: (events: readonly LineEvent[]) => boolean, options: WaitOptions): Promise<void> {
    const timeoutMs = options.timeoutMs ?? 5000;
    return new Promise((resolve, reject) => {
      const check = (): boolean => {
        if (!predicate(this.events)) return false;
        clearTimeout(timer);
        resolve();
        return true;
      };
      const fail = (why: string): void => {
        clearTimeout(timer);
        this.#waiters.delete(waiter);
        reject(new Error(`fakeline waited for ${options.what}: ${why}; ${this.#summary()}`));
      };
      const waiter = { check, fail };
      const timer = setTimeout(() => fail(`not within ${timeoutMs} ms`), timeoutMs);
      if (!check()) this.#waiters.add(waiter);
    });
  }

  /** Rejects whoever still waits. */
  close(): void {
    for (const waiter of this.#waiters) waiter.fail('the line was closed');
  }

  #bytes(kind: LineEventKind, connection: number | undefined): Buffer {
    const own = this.events.filter(
      (event) => event.kind === kind && (connection === undefined || event.connection === connection),
    );
    return Buffer.concat(own.flatMap((event) => (event.bytes === undefined ? [] : [event.bytes])));
  }

  #summary(): string {
    const last = this.events.slice(-5).map((event) => `${event.kind} #${event.connection}`);
    return last.length === 0 ? 'nothing has happened' : `last events: ${last.join(', ')}`;
  }
}
