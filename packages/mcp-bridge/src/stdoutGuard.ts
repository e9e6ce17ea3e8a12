/**
 * Keeps standard output for MCP frames alone (I13). Whatever else writes there ends on standard error: console.*,
 * process.stdout.write, and the functions of node:fs given descriptor 1.
 * Not covered: native code, children that inherit the descriptor (we start none that do), a path such as /dev/stdout,
 * and what ran before us (node --require).
 */
import { syncBuiltinESMExports } from 'node:module';

const STDOUT_FD = 1;
const STDERR_FD = 2;
/** Functions of node:fs whose first argument may be a descriptor to write to. */
const WRITERS = [
  'write',
  'writeSync',
  'writev',
  'writevSync',
  'writeFile',
  'writeFileSync',
  'appendFile',
  'appendFileSync',
] as const;

/** The one way to standard output that is left. */
export interface FrameOutput {
  /** `done` runs when the system has taken the text, or with the error; nothing is known about the reader then. */
  write(text: string, done?: (error?: Error | null) => void): void;
  /** Bytes that the system has not taken yet. */
  readonly queuedBytes: number;
  /** Called once; a broken pipe is the usual reason. */
  onError(listener: (error: Error) => void): void;
  onDrain(listener: () => void): void;
}

export function guardStdout(): FrameOutput {
  const { stdout, stderr } = process;
  const write = stdout.write.bind(stdout);
  const toStderr = stderr.write.bind(stderr);
  Object.defineProperty(stdout, 'write', { value: toStderr });
  Object.defineProperty(stdout, 'end', { value: () => stdout });
  // Not imported: that costs a start 8 ms, because an import makes node load all that node:fs can do.
  const fs = process.getBuiltinModule('node:fs');
  for (const name of WRITERS) redirect(fs, name);
  syncBuiltinESMExports();
  // Nobody reads what we say about ourselves: no reason to end.
  stderr.on('error', () => {});
  return {
    write: (text, done) => void write(text, done),
    get queuedBytes() {
      return stdout.writableLength;
    },
    onError: (listener) => void stdout.on('error', listener),
    onDrain: (listener) => void stdout.on('drain', listener),
  };
}

function redirect(fs: typeof import('node:fs'), name: (typeof WRITERS)[number]): void {
  const real = fs[name];
  const guarded = (target: unknown, ...rest: unknown[]): unknown =>
    Reflect.apply(real, fs, [target === STDOUT_FD ? STDERR_FD : target, ...rest]);
  // util.promisify finds its own version of a function in a property of it.
  Object.defineProperties(guarded, Object.getOwnPropertyDescriptors(real));
  Reflect.set(fs, name, guarded);
}
