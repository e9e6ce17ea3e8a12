/**
 * Handing everything to a successor: the new process inherits the lock, the listening socket and the line as descriptors,
 * so that none of them is ever closed, and gets the state over a pipe of its own.
 *
 * Both sides speak lines of JSON: the successor says `ready`; the old daemon stops reading and sends `state`; the successor
 * builds itself and says `taken` with what it has counted; only `go` makes it begin, and makes the old one end. Whoever
 * sees the pipe end before that goes on as before (the old one) or away (the successor).
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { type Server, Socket } from 'node:net';
import type { Duplex } from 'node:stream';

/** Set for a successor; never inherited further. */
export const HANDOVER_VARIABLE = 'PIDP10D_HANDOVER';
/** Descriptors of a successor. */
const LOCK_FD = 3;
const LISTENER_FD = 4;
const CONTROL_FD = 5;
const LINE_FD = 6;
/** Longest line of JSON, in characters: a ring of the largest size, as text. */
const MAX_STATE_CHARS = 1_073_741_824;

export interface Inherited {
  readonly lockFd: number;
  readonly listenerFd: number;
  /** Of the line's connection, if there is one. */
  readonly lineFd: number;
  readonly control: Control;
}

/** One end of the pipe between the two. */
export class Control {
  readonly #stream: Duplex;
  readonly #waiting: ((message: unknown) => void)[] = [];
  readonly #messages: unknown[] = [];
  #text: string[] = [];
  #isOver = false;
  #onEnd: () => void = () => undefined;

  constructor(stream: Duplex) {
    this.#stream = stream;
    stream.setEncoding('utf8');
    stream.on('data', (text: string) => this.#hear(text));
    stream.on('error', () => this.#end());
    stream.on('close', () => this.#end());
    stream.on('end', () => this.#end());
  }

  /** Resolves when the system has taken the message. */
  send(message: unknown): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#stream.write(`${JSON.stringify(message)}\n`, (error) => {
        if (error) reject(error);
        else resolve();
      });
    });
  }

  /** The next message. Rejects when the other side is gone, or says nothing for `patienceMs`. */
  next(patienceMs: number): Promise<unknown> {
    const known = this.#messages.shift();
    if (known !== undefined) return Promise.resolve(known);
    if (this.#isOver) return Promise.reject(new Error('the other side is gone'));
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => reject(new Error(`not a word for ${patienceMs} ms`)), patienceMs);
      const settle = (act: () => void) => {
        clearTimeout(timer);
        act();
      };
      this.#waiting.push((message) => settle(() => resolve(message)));
      this.#onEnd = () => settle(() => reject(new Error('the other side is gone')));
    });
  }

  close(): void {
    this.#stream.destroy();
  }

  #hear(text: string): void {
    const feed = text.lastIndexOf('\n');
    if (feed === -1) {
      this.#text.push(text);
      if (this.#text.reduce((sum, part) => sum + part.length, 0) > MAX_STATE_CHARS) this.close();
      return;
    }
    const lines = (this.#text.join('') + text.slice(0, feed)).split('\n');
    this.#text = [text.slice(feed + 1)];
    for (const line of lines) {
      const message: unknown = JSON.parse(line);
      const waiting = this.#waiting.shift();
      if (waiting === undefined) this.#messages.push(message);
      else waiting(message);
    }
  }

  #end(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#onEnd();
  }
}

/** What a successor was given; undefined for a daemon that was started in any other way. */
export function inherit(env: NodeJS.ProcessEnv): Inherited | undefined {
  if (env[HANDOVER_VARIABLE] === undefined) return undefined;
  delete env[HANDOVER_VARIABLE];
  const control = new Control(new Socket({ fd: CONTROL_FD, readable: true, writable: true }));
  return { lockFd: LOCK_FD, listenerFd: LISTENER_FD, lineFd: LINE_FD, control };
}

/** Descriptor of a socket, which Node keeps to itself; undefined where it has none. */
export function descriptorOf(holder: Server | Socket): number | undefined {
  const { _handle: handle } = holder as unknown as { readonly _handle?: { readonly fd?: unknown } | null };
  return typeof handle?.fd === 'number' && handle.fd >= 0 ? handle.fd : undefined;
}

export interface Successor {
  readonly pid: number | undefined;
  readonly control: Control;
  /** Ends it; the old daemon goes on. */
  kill(): void;
}

export interface SuccessorOptions {
  readonly lockFd: number;
  readonly listenerFd: number;
  /** Of the line's connection. By its number: Node would stop reading a socket that it is given. */
  readonly lineFd: number | undefined;
  readonly command: readonly [string, ...string[]];
  readonly env: NodeJS.ProcessEnv;
}

/** Starts the successor from the files that are installed now. */
export function startSuccessor({ lockFd, listenerFd, lineFd, command, env }: SuccessorOptions): Successor {
  const [file, ...args] = command;
  const child: ChildProcess = spawn(file, args, {
    // In a session of its own: what ends the old daemon's group must not end it.
    detached: true,
    stdio: ['ignore', 'inherit', 'inherit', lockFd, listenerFd, 'pipe', lineFd ?? 'ignore'],
    env: { ...env, [HANDOVER_VARIABLE]: '1' },
  });
  child.on('error', () => undefined); // its pipe ends, and that is all there is to know
  child.unref();
  const pipes: readonly unknown[] = child.stdio;
  const pipe = pipes[CONTROL_FD] as Duplex;
  return {
    pid: child.pid,
    control: new Control(pipe),
    kill: () => {
      pipe.destroy();
      child.kill('SIGKILL');
    },
  };
}
