/**
 * A child on a PTY: argv as given, without a shell; the terminal is its controlling one, and it leads its own session. One stream,
 * `out`. What the terminal's line discipline makes of input (^C, ^D, ^S, lines, echo) is the child's affair.
 *
 * A child that closes its terminal and goes on is left alone: the other side stays open until it exits. Where it ends, the kernel hangs the terminal up: descendants can say nothing more, and yet the output ends only when the
 * last of them has closed the terminal (P13).
 */
import { assertFolder, assertStrings, codeOf, findExecutable, SpawnError } from './process/executable.ts';
import { FdWriter } from './process/fdWriter.ts';
import { withoutDescriptors } from './process/inheritedDescriptors.ts';
import type { InputVerdict, ProcessEvents, ProcessHandle, TerminalSize } from './process/processHandle.ts';
import { readProcess } from './process/processTable.ts';
import { loadPtyLibrary, type Pty, type PtyLibrary } from './process/ptyLibrary.ts';
import { signalChild, signalName } from './process/signalChild.ts';
import { canonicalLineBytes, measureLines, readTtySettings } from './process/ttySettings.ts';

export interface PtyProcessOptions {
  /** A path, or a name that is looked up in the PATH of `env`. */
  readonly command: string;
  readonly args: readonly string[];
  /** Absolute path. */
  readonly cwd: string;
  /** All of the child's environment (`childEnvironment.ts`); TERM among it. */
  readonly env: Readonly<Record<string, string>>;
  readonly size: TerminalSize;
  /** Throws a PtyUnavailableError. */
  readonly load?: () => Promise<PtyLibrary>;
}

/** No terminal is larger; a screen of this size takes some megabytes. */
const SIZE_LIMIT = 1_000;
/** VEOF as terminals start with it. */
const END_OF_INPUT = Uint8Array.of(0x04);

/** As `startPipeProcess`; throws a PtyUnavailableError too. */
export async function startPtyProcess(
  options: PtyProcessOptions,
  events: ProcessEvents,
): Promise<ProcessHandle> {
  const { command, args, cwd, env, size, load = loadPtyLibrary } = options;
  assertSize(size);
  assertFolder(cwd);
  const file = findExecutable(command, env['PATH'], cwd);
  assertStrings(file, args, env);
  const library = await load();
  const child = new PtyProcess(events);
  try {
    const invocation = withoutDescriptors({ file, args });
    child.start(library, { ...invocation, cwd, env, term: env['TERM'] ?? 'dumb', ...size });
    return child;
  } catch (error) {
    throw new SpawnError(
      'failed',
      file,
      `Starting ${file} on a PTY failed (${codeOf(error)}). The machine may be out of terminals or processes.`,
      error,
    );
  }
}

class PtyProcess implements ProcessHandle {
  readonly #events: ProcessEvents;
  #pty: Pty | undefined;
  #writer: FdWriter | undefined;
  #pid = 0;
  #startTime: number | undefined;
  /** Bytes of the line that was begun and not ended, as far as it was accepted. */
  #openLineBytes = 0;
  #hasExited = false;
  #isDisposed = false;

  constructor(events: ProcessEvents) {
    this.#events = events;
  }

  start(library: PtyLibrary, options: Parameters<PtyLibrary>[0]): void {
    const events = this.#events;
    const pty = library(options, {
      data: (bytes) => this.#tell(() => events.data('out', bytes)),
      ended: () => this.#end(),
      exit: (code, signal) => {
        this.#hasExited = true;
        const name = signalName(signal);
        this.#tell(() =>
          events.exit(name === undefined ? { code, signal: undefined } : { code: undefined, signal: name }),
        );
      },
    });
    this.#pty = pty;
    this.#pid = pty.pid;
    this.#startTime = readProcess(pty.pid)?.startTime;
    this.#writer = new FdWriter(pty.fd, {
      written: (bytes) => this.#tell(() => events.inputWritten(bytes)),
      failed: () => this.#closeInput(),
      ended: () => undefined, // a PTY's input ends with the character for it
    });
  }

  get pid(): number {
    return this.#pid;
  }

  get startTime(): number | undefined {
    return this.#startTime;
  }

  get queuedInputBytes(): number {
    return this.#writer?.queuedBytes ?? 0;
  }

  write(bytes: Uint8Array): ReturnType<ProcessHandle['write']> {
    const writer = this.#writer;
    if (writer?.isOpen !== true) return { kind: 'closed' };
    if (bytes.length > writer.roomBytes) return { kind: 'full', roomBytes: writer.roomBytes };
    writer.queue(bytes);
    this.#openLineBytes = measureLines(bytes, this.#openLineBytes).open;
    return { kind: 'queued', queuedBytes: writer.queuedBytes };
  }

  async checkInput(bytes: Uint8Array): Promise<InputVerdict> {
    const limitBytes = canonicalLineBytes(process.platform);
    const lineBytes = measureLines(bytes, this.#openLineBytes).longest;
    if (lineBytes <= limitBytes || this.#pty === undefined) return { kind: 'fits' };
    const settings = await readTtySettings(this.#pty.path);
    // Where nobody can tell, the mode is taken for the one that terminals start with.
    return settings?.isCanonical === false
      ? { kind: 'fits' }
      : { kind: 'lineTooLong', lineBytes, limitBytes };
  }

  discardInput(): number {
    this.#openLineBytes = 0;
    return this.#writer?.discard() ?? 0;
  }

  closeInput(): void {
    if (this.write(END_OF_INPUT).kind === 'full') this.#writer?.queue(END_OF_INPUT);
  }

  signal(...[name, target]: Parameters<ProcessHandle['signal']>): ReturnType<ProcessHandle['signal']> {
    return signalChild(
      { pid: this.#pid, startTime: this.#startTime, isAlive: !this.#hasExited },
      name,
      target,
    );
  }

  resize(size: TerminalSize): void {
    assertSize(size);
    this.#pty?.resize(size.columns, size.rows);
  }

  async echoState(): ReturnType<ProcessHandle['echoState']> {
    const settings = this.#pty === undefined ? undefined : await readTtySettings(this.#pty.path);
    if (settings === undefined) return 'unknown';
    if (settings.echoes) return 'on';
    // A program that edits lines itself has both off, and echoes all the same; one that asks for a secret only the echo.
    return settings.isCanonical ? 'off' : 'unknown';
  }

  pauseOutput(): void {
    this.#pty?.pause();
  }

  resumeOutput(): void {
    this.#pty?.resume();
  }

  [Symbol.dispose](): void {
    this.#isDisposed = true;
    this.#writer?.stop();
    this.#pty?.close();
    this.#pty = undefined;
  }

  #end(): void {
    this.#closeInput();
    this.#pty?.close();
    this.#pty = undefined;
    this.#tell(() => this.#events.streamEnd('out'));
  }

  #closeInput(): void {
    const writer = this.#writer;
    if (writer === undefined) return;
    this.#writer = undefined;
    const lostBytes = writer.stop();
    this.#tell(() => this.#events.inputClosed(lostBytes));
  }

  #tell(event: () => void): void {
    if (!this.#isDisposed) event();
  }
}

function assertSize({ rows, columns }: TerminalSize): void {
  for (const [name, value] of Object.entries({ rows, columns })) {
    if (Number.isInteger(value) && value >= 1 && value <= SIZE_LIMIT) continue;
    throw new RangeError(`A terminal has 1 to ${SIZE_LIMIT} ${name}, not ${value}.`);
  }
}
