/** Viewers: `pidp10ctl watch`, which are stopped, go on, and are killed; and a spy who hears everything. */
import type { Fakeline } from '@pidp10/fakeline';
import type { DaemonClient, NotificationListener } from '@pidp10/protocol/node/daemonClient';
import { eventually } from '../processes.ts';
import { BIN, type Program, type Sandbox } from '../sandbox.ts';
import type { Chance } from './chance.ts';
import type { Figures } from './figures.ts';
import type { LineTap } from './lineTap.ts';

const VIEWERS = 3;
/** How long the line may be silent before something is done to a viewer all the same. */
const PATIENCE_MS = 3_000;
const END_MS = 60_000;
/** A mark that is told to all who watch. */
const THE_END = 'the end of the hour';

export interface ViewersOptions {
  readonly sandbox: Sandbox;
  readonly line: Fakeline;
  readonly tap: LineTap;
  readonly chance: Chance;
  readonly figures: Figures;
}

export class Viewers {
  readonly #options: ViewersOptions;
  readonly #running: Program[];
  readonly #stopped = new Set<Program>();
  readonly pids: number[] = [];

  constructor(options: ViewersOptions) {
    this.#options = options;
    this.#running = Array.from({ length: VIEWERS }, () => this.#start());
  }

  async run(isOver: () => boolean): Promise<void> {
    const { chance, figures, line, tap } = this.#options;
    while (!isOver()) {
      const until = tap.sentBytes + chance.between(50, 3_000);
      await line
        .waitFor(() => tap.sentBytes >= until, { what: 'output', timeoutMs: PATIENCE_MS })
        .catch(() => undefined);
      const at = chance.between(0, VIEWERS - 1);
      const viewer = this.#running[at];
      if (viewer === undefined) throw new Error('no viewer');
      if (this.#stopped.delete(viewer)) viewer.kill('SIGCONT');
      else if (chance.oneIn(6)) {
        viewer.kill('SIGKILL');
        await viewer.exited;
        figures.count('viewers killed');
        this.#running[at] = this.#start();
      } else {
        viewer.kill('SIGSTOP');
        figures.count('times a viewer was stopped');
        this.#stopped.add(viewer);
      }
    }
  }

  /** Every viewer goes on, and comes to the present. Returns what is wrong with what they saw. */
  async finish(client: DaemonClient): Promise<readonly string[]> {
    for (const viewer of this.#running) viewer.kill('SIGCONT');
    // One that has just been started hears only what comes from now on.
    await eventually(
      'the present at every viewer',
      async () => {
        await client.request('line.mark', { text: THE_END });
        return this.#running.every(({ stdout }) => stdout.includes(THE_END));
      },
      END_MS,
    );
    const faults = this.#running.flatMap(({ stdout }) => gapsOf(stdout));
    for (const viewer of this.#running) viewer.kill('SIGINT');
    const codes = await Promise.all(this.#running.map(async ({ exited }) => (await exited).code));
    return [...faults, ...codes.flatMap((code) => (code === 130 ? [] : [`a viewer ended with ${code}`]))];
  }

  #start(): Program {
    const viewer = this.#options.sandbox.run(BIN.ctl, { args: ['watch', '--json', '--input'] });
    this.pids.push(viewer.pid);
    return viewer;
  }
}

/** Places where a viewer was told output that does not follow what it was told before, unless it was told so. */
function gapsOf(stdout: string): readonly string[] {
  const faults: string[] = [];
  let at: number | undefined;
  for (const line of stdout.split('\n').slice(0, -1)) {
    const { event, start, end }: { event?: string; start?: number; end?: number } = JSON.parse(line);
    if (event === 'truncated') at = undefined;
    if (event !== 'line.output') continue;
    if (at !== undefined && start !== at) faults.push(`a viewer was told ${start} behind ${at}`);
    at = end;
  }
  return faults;
}

/** All that a spy was told. */
export class Spy {
  readonly #pieces: Buffer[] = [];
  readonly inputs: unknown[] = [];
  readonly faults: string[] = [];
  #end: number | undefined;

  readonly listener: NotificationListener = (name, params) => {
    if (name === 'line.lagged') this.faults.push('the spy lagged');
    if (name === 'line.input') this.inputs.push(params);
    if (name !== 'line.output') return;
    const { start, end, bytes = '' } = params as { start: number; end: number; bytes?: string };
    if (this.#end !== undefined && this.#end !== start)
      this.faults.push(`the spy was told ${start} behind ${this.#end}`);
    this.#end = end;
    this.#pieces.push(Buffer.from(bytes, 'base64'));
  };

  get heard(): Buffer {
    return Buffer.concat(this.#pieces);
  }

  /** Tries to type, now and then. */
  async run(client: DaemonClient, isOver: () => boolean): Promise<void> {
    while (!isOver()) {
      const why = await client.request('line.send', { input: 'spy' }).then(
        () => 'the spy typed',
        (error: Error) => ('data' in error ? undefined : error.message),
      );
      if (why !== undefined) this.faults.push(why);
      await client.request('line.read', { timeoutMs: 2_000 });
    }
  }
}
