import { describe, expect, test } from 'vitest';
import { UsageError } from '../../src/ctl/command.ts';
import { COMMANDS } from '../../src/ctl/commands.ts';
import { GLOBAL_OPTIONS } from '../../src/ctl/options.ts';
import { parseArguments } from '../../src/ctl/parse.ts';

async function parse(...argv: string[]) {
  const parsed = await parseArguments(argv);
  if (parsed.kind !== 'command') throw new Error(`parsed as ${parsed.kind}`);
  return { name: parsed.command.name, positionals: parsed.args.positionals, args: parsed.args };
}

describe('input is taken as it is written', () => {
  test.each<[readonly string[], readonly string[]]>([
    [['send', ':login rms'], [':login rms']],
    [
      ['send', ':login', 'rms'],
      [':login', 'rms'],
    ],
    [['send', '007'], ['007']],
    [['send', ''], ['']],
    [['send', '-'], ['-']],
    [['send', 'help'], ['help']],
    [['send', '"quoted"'], ['"quoted"']],
    [
      ['send', '--', '--help', '-e', '-'],
      ['--help', '-e', '-'],
    ],
    [['send', '-e', '\\*$', '~e'], ['~e']],
    [['--name', 'vt05', 'send', 'x'], ['x']],
  ])('%j', async (argv, positionals) => {
    expect(await parse(...argv)).toMatchObject({ name: 'send', positionals });
  });
});

describe('a program of the user: all from its name on is its own', () => {
  test.each<[readonly string[], readonly string[], object]>([
    [['run', 'ls', '-la', '--json', '--', 'x'], ['ls', '-la', '--json', '--', 'x'], { json: false }],
    [['run', '-f', 'true', '--raw'], ['true', '--raw'], { follow: true, raw: false }],
    [['--json', '--name', 'run', 'run', '-fs', 'a', 'false'], ['false'], { json: true, session: 'a' }],
    [
      ['run', '-s', 'name', '--cwd=/', '--env', 'A=1', '--env', 'B', 'x'],
      ['x'],
      { session: 'name', cwd: '/' },
    ],
    [['run', '--', '-x', '--'], ['-x', '--'], {}],
    [['run', '-e=-j', '--max-chars', '5', '--', 'x'], ['x'], { expect: '-j' }],
    [['run', '-'], ['-'], {}],
  ])('%j', async (argv, positionals, values) => {
    const { name, args } = await parse(...argv);
    expect([name, args.positionals]).toEqual(['run', positionals]);
    for (const [option, value] of Object.entries(values))
      expect([option, typeof value === 'string' ? args.text(option) : args.flag(option)]).toEqual([
        option,
        value,
      ]);
  });

  test('an option that may be given several times has all of them', async () => {
    const { args } = await parse('run', '--env', 'A', '--env', 'B', 'x');
    expect(args.texts('env')).toEqual(['A', 'B']);
    expect((await parse('run', '--env', 'A', 'x')).args.texts('env')).toEqual(['A']);
    expect((await parse('run', 'x')).args.texts('env')).toEqual([]);
  });
});

test('options: numbers, texts, flags; the last of several counts', async () => {
  const { args } = await parse(
    'send',
    'x',
    '--timeout-ms',
    '5',
    '--timeout-ms',
    '6',
    '--expect=-?\\*',
    '--no-auto-more',
  );
  expect([args.number('timeout-ms'), args.text('expect'), args.flag('no-auto-more')]).toEqual([
    6,
    '-?\\*',
    true,
  ]);
  expect([args.number('quiet-ms'), args.text('reader'), args.flag('raw')]).toEqual([
    undefined,
    undefined,
    false,
  ]);
});

describe('`line` in front, as in the names of the wire', () => {
  test.each([
    [['line', 'unstick'], 'unstick', []],
    [['line', 'put', '-', 'x'], 'put', ['-', 'x']],
    [['send', 'line', 'unstick'], 'send', ['line', 'unstick']],
  ])('%j is %s', async (argv, name, positionals) => {
    expect(await parse(...argv)).toMatchObject({ name, positionals });
  });
});

