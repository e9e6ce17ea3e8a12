/** The command line: settings from flags and environment, the signals, and the bridge. */
import type { Readable } from 'node:stream';
import { parseArgs } from 'node:util';
import { serveBridge } from './bridge.ts';
import { type Environment, type Flags, readSettings, type Settings } from './settings.ts';
import type { FrameOutput } from './stdoutGuard.ts';
import { VERSION } from './version.ts';

/** Exit code for a wrong command line. */
const USAGE_ERROR = 2;

export interface MainOptions {
  readonly argv: readonly string[];
  readonly env: Environment;
  readonly input: Readable;
  readonly output: FrameOutput;
}

export async function main({ argv, env, input, output }: MainOptions): Promise<void> {
  const exit = (): void => process.exit(0);
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, exit);
  const parsed = tryParseFast(argv) ?? (await parseArguments(argv));
  switch (parsed.kind) {
    case 'text':
      return output.write(`${parsed.text}\n`, exit);
    case 'wrong':
      return failUsage(parsed.problem);
    case 'flags': {
      const settings = tryReadSettings(parsed.flags, env);
      if (typeof settings === 'string') return failUsage(settings);
      if (process.stdin.isTTY)
        console.error(
          'pidp10-mcp speaks MCP on standard input and output; an MCP client starts it. See --help.',
        );
      return serveBridge({ settings, input, output, exit });
    }
    default:
      return parsed satisfies never;
  }
}

export type ParsedArguments =
  | { readonly kind: 'flags'; readonly flags: Flags }
  /** --help or --version. */
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'wrong'; readonly problem: string };

const OPTIONS = {
  name: { type: 'string', describe: 'Daemon to use (PIDP10_NAME), default "line"' },
  socket: { type: 'string', describe: "Path of the daemon's socket (PIDP10D_SOCKET)" },
  'state-dir': { type: 'string', describe: 'State folder (PIDP10_STATE_DIR)' },
  host: { type: 'string', describe: 'Host of the line (PIDP10_HOST)' },
  port: { type: 'string', describe: 'Port of the line (PIDP10_PORT)' },
  reader: { type: 'string', describe: 'Name of the place in the output (PIDP10_READER)' },
  caps: { type: 'string', describe: 'Groups of tools (PIDP10_CAPS), default "line,commands"' },
  'no-spawn': { type: 'boolean', describe: 'Never start a daemon' },
} as const;

/**
 * Flags without a fault, by what node has built in. Undefined for all else: help, version and errors are worth the 20 ms
 * that yargs takes to load, a start while a client waits is not.
 */
export function tryParseFast(argv: readonly string[]): ParsedArguments | undefined {
  try {
    const { values } = parseArgs({
      args: [...argv],
      options: OPTIONS,
      strict: true,
      allowPositionals: false,
    });
    const { name, socket, host, port, reader, caps, 'state-dir': stateDir, 'no-spawn': noSpawn } = values;
    return {
      kind: 'flags',
      flags: { name, socket, stateDir, host, port, reader, caps, spawn: noSpawn !== true },
    };
  } catch {
    return undefined;
  }
}

export async function parseArguments(argv: readonly string[]): Promise<ParsedArguments> {
  const { default: yargs } = await import('yargs');
  let text = '';
  let problem: string | undefined;
  const { name, socket, host, port, reader, caps, stateDir, spawn } = await yargs()
    .scriptName('pidp10-mcp')
    .usage(
      '$0 [options]\n\nMCP server on stdio for the terminal line of a PiDP-10, which the daemon pidp10d holds.',
    )
    .options(OPTIONS)
    .option('spawn', { type: 'boolean', default: true, hidden: true })
    .requiresArg(['name', 'socket', 'state-dir', 'host', 'port', 'reader', 'caps'])
    .strict()
    .parserConfiguration({ 'duplicate-arguments-array': false })
    .version(VERSION)
    .help()
    .exitProcess(false)
    .fail((message, error) => {
      problem = message ?? error?.message ?? 'The command line is wrong.';
    })
    .parse([...argv], (_error: unknown, _flags: unknown, output: string) => {
      text = output;
    });
  if (problem !== undefined) return { kind: 'wrong', problem };
  if (text !== '') return { kind: 'text', text };
  return { kind: 'flags', flags: { name, socket, stateDir, host, port, reader, caps, spawn } };
}

function tryReadSettings(flags: Flags, env: Environment): Settings | string {
  try {
    return readSettings(flags, env);
  } catch (error) {
    if (error instanceof Error) return error.message;
    throw error;
  }
}

function failUsage(problem: string): void {
  process.stderr.write(`pidp10-mcp: ${problem}\nSee pidp10-mcp --help.\n`, () => process.exit(USAGE_ERROR));
}
