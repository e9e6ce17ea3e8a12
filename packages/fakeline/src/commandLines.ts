/** Commands for a running fakeline, one a line (its standard input): faults and what else the API can do. */

import type { Fakeline } from './fakeline.ts';
import { parseFault, unescapeText } from './faults.ts';
import { NOTICES } from './notices.ts';

/** Carries out one line; returns what is wrong with it, undefined when it was done. An empty line is nothing. */
export function runCommandLine(line: Fakeline, text: string): string | undefined {
  const [word = '', ...words] = text.trim().split(' ');
  const argument = words.join(' ');
  try {
    switch (word) {
      case '':
        return undefined;
      case 'fault': {
        const { name, value } = parseFault(argument);
        line.faults.set(name, value);
        return undefined;
      }
      case 'clear':
        if (argument === '') line.faults.clear();
        else line.faults.clear(parseFault(argument).name);
        return undefined;
      case 'send':
        line.send(unescapeText(argument));
        return undefined;
      case 'message': {
        const [from = '', ...rest] = words;
        line.message(from, rest.join(' '));
        return undefined;
      }
      case 'notice': {
        const name = NOTICES.find((each) => each === words[0]);
        if (name === undefined) return `notice needs one of ${NOTICES.join(', ')}, found "${words[0] ?? ''}"`;
        line.notice(name, words[1] === undefined ? undefined : Number(words[1]));
        return undefined;
      }
      case 'drop':
        if (argument !== 'fin' && argument !== 'reset') return `drop needs fin or reset, found "${argument}"`;
        line.dropConnection(argument);
        return undefined;
      case 'disconnect':
        line.disconnectBySimulator();
        return undefined;
      default:
        return `no command is called "${word}"; there are fault, clear, send, message, notice, drop, disconnect`;
    }
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}
