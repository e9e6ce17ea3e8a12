/** The command `fakeline`: flags into options, a line on standard output when ready, commands on standard input. */

import { createInterface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';
import { parseArgs } from 'node:util';
import { runCommandLine } from './commandLines.ts';
import type { LineEvent } from './events.ts';
import { type FakelineOptions, startFakeline } from './fakeline.ts';
import { FAULTS, parseFault } from './faults.ts';
import { readTrace, startTrace } from './trace.ts';

export interface CliStreams {
  readonly stdin: Readable;
  readonly stdout: Writable;
  readonly stderr: Writable;
}

export type CliResult =
  | { readonly kind: 'exit'; readonly code: number }
  | { readonly kind: 'running'; readonly close: () => Promise<void> };

/** Flags that take a number, with the least one. */
const NUMBERS = {
  port: 0,
  'poll-ms': 0,
  'ctrl-z-ms': 0,
  'input-cps': 1,
  baud: 1,
  'messages-every': 1,
  'stall-every': 1,
  'stall-ms': 0,
  'peek-ms': 1,
  'peek-jobs': 0,
  'midas-ms': 0,
  seed: 0,
} as const;

const FLAGS = {
  port: { type: 'string', default: '10018' },
  host: { type: 'string', default: '127.0.0.1' },
  'poll-ms': { type: 'string' },
  'ctrl-z-ms': { type: 'string' },
  'input-cps': { type: 'string' },
  baud: { type: 'string' },
  notelnet: { type: 'boolean', default: false },
  tctyp: { type: 'string' },
  'upper-case': { type: 'boolean', default: false },
  'boot-message': { type: 'boolean', default: false },
  'messages-every': { type: 'string' },
  'stall-every': { type: 'string' },
  'stall-ms': { type: 'string' },
  'stall-echoes': { type: 'boolean', default: false },
  'peek-ms': { type: 'string' },
  'peek-jobs': { type: 'string' },
  'midas-ms': { type: 'string' },
  seed: { type: 'string' },
  fault: { type: 'string', multiple: true, default: [] as string[] },
  trace: { type: 'string' },
  'trace-timing': { type: 'boolean', default: false },
  log: { type: 'boolean', default: false },
  help: { type: 'boolean', short: 'h', default: false },
} as const;

/** Starts what the arguments ask for. Bad arguments: one line on stderr and exit 2; a port in use: exit 1. */
export async function runCli(args: readonly string[], streams: CliStreams): Promise<CliResult> {
  let flags: Flags;
  try {
    flags = parseFlags(args);
  } catch (error) {
    streams.stderr.write(`fakeline: ${messageOf(error)}; see fakeline --help\n`);
    return { kind: 'exit', code: 2 };
  }
  if (flags.help) {
    streams.stdout.write(helpText());
    return { kind: 'exit', code: 0 };
  }
  try {
    return flags.trace === undefined
      ? await serveLine(flags, streams)
      : await serveTrace(flags, flags.trace, streams);
  } catch (error) {
    streams.stderr.write(`fakeline: cannot serve ${flags.host}:${flags.port}: ${messageOf(error)}\n`);
    return { kind: 'exit', code: 1 };
  }
}

type Flags = ReturnType<typeof parseFlags>;

function parseFlags(args: readonly string[]) {
  const { values } = parseArgs({ args: [...args], options: FLAGS, strict: true });
  const number = (name: keyof typeof NUMBERS): number | undefined => {
    const text = values[name];
    if (text === undefined) return undefined;
    const value = Number(text);
    if (text !== '' && Number.isFinite(value) && value >= NUMBERS[name]) return value;
    throw new Error(`--${name} needs a number from ${NUMBERS[name]}, found "${text}"`);
  };
  return {
    ...values,
    port: number('port') ?? 0,
    numbers: {
      pollMs: number('poll-ms'),
      ctrlZMs: number('ctrl-z-ms'),
      inputCps: number('input-cps'),
      baud: number('baud'),
      messagesEveryMs: number('messages-every'),
      stallEvery: number('stall-every'),
      stallMs: number('stall-ms'),
      peekMs: number('peek-ms'),
      peekJobs: number('peek-jobs'),
      midasMs: number('midas-ms'),
      seed: number('seed'),
    },
    faults: values.fault.map(parseFault),
  };
}

async function serveLine(flags: Flags, streams: CliStreams): Promise<CliResult> {
  const line = await startFakeline({
    ...toOptions(flags),
    ...(flags.log ? { onEvent: (event: LineEvent) => streams.stderr.write(eventLine(event)) } : {}),
  });
  for (const { name, value } of flags.faults) line.faults.set(name, value);
  const commands = createInterface({ input: streams.stdin });
  commands.on('line', (text) => {
    const wrong = runCommandLine(line, text);
    if (wrong !== undefined) streams.stderr.write(`fakeline: ${wrong}\n`);
  });
  streams.stdout.write(`fakeline: line 9 on ${line.host}:${line.port}\n`);
  return {
    kind: 'running',
    close: async () => {
      commands.close();
      await line.close();
    },
  };
}

async function serveTrace(flags: Flags, path: string, streams: CliStreams): Promise<CliResult> {
  const server = await startTrace({
    entries: readTrace(path),
    host: flags.host,
    port: flags.port,
    hasTiming: flags['trace-timing'],
    onMismatch: (at) => {
      const found = `expected ${at.expected.toString('hex')}, found ${at.found.toString('hex')}`;
      streams.stderr.write(
        `fakeline: ${path}:${at.line}: byte ${at.offset} of client ${at.connection}: ${found}\n`,
      );
    },
    ...(flags.log ? { onEvent: (event: LineEvent) => streams.stderr.write(eventLine(event)) } : {}),
  });
  streams.stdout.write(`fakeline: line 9 on ${server.host}:${server.port}\n`);
  return { kind: 'running', close: () => server.close() };
}

function toOptions(flags: Flags): FakelineOptions {
  return {
    host: flags.host,
    port: flags.port,
    noTelnet: flags.notelnet,
    upperCaseEcho: flags['upper-case'],
    bootMessage: flags['boot-message'],
    stallEchoes: flags['stall-echoes'],
    ...Object.fromEntries(Object.entries(flags.numbers).filter(([, value]) => value !== undefined)),
    ...(flags.tctyp === undefined ? {} : { terminalType: flags.tctyp }),
  };
}

/** An event as one line of JSON, bytes as hex. */
function eventLine(event: LineEvent): string {
  const { bytes, ...rest } = event;
  return `${JSON.stringify({ ...rest, ...(bytes === undefined ? {} : { hex: bytes.toString('hex') }) })}\n`;
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

function helpText(): string {
  const faults = Object.entries(FAULTS).map(([name, what]) => `  ${name.padEnd(16)} ${what}`);
  return `fakeline - a fake ITS terminal line on a TCP port: the multiplexer of the KA-10
simulator (line 9) and a small DDT behind it, with faults on demand

usage: fakeline [flags]

  --port N         TCP port, 0 for any free one (default 10018)
  --host ADDRESS   address to listen on (default 127.0.0.1)
  --poll-ms N      from connect to greeting (default 20; a real simulator up to 1000)
  --ctrl-z-ms N    from ^Z to DDT's banner (default 20; a real ITS 340 to 1220)
  --input-cps N    characters per second taken from TCP (default no limit; real 60)
  --baud N         output in bits per second, ten a character (default no limit)
  --notelnet       no greeting, no telnet: every byte is input (as port 10016)
  --tctyp TYPE     terminal type of the line: vt52 (default), la36, aaa
  --upper-case     letters are echoed in upper case
  --boot-message   the first client is told that the system has come up
  --messages-every MS
                   a message of another user about every MS, while somebody is there
  --stall-every N  programs stop reading about every N characters (default never)
  --stall-ms MS    for so long (default 1000)
  --stall-echoes   what comes meanwhile is echoed at once (default: when it is read)
  --peek-ms MS     PEEK paints again by itself (default 20000, as the real one)
  --peek-jobs N    jobs of others in PEEK; more than 14 make it say --More--
  --midas-ms MS    MIDAS is silent so long (default 0; the real one up to 9200)
  --seed N         for messages and stalls (default 1)
  --fault NAME[=VALUE]
                   a fault from the start; may be repeated; see below
  --trace FILE     replay a recording (JSON lines) to each client instead; what the
                   client sends otherwise than recorded is reported, the replay goes on
  --trace-timing   replay at the recorded speed
  --log            every event as a JSON line on standard error
  --help           this text

When it listens it prints "fakeline: line 9 on HOST:PORT". SIGTERM or SIGINT ends it.
Commands are read from standard input, one a line:
  fault NAME[=VALUE]   clear [NAME]   send TEXT   message USER TEXT
  drop fin|reset       disconnect     (the simulator says goodbye)
  notice going_down|revived|down|clock [MINUTES]
TEXT knows \\r \\n \\t \\e \\xNN \\\\.

Commands on the line: :emacs :peek :teco :midas :create :pword :send :tctyp and DDT's own (:?).

faults:
${faults.join('\n')}

examples:
  fakeline --port 0
  fakeline --poll-ms 1000 --ctrl-z-ms 700 --input-cps 60 --baud 78000
  fakeline --fault split=7 --fault accept-delay=500
  fakeline --fault refuse=busy
  fakeline --messages-every 2000 --stall-every 500 --stall-ms 1500 --input-cps 60
  fakeline --trace 04a-login-listf.jsonl --trace-timing
`;
}
