/** `play FILE`: a recording in this terminal, at its own pace or another. */
import { createReadStream } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import { type Command, type Context, UsageError } from './command.ts';
import { EXIT } from './exitCodes.ts';
import { readAsciicast } from './play/asciicastReader.ts';
import { OutputFilter } from './play/outputFilter.ts';

/** Longest pause that is kept, in seconds: a timer holds no more than 24 days. */
const MAX_PAUSE_SECONDS = 86_400;
const CLEAR = '\x1b[r\x1b[H\x1b[J';

export const playCommand: Command = {
  name: 'play',
  summary: 'Play a recording (asciicast v2 or v3) in this terminal, until its end or ^C',
  positionals: [{ name: 'file', isRequired: true }],
  options: {
    speed: { type: 'number', describe: 'So many times as fast (default 1)' },
    'idle-limit': { type: 'number', describe: 'Longest pause, in seconds of the recording' },
  },
  examples: [
    ['play session.cast --idle-limit 2', 'one that export --format asciicast made'],
    ['play - --speed 4 < session.cast', 'from standard input, four times as fast'],
  ],
  async run(args, context) {
    const [path = ''] = args.positionals;
    const { stdout, signal } = context;
    const speed = positive(args.number('speed') ?? 1, '--speed');
    const idleLimit = positive(args.number('idle-limit') ?? MAX_PAUSE_SECONDS, '--idle-limit');
    if (args.flag('json')) throw new UsageError('play does not go with --json');
    if (stdout.isTTY !== true) throw new UsageError('play needs a terminal on standard output');
    const filter = new OutputFilter();
    const notes: string[] = [];
    let rows: number | undefined;
    let seconds = 0;
    try {
      for await (const part of readAsciicast(open(path, context))) {
        if (part.kind === 'header') {
          ({ rows } = part.header.term);
          const own = stdout.rows ?? rows;
          if (own < rows) notes.push(`the recording has ${rows} rows, this terminal ${own}`);
          stdout.write(CLEAR);
          continue;
        }
        const pause = Math.min(part.interval, idleLimit, MAX_PAUSE_SECONDS) / speed;
        seconds += pause;
        if (!(await pauseFor(pause, signal))) break;
        if (part.code === 'o') stdout.write(filter.push(part.data));
      }
    } finally {
      // The whole screen scrolls again, and the shell goes on below the picture.
      if (rows !== undefined) stdout.write(`\x1b[r\x1b[${Math.min(rows, stdout.rows ?? rows)};1H\r\n`);
    }
    const exitCode = signal.aborted ? EXIT.interrupted : EXIT.ok;
    return { wire: { seconds }, output: '', notes, exitCode };
  },
};

function positive(number: number, option: string): number {
  if (number > 0 && Number.isFinite(number)) return number;
  throw new UsageError(`${option} takes a number above 0`);
}

async function* open(path: string, { stdin }: Context): AsyncGenerator<string | Uint8Array> {
  if (path === '-') return yield* stdin;
  try {
    yield* createReadStream(path);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new Error(`cannot read ${path}: ${reason}`, { cause: error });
  }
}

/** False when ^C came. */
async function pauseFor(seconds: number, signal: AbortSignal): Promise<boolean> {
  // Below a ms there is nothing to see, and a timer costs one.
  if (seconds < 0.001) return !signal.aborted;
  return await wait(seconds * 1_000, true, { signal }).catch(() => false);
}
