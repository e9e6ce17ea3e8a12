/**
 * What a command is: a literal with its options, its examples and one function that makes calls and returns an answer.
 * Printing is done in one place (run.ts), so that no command can forget `--json` or what must not reach a terminal.
 */
import type { Readable } from 'node:stream';
import type { DaemonAccess } from './daemonAccess.ts';

export interface OptionSpec {
  readonly type: 'string' | 'number' | 'boolean';
  readonly describe: string;
  readonly alias?: string;
  readonly choices?: readonly string[];
  /** May be given several times; else the last one counts. */
  readonly isRepeatable?: boolean;
}

export interface PositionalSpec {
  readonly name: string;
  readonly isRequired?: boolean;
  /** Takes all that follows; only the last one may. */
  readonly isRest?: boolean;
  /** All that follows belongs to a program of the user, options too: ours stand before it. */
  readonly isVerbatim?: boolean;
}

export interface Command {
  readonly name: string;
  readonly summary: string;
  readonly positionals: readonly PositionalSpec[];
  readonly options: Readonly<Record<string, OptionSpec>>;
  /** Arguments behind `pidp10ctl`, and what they do. */
  readonly examples: readonly (readonly [args: string, what: string])[];
  readonly run: (args: Arguments, context: Context) => Promise<Answer>;
}

export interface Context {
  readonly daemon: DaemonAccess;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Folder in which the shell stands. */
  readonly cwd: string;
  /** Aborted by ^C. */
  readonly signal: AbortSignal;
  readonly stdin: Readable;
  /** Everything of standard input, up to `maxChars`; throws a usage error beyond. */
  readonly readStdin: (maxChars: number) => Promise<string>;
  /** For what changes while the command runs; everything else goes into its answer. */
  readonly stdout: Output;
  readonly stderr: Output;
}

/** Where text goes. Whoever writes to one that is a terminal takes care of what may reach a terminal. */
export interface Output {
  write(text: string | Uint8Array): unknown;
  /** What cannot be written any more, such as EPIPE. */
  once?(event: 'error', listener: () => void): unknown;
  readonly isTTY?: boolean | undefined;
  /** Of a terminal. */
  readonly rows?: number | undefined;
  readonly columns?: number | undefined;
}

/** A part of what was asked for, labelled on standard error. */
export interface Section {
  readonly label: string;
  readonly output: string;
}

/** What a command has to say, for programs and for people. Nothing in it is made harmless yet. */
export interface Answer {
  /** The result as it came over the wire. */
  readonly wire: unknown;
  /** What was asked for. */
  readonly output: string;
  /** The same in parts, where it has any; printed instead of it. */
  readonly sections?: readonly Section[];
  /** Output of the line that is not part of the answer but must not be lost. */
  readonly earlier?: string | undefined;
  /** One sentence each: how it ended, what to do next. */
  readonly notes: readonly string[];
  readonly exitCode: number;
}

/** Wrong use of the command line; exit code 2. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/** Parsed arguments, each asked for by the type that its literal declares. */
export class Arguments {
  readonly positionals: readonly string[];
  readonly #values: Readonly<Record<string, unknown>>;

  constructor(positionals: readonly string[], values: Readonly<Record<string, unknown>>) {
    this.positionals = positionals;
    this.#values = values;
  }

  text(name: string): string | undefined {
    const value = this.#values[name];
    return typeof value === 'string' ? value : undefined;
  }

  number(name: string): number | undefined {
    const value = this.#values[name];
    return typeof value === 'number' ? value : undefined;
  }

  /** Of an option that may be given several times. */
  texts(name: string): readonly string[] {
    const value = this.#values[name];
    if (typeof value === 'string') return [value];
    return Array.isArray(value) ? value.map(String) : [];
  }

  flag(name: string): boolean {
    return this.#values[name] === true;
  }
}
