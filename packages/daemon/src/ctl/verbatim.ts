/**
 * Where a program of the user begins on our command line: at the first word that is neither an option of ours nor the value of
 * one, or behind `--`. What yargs would make of the words behind it (`-j4`, `true`, `--json`) is none of its business.
 */
import type { OptionSpec } from './command.ts';

export interface Split {
  /** Options of ours, with their values. */
  readonly ours: readonly string[];
  /** The first word and all behind it. */
  readonly rest: readonly string[];
}

export function splitAtWord(argv: readonly string[], options: Readonly<Record<string, OptionSpec>>): Split {
  let index = 0;
  while (index < argv.length) {
    const argument = argv[index] ?? '';
    if (argument === '--') return { ours: argv.slice(0, index), rest: argv.slice(index + 1) };
    if (!argument.startsWith('-') || argument === '-') break;
    index += hasValueBehind(argument, options) ? 2 : 1;
  }
  return { ours: argv.slice(0, index), rest: argv.slice(index) };
}

function hasValueBehind(argument: string, options: Readonly<Record<string, OptionSpec>>): boolean {
  if (argument.startsWith('--')) return takesValue(options[argument.slice(2)]);
  // `-fs NAME` is `-f -s NAME`; `-n5` and `-s=NAME` have their values with them.
  const letters = argument.slice(1).split('');
  const first = letters.findIndex((letter) =>
    takesValue(Object.values(options).find(({ alias }) => alias === letter)),
  );
  return first >= 0 && first === letters.length - 1;
}

/** An unknown option takes none: yargs refuses it. */
function takesValue(option: OptionSpec | undefined): boolean {
  return option !== undefined && option.type !== 'boolean';
}
