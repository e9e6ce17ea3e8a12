/**
 * One run of pidp10ctl: parse, let the command make its calls, print, return the exit code. Output goes to standard
 * output and everything said about it to standard error, so that pipes stay clean.
 */
import { addAbortSignal, type Readable } from 'node:stream';
import { LocalError, RpcError, rpcErrorName } from '@pidp10/protocol/errors';
import { VERSION } from '../version.ts';
import { type Answer, type Context, type Output, UsageError } from './command.ts';
import { DaemonAccess, type Surroundings } from './daemonAccess.ts';
import { EXIT, toErrorExitCode } from './exitCodes.ts';
import { neutralize, toJsonText } from './neutralize.ts';
import { parseArguments } from './parse.ts';
import { toShellMessage } from './remedies.ts';

export interface RunOptions extends Surroundings {
  readonly cwd: string;
  readonly stdin: Readable;
  readonly stdout: Output;
  readonly stderr: Output;
  /** Aborted by ^C: what is under way is cancelled, and what had come is printed. */
  readonly signal: AbortSignal;
}

/** Returns the exit code; never throws. */
export async function run(argv: readonly string[], options: RunOptions): Promise<number> {
  // As long as nobody knows what belongs to whom: a wrong command line has no other answer.
  let isJson = argv.slice(0, toEndOfOptions(argv)).includes('--json');
  try {
    const parsed = await parseArguments(argv);
    switch (parsed.kind) {
      case 'help':
        options.stdout.write(parsed.text);
        return EXIT.ok;
      case 'version':
        options.stdout.write(`${VERSION}\n`);
        return EXIT.ok;
      case 'command': {
        isJson = parsed.args.flag('json');
        const note = (text: string) => say(options, text);
        const context: Context = {
          ...options,
          daemon: new DaemonAccess({ ...options, args: parsed.args, note }),
          readStdin: (maxChars) => readAll(options, maxChars),
        };
        const answer = await parsed.command.run(parsed.args, context);
        if (isJson) options.stdout.write(`${toJsonText(answer.wire)}\n`);
        else print(answer, options);
        return answer.exitCode;
      }
      default:
        return parsed satisfies never;
    }
  } catch (error) {
    if (isJson) options.stdout.write(`${toJsonText({ error: toErrorObject(error) })}\n`);
    else say(options, toErrorText(error));
    // Not every method has a result to say `cancelled` in; an error after ^C is the answer to it.
    return options.signal.aborted ? EXIT.interrupted : toErrorExitCode(error);
  }
}

function print({ output, sections, earlier, notes }: Answer, options: RunOptions): void {
  if (earlier !== undefined) {
    say(options, 'earlier output, not read before:');
    options.stderr.write(withNewline(neutralize(earlier)));
    say(options, 'end of the earlier output');
  }
  for (const section of sections ?? [{ output }]) {
    if ('label' in section) say(options, section.label);
    printOutput(section.output, options);
  }
  for (const note of notes) say(options, note);
}

function printOutput(output: string, options: RunOptions): void {
  const text = neutralize(output);
  options.stdout.write(text);
  // On a terminal the notes would go on in the line of a prompt; into a pipe the output goes exactly as it is.
  if (options.stdout.isTTY === true && withNewline(text) !== text) options.stderr.write('\n');
}

function say({ stderr }: RunOptions, text: string): void {
  stderr.write(`pidp10ctl: ${neutralize(text)}\n`);
}

function withNewline(text: string): string {
  return text === '' || text.endsWith('\n') ? text : `${text}\n`;
}

function toErrorText(error: unknown): string {
  if (error instanceof UsageError) return `${error.message}\nSee pidp10ctl --help.`;
  if (error instanceof RpcError) return toShellMessage(error);
  return error instanceof Error ? error.message : String(error);
}

/** As on the wire where it came from there; `name` is always there. */
function toErrorObject(error: unknown): object {
  if (error instanceof RpcError) {
    const { code, message, data } = error;
    return { code, name: rpcErrorName(code) ?? 'unknown', message, data };
  }
  if (error instanceof LocalError) return { name: error.code, message: error.message };
  const name = error instanceof UsageError ? 'usage' : 'fault';
  return { name, message: error instanceof Error ? error.message : String(error) };
}

async function readAll({ stdin, signal }: RunOptions, maxChars: number): Promise<string> {
  let text = '';
  try {
    stdin.setEncoding('utf8');
    for await (const chunk of addAbortSignal(signal, stdin)) {
      text += String(chunk);
      if (text.length > maxChars) throw new UsageError(`standard input has more than ${maxChars} characters`);
    }
  } catch (error) {
    if (signal.aborted) throw new LocalError('cancelled', undefined, error);
    throw error;
  }
  return text;
}

function toEndOfOptions(argv: readonly string[]): number {
  const index = argv.indexOf('--');
  return index === -1 ? argv.length : index;
}
