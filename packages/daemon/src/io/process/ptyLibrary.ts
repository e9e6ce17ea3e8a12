/**
 * The one file that knows the PTY library. It is optional and native: loaded when the first PTY is wanted, and when it is missing
 * or broken nothing but PTY sessions fails.
 *
 * `@lydell/node-pty` brings binaries for Linux (glibc, x64 and arm64) and macOS; elsewhere `node-pty`, which compiles itself,
 * does the same. Two private members of the class are needed, the same in both (1.1.0; keep the pin and the tests):
 * - `_socket` and `_fd`: libuv before 1.52 takes a hang-up for the end although bytes are waiting, so what is left is read here
 *   (microsoft/node-pty#72, #85, #726). Remove that part when no supported Node has it.
 * - `_emittedClose`: else the class tells the exit late, and closes the terminal 200 ms behind it, read or not.
 */
import { readSync } from 'node:fs';
import type { Duplex } from 'node:stream';

/** PTY sessions are not possible here; the message says what to install. */
export class PtyUnavailableError extends Error {
  override readonly name = 'PtyUnavailableError';
}

export interface PtyOptions {
  readonly file: string;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  readonly term: string;
  readonly rows: number;
  readonly columns: number;
}

export interface PtyListener {
  data(bytes: Uint8Array): void;
  /** No more output; the descriptor must not be used any more. */
  ended(): void;
  /** `signal`: its number, 0 for none. */
  exit(code: number, signal: number): void;
}

export interface Pty {
  readonly pid: number;
  /** The master: does not block. */
  readonly fd: number;
  /** Path of the terminal that the child has. */
  readonly path: string;
  resize(columns: number, rows: number): void;
  pause(): void;
  resume(): void;
  /** Closes the master, which hangs the terminal up. */
  close(): void;
}

export type PtyLibrary = (options: PtyOptions, listener: PtyListener) => Pty;
/** Imports one of the packages; the seam for tests. */
export type PtyImport = () => Promise<unknown>;

/** Not known to the compiler: it is nobody's dependency. */
const COMPILED_PACKAGE: string = 'node-pty';
const IMPORTS: readonly PtyImport[] = [() => import('@lydell/node-pty'), () => import(COMPILED_PACKAGE)];
const READ_BYTES = 65_536;

/** Throws a PtyUnavailableError. Node keeps what was imported, so that asking again costs nothing. */
export async function loadPtyLibrary(imports: readonly PtyImport[] = IMPORTS): Promise<PtyLibrary> {
  const failures: unknown[] = [];
  for (const importPackage of imports) {
    try {
      const spawn = spawnOf(await importPackage());
      if (spawn !== undefined) return (options, listener) => open(spawn, options, listener);
      failures.push(new Error('the package has no function spawn'));
    } catch (error) {
      failures.push(error);
    }
  }
  const reasons = failures.map((error) =>
    error instanceof Error ? error.message.split('\n')[0] : String(error),
  );
  throw new PtyUnavailableError(
    `A PTY needs a native package that cannot be loaded here (${reasons.join('; ')}). Install pidp10d with its optional ` +
      'dependencies (npm install without --omit=optional); on other platforms than Linux with glibc and macOS install ' +
      'node-pty beside it, which needs a compiler. Commands on pipes work without.',
    { cause: failures[0] },
  );
}

interface Terminal {
  readonly pid: number;
  readonly ptsName: string;
  readonly _socket: Duplex;
  readonly _fd: number;
  _emittedClose: boolean;
  onExit(listener: (exit: { readonly exitCode: number; readonly signal?: number }) => void): unknown;
  resize(columns: number, rows: number): void;
}

type Spawn = (file: string, args: readonly string[], options: object) => unknown;

function spawnOf(module: unknown): Spawn | undefined {
  if (typeof module !== 'object' || module === null) return undefined;
  if ('spawn' in module && typeof module.spawn === 'function') return module.spawn as Spawn;
  return 'default' in module ? spawnOf(module.default) : undefined;
}

function open(spawn: Spawn, options: PtyOptions, listener: PtyListener): Pty {
  const { file, args, cwd, env, term, rows, columns } = options;
  const terminal: unknown = spawn(file, args, {
    name: term,
    cols: columns,
    rows,
    cwd,
    env,
    encoding: 'utf8',
  });
  if (!isTerminal(terminal)) {
    throw new PtyUnavailableError(
      'The PTY package is another version than expected. Install @lydell/node-pty 1.1.0.',
    );
  }
  const { _socket: socket, _fd: fd } = terminal;
  terminal._emittedClose = true;
  let [isHungUp, hasExited, isOver] = [false, false, false];
  const read = () => {
    for (const bytes of remainder(fd)) listener.data(bytes);
  };
  // Both must be so: a child that has closed its terminal and goes on would be killed by our closing the other side.
  const endIfOver = () => {
    if (!isHungUp || !hasExited || isOver) return;
    read();
    isOver = true;
    listener.ended();
  };
  const close = socket.destroy.bind(socket);
  keepOpen(socket);
  // The package sets IUTF8, without which the terminal rubs out half a character, for this encoding only. Bytes are wanted.
  socket.setEncoding('latin1');
  socket.on('data', (text: string) => listener.data(Buffer.from(text, 'latin1')));
  socket.on('end', () => {
    read();
    isHungUp = true;
    endIfOver();
  });
  socket.on('error', () => undefined);
  terminal.onExit(({ exitCode, signal }) => {
    hasExited = true;
    listener.exit(exitCode, signal ?? 0);
    endIfOver();
  });
  return {
    pid: terminal.pid,
    fd,
    path: terminal.ptsName,
    resize: (width, height) => {
      if (!isOver) terminal.resize(width, height);
    },
    pause: () => void socket.pause(),
    resume: () => void socket.resume(),
    close: () => {
      isOver = true;
      close();
    },
  };
}

/**
 * Node closes the descriptor at the end of the stream and at an error. EIO is how Linux says that nobody has the terminal open: an
 * end like the other, behind what is buffered.
 */
function keepOpen(socket: Duplex): void {
  let isEnding = false;
  socket.once('end', () => {
    isEnding = true;
  });
  socket.allowHalfOpen = true;
  socket.destroy = () => {
    if (!isEnding) socket.push(null);
    isEnding = true;
    return socket;
  };
}

function* remainder(fd: number): Generator<Uint8Array> {
  for (;;) {
    const bytes = Buffer.allocUnsafe(READ_BYTES);
    let length = 0;
    try {
      length = readSync(fd, bytes);
    } catch {
      return; // EIO: the end; EAGAIN: nothing is left
    }
    if (length <= 0) return;
    yield bytes.subarray(0, length);
  }
}

function isTerminal(value: unknown): value is Terminal {
  if (typeof value !== 'object' || value === null) return false;
  const members = {
    pid: 'number',
    ptsName: 'string',
    _fd: 'number',
    _socket: 'object',
    _emittedClose: 'boolean',
  };
  return Object.entries(members).every(([name, type]) => typeof Reflect.get(value, name) === type);
}
