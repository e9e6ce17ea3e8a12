/**
 * The simulator side: one listener, one line, one holder. Source: ITS-LINE.md 1, 8, 10, 13, 14 and sim_tmxr.c.
 * It knows nothing of ITS: characters go to a receiver, output comes back and is held while nobody is connected.
 */

import type { Server, Socket } from 'node:net';
import { createServer } from 'node:net';
import { Connection } from './connection.ts';
import type { EventLog } from './events.ts';
import { type FaultName, Faults, REFUSALS } from './faults.ts';
import { OutputQueue } from './outputQueue.ts';
import { Timers } from './timers.ts';

/** IAC WILL LINEMODE, WILL SGA, WILL ECHO, WILL BINARY, DO BINARY. */
const NEGOTIATION = Buffer.from('fffb22fffb03fffb01fffb00fffd00', 'hex');
const WELCOME = '\n\r\nConnected to the KA-10 simulator MTY device, line 9\r\n\n';
const GOODBYE = '\r\nDisconnected from the KA-10 simulator\r\n\r\n';

/** The guest, as the multiplexer sees it. */
export interface Receiver {
  /** One character of 7 bits. */
  input(char: number): void;
  /** Nothing more has come by now. */
  inputDry(): void;
}

export interface MuxOptions {
  readonly host: string;
  readonly port: number;
  readonly pollMs: number;
  readonly inputCps: number | undefined;
  readonly baud: number | undefined;
  readonly noTelnet: boolean;
}

export class Mux {
  readonly faults = new Faults((name, value) => this.#applyFault(name, value));
  readonly output: OutputQueue;
  readonly #options: MuxOptions;
  readonly #log: EventLog;
  readonly #open = new Set<Connection>();
  readonly #timers = new Timers();
  #receiver: Receiver | undefined;
  #server: Server | undefined;
  #port: number;
  #holder: Connection | undefined;
  #connectionCount = 0;

  constructor(options: MuxOptions, log: EventLog) {
    this.#options = options;
    this.#log = log;
    this.#port = options.port;
    this.output = new OutputQueue(options.baud, () => this.#holder?.transmitter);
  }

  get port(): number {
    return this.#port;
  }

  get connectionCount(): number {
    return this.#connectionCount;
  }

  get openConnections(): number {
    return this.#open.size;
  }

  get holder(): Connection | undefined {
    return this.#holder;
  }

  attach(receiver: Receiver): void {
    this.#receiver = receiver;
  }

  /** Rejects when the port is taken. The first call fixes the port for later ones. */
  async listen(): Promise<void> {
    if (this.#server !== undefined) return;
    const server = createServer({ pauseOnConnect: true, allowHalfOpen: true, noDelay: true }, (socket) =>
      this.#handleAccept(socket),
    );
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      server.listen(this.#port, this.#options.host, () => {
        server.removeListener('error', reject);
        resolve();
      });
    });
    const address = server.address();
    if (typeof address === 'object' && address !== null) this.#port = address.port;
    this.#server = server;
  }

  /** Connects are refused by the kernel from now on; open connections stay. Resolves at once. */
  stopListening(): void {
    this.#server?.close();
    this.#server = undefined;
  }

  /** The simulator quits in order: its sentence, then FIN. */
  disconnect(): void {
    this.output.flush();
    this.#holder?.end(Buffer.from(GOODBYE, 'latin1'));
  }

  /** Leaves no socket, timer or listener behind. */
  async close(): Promise<void> {
    this.stopListening();
    this.#timers.close();
    this.output.close();
    await Promise.all([...this.#open].map((connection) => connection.destroy()));
  }

  #handleAccept(socket: Socket): void {
    this.#connectionCount += 1;
    const connection = new Connection(socket, {
      id: this.#connectionCount,
      log: this.#log,
      faults: this.faults,
      inputCps: this.#options.inputCps,
      onRoom: () => this.output.flush(),
      onInput: (char) => this.#receiver?.input(char),
      onDry: () => this.#receiver?.inputDry(),
      onFreed: () => this.#free(connection),
      onGone: () => this.#open.delete(connection),
      isTelnet: !this.#options.noTelnet,
    });
    this.#open.add(connection);
    this.#timers.later(this.#options.pollMs + (this.faults.number('accept-delay', 1000) ?? 0), () =>
      this.#admit(connection),
    );
  }

  #admit(connection: Connection): void {
    if (connection.isGone || connection.isAdmitted || this.faults.has('never-greet')) return;
    const refusal = this.faults.get('refuse');
    if (refusal !== undefined) connection.refuse(REFUSALS[refusal === '' ? 'busy' : refusal] ?? refusal);
    else if (this.#holder !== undefined) connection.refuse(REFUSALS['busy'] ?? '');
    else this.#greet(connection);
  }

  #greet(connection: Connection): void {
    this.#holder = connection;
    const isSilent = this.#options.noTelnet || this.faults.has('no-greeting');
    const stale = Buffer.from(this.faults.get('stale-greeting') ?? '', 'latin1');
    connection.greet(
      isSilent ? Buffer.alloc(0) : Buffer.concat([NEGOTIATION, Buffer.from(WELCOME, 'latin1')]),
    );
    connection.transmitter.send(stale);
    this.output.flush();
    for (const how of ['close', 'reset'] as const) {
      const afterMs = this.faults.number(how, 0);
      if (afterMs !== undefined)
        this.#timers.later(afterMs, () => connection.drop(how === 'close' ? 'fin' : 'reset'));
    }
  }

  /** The line is free again; job and terminal type stay, output is held from now on. */
  #free(connection: Connection): void {
    if (this.#holder === connection) this.#holder = undefined;
    this.#receiver?.inputDry();
  }

  #applyFault(name: FaultName, value: string | undefined): void {
    if (name === 'never-greet' && value === undefined) {
      for (const connection of this.#open) this.#admit(connection);
    } else if ((name === 'close' || name === 'reset') && value !== undefined) {
      this.#holder?.drop(name === 'close' ? 'fin' : 'reset');
    } else {
      for (const connection of this.#open) connection.applyFaults();
    }
  }
}
