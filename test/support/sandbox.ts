/**
 * A private folder with the real programs in it: nothing of a test is visible outside, and nothing is left behind.
 */
import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type ConnectOptions, DaemonClient } from '@pidp10/protocol/node/daemonClient';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
/** A test that waits for a condition longer than this, in ms, has failed: far above what a loaded machine needs. */
const PATIENCE_MS = 20_000;

export const BIN = {
  daemon: join(ROOT, 'packages/daemon/bin/pidp10d.js'),
  ctl: join(ROOT, 'packages/daemon/bin/pidp10ctl.js'),
  bridge: join(ROOT, 'packages/mcp-bridge/bin/pidp10-mcp.js'),
  fakeline: join(ROOT, 'packages/fakeline/bin/fakeline.js'),
} as const;

export interface Exit {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

/** One real process, its output, and its end. */
export class Program {
  readonly child: ChildProcessWithoutNullStreams;
  readonly exited: Promise<Exit>;
  #stdout = '';
  #stderr = '';
  #exit: Exit | undefined;

  constructor(child: ChildProcessWithoutNullStreams) {
    this.child = child;
    child.stdout.on('data', (chunk: Buffer) => {
      this.#stdout += chunk.toString('utf8');
    });
    child.stderr.on('data', (chunk: Buffer) => {
      this.#stderr += chunk.toString('utf8');
    });
    child.stdin.on('error', () => undefined); // a program may end before it has read everything
    this.exited = new Promise((resolve) => {
      child.once('close', (code, signal) => {
        this.#exit = { code, signal };
        resolve(this.#exit);
      });
    });
  }

  get pid(): number {
    if (this.child.pid === undefined) throw new Error('the program did not start');
    return this.child.pid;
  }

  get stdout(): string {
    return this.#stdout;
  }

  get stderr(): string {
    return this.#stderr;
  }

  get hasExited(): boolean {
    return this.#exit !== undefined;
  }

  kill(signal: NodeJS.Signals): void {
    if (!this.hasExited) this.child.kill(signal);
  }

  /** Waits until `isThere` is true of the program's output. */
  async until(what: string, isThere: (program: Program) => boolean): Promise<void> {
    const deadline = AbortSignal.timeout(PATIENCE_MS);
    while (!isThere(this)) {
      if (this.hasExited)
        throw new Error(`ended before ${what}: ${JSON.stringify(this.#exit)} ${this.#stderr}`);
      // Whoever loses the race stops listening: a program that prints much would gather listeners otherwise.
      const turn = new AbortController();
      const signal = AbortSignal.any([deadline, turn.signal]);
      try {
        const heard = [this.child.stdout, this.child.stderr].map((stream) =>
          once(stream, 'data', { signal }),
        );
        await Promise.race([...heard, this.exited]).finally(() => {
          for (const loser of heard) loser.catch(() => {});
          turn.abort();
        });
      } catch {
        throw new Error(`no ${what} in ${PATIENCE_MS} ms; stdout: ${this.#stdout} stderr: ${this.#stderr}`);
      }
    }
  }
}

export interface RunOptions {
  readonly args?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  readonly nodeArgs?: readonly string[];
  readonly cwd?: string;
  /** Program that runs Node for us, with its arguments: `strace`, or a shell that sets limits before `exec "$@"`. */
  readonly launcher?: readonly string[];
}

export class Sandbox implements AsyncDisposable {
  readonly folder: string;
  readonly #programs: Program[] = [];
  readonly #adopted: number[] = [];

  private constructor(folder: string) {
    this.folder = folder;
  }

  static async create(): Promise<Sandbox> {
    return new Sandbox(await mkdtemp(join(tmpdir(), 'p10-')));
  }

  /** Socket of the daemon `name` (default `line`) of this sandbox. */
  socket(name = 'line'): string {
    return join(this.folder, 'run', 'pidp10d', `${name}.sock`);
  }

  get stateDir(): string {
    return join(this.folder, 'state');
  }

  /** Environment in which every program of ours finds only this sandbox. */
  get env(): Record<string, string> {
    return {
      PATH: process.env['PATH'] ?? '',
      HOME: this.folder,
      LANG: 'C.UTF-8',
      XDG_RUNTIME_DIR: join(this.folder, 'run'),
      XDG_STATE_HOME: join(this.folder, 'xdg-state'),
      XDG_CONFIG_HOME: join(this.folder, 'xdg-config'),
      PIDP10D_SOCKET: this.socket(),
      PIDP10_STATE_DIR: this.stateDir,
    };
  }

  /** Starts one of our programs (`BIN`) under this Node. */
  run(script: string, options: RunOptions = {}): Program {
    const { args = [], env = {}, nodeArgs = [], cwd = this.folder, launcher = [] } = options;
    const [file = '', ...words] = [...launcher, process.execPath, ...nodeArgs, script, ...args];
    const child = spawn(file, words, {
      cwd,
      env: { ...this.env, ...env },
    });
    const program = new Program(child);
    this.#programs.push(program);
    return program;
  }

  /** Starts a daemon and waits until it serves. It says `"msg":"serving"` on stderr then. */
  async daemon(options: RunOptions = {}): Promise<Program> {
    const program = this.run(BIN.daemon, options);
    await program.until('"serving"', ({ stderr }) => stderr.includes('"msg":"serving"'));
    return program;
  }

  /** A client of the daemon; `reader`, `commit` and `access` as in hello. */
  connect(
    options: Pick<ConnectOptions, 'reader' | 'commit' | 'access' | 'onNotification'> & { name?: string } = {},
  ): Promise<DaemonClient> {
    const { reader, commit, access, onNotification, name } = options;
    return DaemonClient.connect({
      socket: this.socket(name),
      client: { name: 'test', version: '0' },
      ...(reader !== undefined && { reader }),
      ...(commit !== undefined && { commit }),
      ...(access !== undefined && { access }),
      ...(onNotification !== undefined && { onNotification }),
    });
  }

  /** A process that our programs started in their place, to be ended with them. */
  adopt(pid: number): void {
    this.#adopted.push(pid);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const pid of this.#adopted) {
      try {
        process.kill(pid, 'SIGKILL');
      } catch {
        // it has ended already
      }
    }
    for (const program of this.#programs) {
      program.kill('SIGCONT');
      program.kill('SIGKILL');
    }
    await Promise.all(this.#programs.map((program) => program.exited));
    await rm(this.folder, { recursive: true, force: true });
  }
}
