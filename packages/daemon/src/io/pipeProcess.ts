/**
 * A child on pipes: argv as given, without a shell; its own session and process group; descriptors 0 to 2 and no other (P11).
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync } from 'node:fs';
import { Socket } from 'node:net';
import { EndedInput } from './process/endedInput.ts';
import { assertFolder, assertStrings, codeOf, findExecutable, SpawnError } from './process/executable.ts';
import { FdWriter } from './process/fdWriter.ts';
import { makePipes, type PipeEnds } from './process/fifo.ts';
import { withoutDescriptors } from './process/inheritedDescriptors.ts';
import type { OutputStream, ProcessEvents, ProcessHandle } from './process/processHandle.ts';
import { readProcess } from './process/processTable.ts';
import { signalChild } from './process/signalChild.ts';

export interface PipeProcessOptions {
  /** A path, or a name that is looked up in the PATH of `env`. */
  readonly command: string;
  readonly args: readonly string[];
  /** Absolute path. */
  readonly cwd: string;
  /** All of the child's environment (`childEnvironment.ts`). */
  readonly env: Readonly<Record<string, string>>;
  /** Else both go into `out`, over one descriptor, in the order in which they were written. */
  readonly splitStderr: boolean;
}

/**
 * Resolves when the program runs. Throws a SpawnError that says which path and what to do; then nothing of it is left. Events
 * come from the next turn on.
 */
export async function startPipeProcess(
  options: PipeProcessOptions,
  events: ProcessEvents,
): Promise<ProcessHandle> {
  const { command, args, cwd, env, splitStderr } = options;
  assertFolder(cwd);
  const file = findExecutable(command, env['PATH'], cwd);
  assertStrings(file, args, env);
  const [input, out, err] = await pipes(splitStderr ? ['in', 'out', 'out'] : ['in', 'out']);
  if (input === undefined || out === undefined) throw new Error('fewer pipes than asked for');
  const ends = [input, out, ...(err === undefined ? [] : [err])];
  let child: ChildProcess;
  try {
    const invocation = withoutDescriptors({ file, args });
    child = spawn(invocation.file, [...invocation.args], {
      cwd,
      env: { ...env },
      detached: true, // setsid(2)
      stdio: [input.theirs, out.theirs, (err ?? out).theirs],
    });
    for (const { theirs } of ends.splice(0)) closeSync(theirs);
    // Before anybody can have reaped it.
    const startTime = child.pid === undefined ? undefined : readProcess(child.pid)?.startTime;
    const exited = exitOf(child);
    await spawned(child);
    return new PipeProcess({ pid: child.pid ?? 0, startTime, input, out, err }, exited, events);
  } catch (error) {
    for (const { theirs } of ends) closeSync(theirs);
    for (const { ours } of [input, out, ...(err === undefined ? [] : [err])]) closeSync(ours);
    throw new SpawnError(
      'failed',
      file,
      `Starting ${file} in ${cwd} failed (${codeOf(error)}). Check that it is a program for this machine.`,
      error,
    );
  }
}

interface Started {
  readonly pid: number;
  readonly startTime: number | undefined;
  readonly input: PipeEnds;
  readonly out: PipeEnds;
  readonly err: PipeEnds | undefined;
}

type Exit = { readonly code: number | null; readonly signal: NodeJS.Signals | null };

class PipeProcess implements ProcessHandle {
  readonly pid: number;
  readonly startTime: number | undefined;
  readonly #events: ProcessEvents;
  readonly #writer: FdWriter;
  readonly #inputFd: number;
  readonly #outputs: readonly Socket[];
  #endedInput: EndedInput | undefined;
  #openOutputs: number;
  #isInputOpen = true;
  #hasExited = false;
  #isDisposed = false;

