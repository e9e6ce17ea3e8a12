/**
 * The colon commands, one entry each, and the small programs that only print. Source: ITS-LINE.md 4, 8; recordings
 * 04a, 07a, 07g, 08d, 14b, 16. Where the real answer was not seen the comment says so.
 */

import { toDateText, toTimeText } from './clock.ts';
import { Create } from './create.ts';
import type { Ddt } from './ddt.ts';
import { fileNameText, sixbit, toFileName } from './files.ts';
import { KEY } from './program.ts';
import { PROGRAM_COMMANDS, tryRunBinary } from './programCommands.ts';

type Command = (ddt: Ddt, argument: string) => void;

/** Character times a search for a program on disk takes: what comes meanwhile is echoed, then lost (recording 14c). */
const LOOKUP_CHARS = 7;
/** :SLEEP counts in 30ths of a second. */
const SLEEP_UNIT_MS = 1000 / 30;

/** Called behind the echo of the command's CR or LF; `line` is without the colon. */
export function runColonCommand(ddt: Ddt, line: string): void {
  const [word = ''] = line.split(/\s+/, 1);
  const argument = line.slice(word.length).trim();
  const command = COMMANDS[word.toLowerCase()];
  if (word === '') ddt.prompt();
  else if (command !== undefined) command(ddt, argument);
  else if (!tryRunBinary(ddt, sixbit(word))) {
    ddt.guest.compute(LOOKUP_CHARS, () => ddt.fail(`SYS: SYS3; TS ${sixbit(word)} - FILE NOT FOUND\n`));
  }
}

const COMMANDS: Readonly<Record<string, Command>> = {
  ...PROGRAM_COMMANDS,
  '?': (ddt) => ddt.typeOut(ddt.guest.options.commandHelp),
  create: (ddt, argument) => ddt.guest.run(new Create(ddt.guest, toFileName(argument, ddt.directory))),
  date: (ddt) => printAndEnd(ddt, toDateText(ddt.guest.options.clock())),
  delete: remove,
  detach,
  job: (ddt, argument) => {
    if (argument !== '' && ddt.selectJob(sixbit(argument))) ddt.guest.terminal.putChar('!');
    ddt.prompt();
  },
  kill: (ddt) => {
    if (ddt.current === undefined) {
      ddt.fail(' JOB? ');
      return;
    }
    ddt.kill(ddt.current);
    ddt.promptWithJob();
  },
  listf,
  listj: (ddt) => {
    for (const job of ddt.jobs) ddt.guest.terminal.print(`${job === ddt.current ? '*' : ' '} ${job.name}\n`);
    ddt.prompt();
  },
  login,
  logout: (ddt) => ddt.guest.leave(true),
  print,
  proceed: proceed,
  continue: proceed,
  sleep,
  time: (ddt) => printAndEnd(ddt, toTimeText(ddt.guest.options.clock(), ddt.guest.options.bootedAt)),
  vk: (ddt) => ddt.prompt(),
  who: (ddt) => printAndEnd(ddt, `T52 ${(ddt.userName ?? '___052').padEnd(6)}\n`),
};

/** What `:?` prints when no other text was given: the commands that are here. */
export function defaultCommandHelp(): string {
  const names = Object.keys(COMMANDS).map((name) => `:${name.toUpperCase()}\n`);
  return `The colon commands of this fake line:\n${names.join('')}`;
}

/** A program of its own that prints, a blank line, and is gone. */
function printAndEnd(ddt: Ddt, text: string): void {
  ddt.guest.terminal.print(`${text}\n`);
  ddt.guest.finish();
}

function login(ddt: Ddt, argument: string): void {
  const name = sixbit(argument);
  const { terminal } = ddt.guest;
  if (ddt.userName !== undefined) {
    terminal.newline();
    ddt.fail(`Already logged in as "${ddt.userName}"? `);
  } else if (name === '') {
    ddt.fail('? ');
  } else if (ddt.guest.detached.has(name)) {
    // Only the yes was seen (08d); after a no the login goes on and the tree stays where it is.
    ddt.ask('--Attach Your Detached Tree--', () => attach(ddt, name), { onNo: () => enter(ddt, name) });
  } else {
    enter(ddt, name);
  }
}

function enter(ddt: Ddt, name: string): void {
  const { terminal } = ddt.guest;
  ddt.userName = name;
  terminal.newline();
  if (ddt.guest.files.hasDirectory(name)) {
    ddt.directory = name;
    terminal.print('To see system messages, do ":MSGS<CR>"\n');
  } else {
    // The sentence is known, its surroundings are not.
    ddt.fail(`KA: ${name}; ${name} MAIL - NON-EXISTENT DIRECTORY\n`);
  }
}

function attach(ddt: Ddt, name: string): void {
  const { guest } = ddt;
  const tree = guest.detached.get(name) ?? ddt;
  guest.detached.delete(name);
  guest.adopt(tree);
  guest.terminal.print('HACTRO$J!:$ Reowned $\n');
  tree.prompt();
}

/** A tree without a user cannot be found again, so only a logged-in one is kept. */
function detach(ddt: Ddt): void {
  if (ddt.userName !== undefined) ddt.guest.detached.set(ddt.userName, ddt);
  ddt.guest.leave(false);
}

function listf(ddt: Ddt, argument: string): void {
  const directory = argument === '' ? ddt.directory : sixbit(argument.replace(/;$/, ''));
  const text = ddt.guest.files.tryListing(directory);
  if (text !== undefined) ddt.typeOut(text);
  // Not seen; the wording is that of the other errors.
  else ddt.fail(`DSK: ${directory}; .FILE. (DIR) - NON-EXISTENT DIRECTORY\n`);
}

function print(ddt: Ddt, argument: string): void {
  const name = toFileName(argument, ddt.directory);
  const text = ddt.guest.files.tryRead(name);
  if (text !== undefined) ddt.typeOut(text);
  else ddt.fail(`${fileNameText(ddt.guest.files.resolve(name))} - FILE NOT FOUND\n`);
}

function remove(ddt: Ddt, argument: string): void {
  const name = toFileName(argument, ddt.directory);
  if (ddt.guest.files.delete(name)) ddt.prompt();
  else ddt.fail(`${fileNameText(name)} - FILE NOT FOUND\n`);
}

/** A stopped program goes on with the terminal. What DDT prints then was not seen: nothing. */
function proceed(ddt: Ddt): void {
  const job = ddt.current;
  if (job?.program === undefined) {
    ddt.fail(' JOB? ');
    return;
  }
  ddt.kill(job);
  ddt.guest.giveTerminal(job.program);
}

function sleep(ddt: Ddt, argument: string): void {
  const { guest } = ddt;
  const cancel = guest.later(Number(argument) * SLEEP_UNIT_MS, () => guest.endWait(() => ddt.prompt()));
  guest.wait({
    isEchoing: true,
    interrupt: (char) => {
      if (char !== KEY.bell) return false;
      cancel();
      guest.endWait(() => ddt.fail('\x07 QUIT? '));
      return true;
    },
  });
}