describe('wrong use is refused with its reason', () => {
  test.each<[readonly string[], RegExp]>([
    [[], /no command; the commands are open, send/],
    [['fly'], /unknown command "fly"/],
    [['line'], /unknown command "line"/],
    [['line', 'bogus'], /unknown command "line"/],
    [['logs'], /logs needs ID/],
    [['put', 'x'], /put needs ITSFILE/],
    [['get'], /get needs ITSFILE/],
    [['screen', 'x'], /too many: "x"/],
    [['read', '--paste'], /read has no option --paste/],
    [['send', 'x', '--flush'], /send has no option --flush/],
    [['peek', '1', '2'], /too many: "2"/],
    [['read', 'x'], /too many: "x"/],
    [['send', 'x', '--from', '3'], /send has no option --from/],
    [['send', 'x', '--bogus'], /Unknown argument: bogus/],
    [['send', '-1x'], /goes behind --/],
    [['send', 'x', '--timeout-ms', 'soon'], /--timeout-ms needs a number/],
    [['send', 'x', '-e', '-?'], /--option=-value/],
    [['send', 'x', '--echo', 'loud'], /Choices: "keep", "strip"/],
  ])('%j', async (argv, message) => {
    await expect(parseArguments(argv)).rejects.toThrow(message);
    await expect(parseArguments(argv)).rejects.toBeInstanceOf(UsageError);
  });
});

describe('numbers are what people write as numbers, in every command that takes one', () => {
  const options = COMMANDS.flatMap(({ name, options }) =>
    Object.entries(options).flatMap(([option, { type }]) =>
      type === 'number' ? [[name, option] as const] : [],
    ),
  );

  test.each(options)('%s --%s', async (name, option) => {
    const needed = COMMANDS.find((command) => command.name === name)?.positionals.filter(
      ({ isRequired }) => isRequired,
    );
    const words = (needed ?? []).map(() => 'x');
    // Before the words: what stands behind a program's name is the program's.
    const parseWith = (...given: readonly string[]) => parseArguments([name, ...given, ...words]);
    for (const value of [
      '',
      ' ',
      '0x10',
      '1e3',
      '+5',
      '5 ',
      'Infinity',
      'NaN',
      '1,5',
      '.5',
      '5.',
      '1'.repeat(16),
    ]) {
      await expect(parseWith(`--${option}=${value}`)).rejects.toThrow(
        new UsageError(`--${option} needs a number, found "${value}"`),
      );
    }
    for (const [value, number] of [
      ['0', 0],
      ['007', 7],
      ['-5', -5],
      ['1.5', 1.5],
      ['1'.repeat(15), 111_111_111_111_111],
    ] as const)
      expect((await parse(name, `--${option}`, value, ...words)).args.number(option)).toBe(number);
    await expect(parseWith(`--${option}`, '')).rejects.toBeInstanceOf(UsageError);
  });

  test('one letter is as good as the name', async () => {
    expect((await parse('log', '-n', '5')).args.number('lines')).toBe(5);
    await expect(parseArguments(['log', '-n', ''])).rejects.toThrow(UsageError);
  });
});

describe('help', () => {
  test.each(COMMANDS.map(({ name }) => name))(
    '%s: usage, options, examples, exit codes, in ASCII',
    async (name) => {
      const parsed = await parseArguments([name, '--help']);
      if (parsed.kind !== 'help') throw new Error(parsed.kind);
      expect(parsed.text).toMatch(new RegExp(`^pidp10ctl ${name}`));
      expect(parsed.text).toMatch(/Examples:[^]*Exit codes:[^]*130 {2}interrupted/);
      expect(parsed.text).toMatch(/^[ -~\n]*$/);
    },
  );

  test('without a command: all of them, in a fixed order', async () => {
    const parsed = await parseArguments(['-h']);
    if (parsed.kind !== 'help') throw new Error(parsed.kind);
    const names = [...parsed.text.matchAll(/^ {2}pidp10ctl (\w+)/gm)].map((match) => match[1]);
    expect(names.join(' ')).toBe(
      'open send read peek screen attach watch history search log export play mark put get status who say floor secret readers unstick close run ps logs wait signal resize stop rm upgrade shutdown service doctor bugreport',
    );
  });

  test('--version', async () => {
    expect(await parseArguments(['--version'])).toEqual({ kind: 'version' });
  });
});

test('one name means the same kind of value in every command: one parser reads them all', () => {
  const kinds = new Map<string, string>();
  for (const options of [GLOBAL_OPTIONS, ...COMMANDS.map((command) => command.options)]) {
    for (const [name, { type, alias }] of Object.entries(options)) {
      const kind = `${type} ${alias ?? ''}`;
      expect([name, kinds.get(name) ?? kind]).toEqual([name, kind]);
      kinds.set(name, kind);
    }
  }
});