  constructor({ pid, startTime, input, out, err }: Started, exited: Promise<Exit>, events: ProcessEvents) {
    this.pid = pid;
    this.startTime = startTime;
    this.#events = events;
    this.#inputFd = input.ours;
    this.#writer = new FdWriter(input.ours, {
      written: (bytes) => this.#tell(() => events.inputWritten(bytes)),
      failed: () => this.#closeInput(),
      ended: () => this.#closeInput(),
    });
    this.#openOutputs = err === undefined ? 1 : 2;
    this.#outputs = [
      this.#listen(out.ours, 'out'),
      ...(err === undefined ? [] : [this.#listen(err.ours, 'err')]),
    ];
    void exited.then(({ code, signal }) => {
      this.#hasExited = true;
      this.#closeUnreadInput();
      this.#tell(() => events.exit({ code: code ?? undefined, signal: signal ?? undefined }));
    });
  }

  get queuedInputBytes(): number {
    return this.#writer.queuedBytes;
  }

  write(bytes: Uint8Array): ReturnType<ProcessHandle['write']> {
    if (!this.#isInputOpen || !this.#writer.isOpen) return { kind: 'closed' };
    if (bytes.length > this.#writer.roomBytes) return { kind: 'full', roomBytes: this.#writer.roomBytes };
    this.#writer.queue(bytes);
    return { kind: 'queued', queuedBytes: this.#writer.queuedBytes };
  }

  checkInput(): ReturnType<ProcessHandle['checkInput']> {
    return Promise.resolve({ kind: 'fits' });
  }

  discardInput(): number {
    return this.#writer.discard();
  }

  closeInput(): void {
    this.#writer.end();
  }

  signal(...[name, target]: Parameters<ProcessHandle['signal']>): ReturnType<ProcessHandle['signal']> {
    const isAlive = !this.#hasExited;
    return signalChild(
      { pid: this.pid, startTime: this.startTime, isAlive },
      name,
      target === 'leader' ? target : 'group',
    );
  }

  resize(): void {
    // pipes have no size
  }

  echoState(): ReturnType<ProcessHandle['echoState']> {
    return Promise.resolve('off');
  }

  pauseOutput(): void {
    for (const output of this.#outputs) output.pause();
  }

  resumeOutput(): void {
    for (const output of this.#outputs) output.resume();
  }

  [Symbol.dispose](): void {
    this.#isDisposed = true;
    this.#closeUnreadInput();
    for (const output of this.#outputs) output.destroy();
  }

  #listen(fd: number, stream: OutputStream): Socket {
    const socket = new Socket({ fd, readable: true, writable: false });
    socket.on('data', (bytes: Buffer) => this.#tell(() => this.#events.data(stream, bytes)));
    socket.on('error', () => undefined); // 'close' follows
    socket.on('close', () => {
      this.#openOutputs -= 1;
      this.#tell(() => this.#events.streamEnd(stream));
      this.#closeUnreadInput();
    });
    socket.resume();
    return socket;
  }

  /** Nobody is left: a pipe does not say so before something is written. */
  #closeUnreadInput(): void {
    if (!this.#isOver) return;
    this.#closeInput();
    this.#endedInput?.[Symbol.dispose]();
  }

  get #isOver(): boolean {
    return this.#isDisposed || (this.#hasExited && this.#openOutputs === 0);
  }

  #closeInput(): void {
    if (!this.#isInputOpen) return;
    this.#isInputOpen = false;
    const lostBytes = this.#writer.stop();
    if (this.#isOver) closeSync(this.#inputFd);
    else this.#endedInput = new EndedInput(this.#inputFd);
    this.#tell(() => this.#events.inputClosed(lostBytes));
  }

  #tell(event: () => void): void {
    if (!this.#isDisposed) event();
  }
}

async function pipes(directions: readonly ('in' | 'out')[]): Promise<readonly PipeEnds[]> {
  try {
    return await makePipes(directions);
  } catch (error) {
    throw new SpawnError(
      'no_pipes',
      'mkfifo',
      `Pipes for the command could not be made (${codeOf(error)}). The mkfifo program (coreutils) and a writable ` +
        'temporary folder (TMPDIR) are needed.',
      error,
    );
  }
}

function spawned(child: ChildProcess): Promise<void> {
  return new Promise((resolve, reject) => {
    child.once('spawn', resolve).once('error', reject);
  });
}

function exitOf(child: ChildProcess): Promise<Exit> {
  return new Promise((resolve) => {
    child.once('exit', (code, signal) => resolve({ code, signal }));
  });
}
