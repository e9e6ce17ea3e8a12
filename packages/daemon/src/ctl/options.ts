/** Options that several commands share, as literals; parse.ts makes the parser and the help text of them. */
import type { Arguments, OptionSpec } from './command.ts';

export const GLOBAL_OPTIONS = {
  name: { type: 'string', describe: 'Name of the daemon (env PIDP10_NAME; default line)' },
  socket: { type: 'string', describe: 'Socket of the daemon (env PIDP10D_SOCKET)' },
  'state-dir': { type: 'string', describe: 'State folder (env PIDP10_STATE_DIR)' },
  reader: {
    type: 'string',
    describe: 'Whose place in the output to go on from (env PIDP10_READER; default ctl)',
  },
  'no-spawn': { type: 'boolean', describe: 'Never start a daemon' },
  json: { type: 'boolean', describe: 'One JSON document on standard output, errors too' },
  help: { type: 'boolean', alias: 'h', describe: 'Show help' },
  version: { type: 'boolean', describe: 'Show the version' },
} as const satisfies Record<string, OptionSpec>;

/** Of the commands that may start a daemon. */
export const SPAWN_OPTIONS = {
  host: {
    type: 'string',
    describe: 'Host of the emulator, for a daemon started here (env PIDP10_HOST)',
  },
  port: {
    type: 'number',
    describe: 'Port of the line, for a daemon started here (env PIDP10_PORT)',
  },
} as const satisfies Record<string, OptionSpec>;

export const WAIT_OPTIONS = {
  expect: { type: 'string', alias: 'e', describe: 'Stop when this pattern (RE2 syntax) matches the output' },
  'timeout-ms': { type: 'number', describe: 'Longest wait, in ms' },
  'quiet-ms': { type: 'number', describe: 'Silence that ends the wait, in ms (default 700)' },
  'settle-ms': { type: 'number', describe: 'Silence after a match or prompt, in ms (default 150)' },
  'max-chars': { type: 'number', describe: 'Characters of output at most; the rest is next (default 20000)' },
  'no-auto-more': { type: 'boolean', describe: 'Do not answer --More-- and **MORE** with a space' },
  'max-pages': { type: 'number', describe: 'Pages to go through at most (default 20)' },
  'until-prompt': {
    type: 'boolean',
    describe: 'Silence is no end, only a known one or the timeout: for programs that think',
  },
  'to-file': {
    type: 'string',
    describe: 'Write the whole text to this file in the state folder of the daemon, print its beginning',
  },
} as const satisfies Record<string, OptionSpec>;

/** The wire's parameters of `WAIT_OPTIONS`. What was not given stays absent: the daemon knows the defaults. */
export function toWaitInput(args: Arguments) {
  return {
    expect: args.text('expect'),
    timeoutMs: args.number('timeout-ms'),
    quietMs: args.number('quiet-ms'),
    settleMs: args.number('settle-ms'),
    maxChars: args.number('max-chars'),
    autoMore: args.flag('no-auto-more') ? false : undefined,
    maxPages: args.number('max-pages'),
    until: args.flag('until-prompt') ? ('prompt' as const) : undefined,
    toFile: args.text('to-file'),
  };
}
