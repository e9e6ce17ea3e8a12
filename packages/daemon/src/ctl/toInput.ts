/** Checks what a command is about to ask for, before a daemon is dialled or started for it. */
import { METHODS, type MethodInput, type MethodName } from '@pidp10/protocol/methods';
import { UsageError } from './command.ts';

/**
 * Returns the input as it is. Throws a usage error that names the option; `words` has those parameters that are called
 * something else in this command alone.
 */
export function toInput<M extends MethodName>(
  method: M,
  input: MethodInput<M>,
  words: Readonly<Record<string, string>> = {},
): MethodInput<M> {
  const { error } = METHODS[method].params.safeParse(input);
  if (error === undefined) return input;
  const problems = error.issues.map(({ path, message }) => `${toOptionName(path, words)}: ${message}`);
  throw new UsageError(problems.join('; '));
}

/** Parameters that are not written as they are called; in capitals what stands in the usage line. */
const WORDS: Readonly<Record<string, string>> = {
  input: 'INPUT',
  chars: 'CHARS',
  file: 'ITSFILE',
  text: 'LOCALFILE',
  until: '--until-prompt',
};

/** `timeoutMs` is `--timeout-ms`, `until` is `--until-prompt`. */
function toOptionName(path: readonly PropertyKey[], words: Readonly<Record<string, string>>): string {
  const field = String(path[0] ?? 'arguments');
  const word = words[field] ?? WORDS[field];
  if (word !== undefined) return word;
  return `--${field.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
}
