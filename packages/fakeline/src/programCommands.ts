/** The programs that DDT starts by name, and what it does for the user with other users. Source: see each program. */

import type { Ddt } from './ddt.ts';
import { EMACS_LOAD_CHARS, Emacs } from './emacs.ts';
import { sixbit } from './files.ts';
import { BINARY_MARK, Midas } from './midas.ts';
import { typeOutWithMore } from './more.ts';
import { Password } from './password.ts';
import { Peek } from './peek.ts';
import { TCTYP_HELP } from './tctypHelp.ts';
import { Teco } from './teco.ts';

export const PROGRAM_COMMANDS: Readonly<Record<string, (ddt: Ddt, argument: string) => void>> = {
  emacs: ({ guest }) => guest.compute(EMACS_LOAD_CHARS, () => guest.run(new Emacs(guest))),
  midas: ({ guest }, argument) => guest.run(new Midas(guest, argument)),
  peek: ({ guest, userName }) => guest.run(new Peek(guest, userName ?? '___052')),
  pword: ({ guest }) => guest.run(new Password(guest)),
  send,
  tctyp: setTerminal,
  teco: ({ guest }) => guest.run(new Teco(guest)),
};

/** Runs `TS name` of the user's directory if MIDAS of this line has made it. False when there is none. */
export function tryRunBinary(ddt: Ddt, name: string): boolean {
  const text = ddt.guest.files.tryRead({ directory: ddt.directory, name1: 'TS', name2: name });
  if (text?.startsWith(BINARY_MARK) !== true) return false;
  typeOutWithMore(ddt.guest, text.slice(BINARY_MARK.length), () => {
    ddt.guest.terminal.freshLine();
    ddt.guest.finish();
  });
  return true;
}

/** `:SEND USER text ^C`. What DDT says to the sender was not seen; one who is not there is taken note of by the line. */
function send(ddt: Ddt, argument: string): void {
  const [to = ''] = argument.split(/\s+/, 1);
  const text = argument.slice(to.length).trim();
  const own = ddt.userName ?? '___052';
  if (to === '') {
    ddt.fail('? ');
    return;
  }
  ddt.guest.sent.push({ to: sixbit(to), text });
  if (sixbit(to) === own) ddt.guest.message(own, text);
  ddt.prompt();
}

/** With a type TCTYP gives DDT the command `:KILL`; without one it shows the type and ends as other programs do. */
function setTerminal(ddt: Ddt, argument: string): void {
  const { terminal } = ddt.guest;
  if (argument === '') {
    terminal.print(`${terminal.type}\n`);
    ddt.guest.finish();
  } else if (argument === '?' || argument.toLowerCase() === 'help') {
    typeOutWithMore(ddt.guest, `${TCTYP_HELP}\n`, () => ddt.guest.finish());
  } else if (terminal.setType(argument)) {
    terminal.print(':KILL\n');
    ddt.promptWithJob();
  } else {
    // Not seen.
    terminal.print(`${argument.toUpperCase()} - UNKNOWN COMMAND\n`);
    ddt.guest.finish();
  }
}
