/**
 * Arguments into a command, by yargs configured from the table. Options are those of all commands, so that one pass finds
 * the command wherever it stands; then each given one must belong to it. Positionals are taken as they are written: yargs
 * would turn `-` and numbers into something else. Where a command takes a program of the user, all from its name on is the
 * program's, as with env(1).
 */
import yargs from 'yargs';
import { Arguments, type Command, type OptionSpec, type PositionalSpec, UsageError } from './command.ts';
import { COMMANDS } from './commands.ts';
import { EXIT_CODE_MEANINGS } from './exitCodes.ts';
import { GLOBAL_OPTIONS } from './options.ts';
import { splitAtWord } from './verbatim.ts';

const HELP_COLUMNS = 100;
/** At most as many digits as a number holds exactly. */
const NUMBER = /^-?\d{1,15}(?:\.\d{1,15})?$/;

export type Parsed =
  | { readonly kind: 'help'; readonly text: string }
  | { readonly kind: 'version' }
  | { readonly kind: 'command'; readonly command: Command; readonly args: Arguments };

/** Throws a usage error. */
export async function parseArguments(argv: readonly string[]): Promise<Parsed> {
  const values = (await parseVerbatim(argv)) ?? (await parseOptions(argv));
  const [word, ...positionals] = withoutPrefix(values._.map(String));
  const command = COMMANDS.find(({ name }) => name === word);
  if (values['help'] === true) return { kind: 'help', text: await toHelp(command) };
  if (values['version'] === true) return { kind: 'version' };
  if (command === undefined) throw new UsageError(toUnknownCommand(word));
  checkOptions(command, values);
  const args = new Arguments(positionals, { ...values, ...toNumbers(command, values) });
  checkPositionals(command, positionals);
  return { kind: 'command', command, args };
}

/** `line unstick` is `unstick`: the methods of the wire that these commands call have `line` in front. */
function withoutPrefix(words: readonly string[]): readonly string[] {
  const [first, second] = words;
  const isPrefixed = first === 'line' && COMMANDS.some(({ name }) => name === second);
  return isPrefixed ? words.slice(1) : words;
}

type Values = Record<string, unknown> & { _: (string | number)[] };

/** Undefined for a command that takes no program of the user. */
async function parseVerbatim(argv: readonly string[]): Promise<Values | undefined> {
  const before = splitAtWord(argv, allOptions());
  const [word = '', ...rest] = before.rest;
  if (!isVerbatim(word)) return undefined;
  const behind = splitAtWord(rest, allOptions());
  const values = await parseOptions([...before.ours, ...behind.ours]);
  return { ...values, _: [word, ...values._, ...behind.rest] };
}

function allOptions(): Readonly<Record<string, OptionSpec>> {
  return Object.assign({}, ...COMMANDS.map((command) => command.options), GLOBAL_OPTIONS);
}

function isVerbatim(word: string): boolean {
  const command = COMMANDS.find(({ name }) => name === word);
  return command?.positionals.at(-1)?.isVerbatim === true;
}

async function parseOptions(argv: readonly string[]): Promise<Values> {
  const options = allOptions();
  const parser = configure(options, { numbersAs: 'string' })
    .strictOptions()
    .exitProcess(false)
    .showHelpOnFail(false);
  let problem: string | undefined;
  // With a callback yargs prints nothing and throws nothing.
  const values = await parser.parseAsync([...argv], {}, (error) => {
    problem = error?.message;
  });
  if (problem === undefined) return withLast(values, options);
  throw new UsageError(`${problem}${toAdvice(problem)}`);
}

/** Of an option that was given several times the last one, unless it may be. */
function withLast(values: Values, options: Readonly<Record<string, OptionSpec>>): Values {
  const entries = Object.entries(values).map(([name, value]) => {
    const isAll = name === '_' || options[name]?.isRepeatable === true || !Array.isArray(value);
    return [name, isAll ? value : value.at(-1)];
  });
  return { ...Object.fromEntries(entries), _: values._ };
}

