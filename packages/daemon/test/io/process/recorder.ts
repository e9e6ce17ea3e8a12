/** Starts children for tests, keeps what they say, and leaves none behind. */
import { randomBytes } from 'node:crypto';
import { onTestFinished } from 'vitest';
import { childEnvironment } from '../../../src/io/childEnvironment.ts';
import { type PipeProcessOptions, startPipeProcess } from '../../../src/io/pipeProcess.ts';
import type { ProcessExit, ProcessHandle } from '../../../src/io/process/processHandle.ts';
import { ProcessTree } from '../../../src/io/processTree.ts';
import { type PtyProcessOptions, startPtyProcess } from '../../../src/io/ptyProcess.ts';

const PATIENCE_MS = 15_000;
const POLL_MS = 5;

/** Waits for a named condition. */
export async function until(what: string, isSo: () => boolean, patienceMs = PATIENCE_MS): Promise<void> {
  const deadline = performance.now() + patienceMs;
  while (!isSo()) {
    if (performance.now() > deadline) throw new Error(`waited in vain: ${what}`);
    await new Promise((resolve) => {
      setTimeout(resolve, POLL_MS);
    });
  }
}

export class Recorder {
  readonly chunks = { out: [] as Uint8Array[], err: [] as Uint8Array[] };
  /** Everything but data, in order. */
  readonly happened: string[] = [];
  exit: ProcessExit | undefined;
  writtenBytes = 0;
  lostBytes: number | undefined;
  handle!: ProcessHandle;
  readonly mark = randomBytes(8).toString('hex');

  readonly events = {
    data: (stream: 'out' | 'err', bytes: Uint8Array) => void this.chunks[stream].push(bytes.slice()),
    streamEnd: (stream: 'out' | 'err') => void this.happened.push(`${stream} ended`),
    exit: (exit: ProcessExit) => {
      this.exit = exit;
      this.happened.push('exit');
    },
    inputWritten: (bytes: number) => {
      this.writtenBytes += bytes;
    },
    inputClosed: (lostBytes: number) => {
      this.lostBytes = lostBytes;
      this.happened.push('input closed');
    },
  };

  bytes(stream: 'out' | 'err' = 'out'): Buffer {
    return Buffer.concat(this.chunks[stream]);
  }

  text(stream: 'out' | 'err' = 'out'): string {
    return this.bytes(stream).toString('utf8');
  }

  has(event: string): boolean {
    return this.happened.includes(event);
  }

  async said(words: string): Promise<void> {
    await until(`output ${JSON.stringify(words)}`, () => this.text().includes(words));
  }

  async over(): Promise<void> {
    await until('exit and end of output', () => this.exit !== undefined && this.has('out ended'));
  }

  tree(): ProcessTree {
    const { pid, startTime } = this.handle;
    return new ProcessTree({
      leader: { pid, startTime: startTime ?? -1 },
      mark: `COMMAND_SESSION_MARK=${this.mark}`,
    });
  }

  /** Environment as a session's, without a look at the test's own but for PATH. */
  environment(isPty: boolean, extra: Record<string, string> = {}): Record<string, string> {
    return childEnvironment({ base: { PATH: process.env['PATH'] }, extra, cwd: '/', isPty, mark: this.mark });
  }

  /** Kills whatever is left of it when the test is over. */
  own(handle: ProcessHandle): this {
    this.handle = handle;
    onTestFinished(() => {
      this.tree().signal(['SIGKILL']);
      handle[Symbol.dispose]();
    });
    return this;
  }
}

export async function onPipes(
  argv: readonly [string, ...string[]],
  options: Partial<PipeProcessOptions> = {},
): Promise<Recorder> {
  const recorder = new Recorder();
  const [command, ...args] = argv;
  const env = recorder.environment(false);
  return recorder.own(
    await startPipeProcess({ command, args, cwd: '/', env, splitStderr: false, ...options }, recorder.events),
  );
}

export async function onPty(
  argv: readonly [string, ...string[]],
  options: Partial<PtyProcessOptions> = {},
): Promise<Recorder> {
  const recorder = new Recorder();
  const [command, ...args] = argv;
  const size = { rows: 24, columns: 80 };
  return recorder.own(
    await startPtyProcess(
      { command, args, cwd: '/', env: recorder.environment(true), size, ...options },
      recorder.events,
    ),
  );
}

export const bytesOfText = (text: string): Uint8Array => new TextEncoder().encode(text);