function toAdvice(problem: string): string {
  if (problem.startsWith('Unknown argument')) return ' (input that begins with - goes behind --)';
  if (problem.startsWith('Not enough arguments'))
    return ' (a value that begins with - is written as --option=-value)';
  return '';
}

/** Numbers are read as text, because yargs takes '' for 0 and 0x10 for 16; in help they are numbers. */
function configure(
  options: Readonly<Record<string, OptionSpec>>,
  { numbersAs = 'number' }: { readonly numbersAs?: 'number' | 'string' } = {},
) {
  const parser = yargs()
    .scriptName('pidp10ctl')
    .parserConfiguration({
      'boolean-negation': false,
      'camel-case-expansion': false,
      'dot-notation': false,
      'parse-positional-numbers': false,
    })
    .help(false)
    .version(false)
    .wrap(HELP_COLUMNS);
  for (const [name, option] of Object.entries(options)) {
    const { isRepeatable: _isRepeatable, ...spec } = option;
    const group = Object.hasOwn(GLOBAL_OPTIONS, name) ? 'Everywhere:' : 'Options:';
    const type = option.type === 'number' ? numbersAs : option.type;
    parser.option(name, { ...spec, type, group, requiresArg: type !== 'boolean' });
  }
  return parser;
}

function checkOptions(command: Command, values: Readonly<Record<string, unknown>>): void {
  for (const [name, value] of Object.entries(values)) {
    // One letter is the alias of a long name, which is there too.
    if (name.length < 2 || name === '$0' || value === undefined) continue;
    if (!Object.hasOwn(command.options, name) && !Object.hasOwn(GLOBAL_OPTIONS, name)) {
      throw new UsageError(`${command.name} has no option --${name}`);
    }
  }
}

/** Throws a usage error for what is no number as people write one. */
function toNumbers(
  { options }: Command,
  values: Readonly<Record<string, unknown>>,
): Readonly<Record<string, number>> {
  const given = Object.entries(options).flatMap(([name, { type }]) => {
    const value = values[name];
    if (type !== 'number' || typeof value !== 'string') return [];
    if (!NUMBER.test(value)) throw new UsageError(`--${name} needs a number, found "${value}"`);
    return [[name, Number(value)] as const];
  });
  return Object.fromEntries(given);
}

function checkPositionals(command: Command, given: readonly string[]): void {
  const { name, positionals } = command;
  const missing = positionals.slice(given.length).find(({ isRequired }) => isRequired);
  if (missing !== undefined) throw new UsageError(`${name} needs ${missing.name.toUpperCase()}`);
  if (given.length > positionals.length && positionals.at(-1)?.isRest !== true) {
    throw new UsageError(`${name} has an argument too many: "${given[positionals.length]}"`);
  }
}

function toUnknownCommand(word: string | undefined): string {
  const names = COMMANDS.map(({ name }) => name).join(', ');
  return `${word === undefined ? 'there is no command' : `unknown command "${word}"`}; the commands are ${names}`;
}

async function toHelp(command: Command | undefined): Promise<string> {
  const options = { ...command?.options, ...GLOBAL_OPTIONS };
  const parser = configure(options);
  if (command === undefined) {
    parser.usage('$0 COMMAND [options]\n\nDrives the terminal line of a PiDP-10 that pidp10d holds.');
    for (const { name, positionals, summary } of COMMANDS) {
      parser.command([name, ...positionals.map(toUsageWord)].join(' '), summary);
    }
  } else {
    parser.usage(
      `${['$0', command.name, ...command.positionals.map(toUsageWord)].join(' ')}\n\n${command.summary}.`,
    );
    for (const [args, what] of command.examples) parser.example(`$0 ${args}`, what);
  }
  const codes = EXIT_CODE_MEANINGS.map(([code, meaning]) => `  ${String(code).padEnd(5)}${meaning}`);
  parser.epilogue(`Exit codes:\n${codes.join('\n')}`);
  return `${await parser.getHelp()}\n`;
}

function toUsageWord({ name, isRequired, isRest }: PositionalSpec): string {
  const word = `${name.toUpperCase()}${isRest ? '...' : ''}`;
  return isRequired ? word : `[${word}]`;
}
