/** The commands behind an altmode: `foo$j`, `$$v`, `rms$u`, `$^X` (recording 05a). */

import type { Ddt } from './ddt.ts';
import { runColonCommand } from './ddtCommands.ts';
import { KEY } from './program.ts';

/** `typed`: what stands before the letter, with its altmodes. */
export function runAltmodeCommand(ddt: Ddt, typed: string, char: string): void {
  const [name = ''] = typed.split(KEY.escape);
  const isDouble = typed.endsWith(KEY.escape + KEY.escape);
  const letter = char.toUpperCase();
  if (letter === 'J' && isSymbol(name)) select(ddt, name);
  else if (letter === 'J' && name === '') ddt.promptWithJob();
  else if (letter === 'V') listJobs(ddt, isDouble);
  else if (letter === 'U') login(ddt, name, isDouble);
  else if (char === KEY.ctrlX) askKill(ddt, name);
  else ddt.fail(char === ':' ? ' JOB? ' : '?U? ');
}

export function isSymbol(text: string): boolean {
  return /[A-Za-z%$.]/.test(text) && text !== '.';
}

function select(ddt: Ddt, name: string): void {
  if (ddt.selectJob(name.toUpperCase().slice(0, 6))) ddt.guest.terminal.putChar('!');
  ddt.prompt();
}

function listJobs(ddt: Ddt, isDouble: boolean): void {
  const { terminal } = ddt.guest;
  if (isDouble) {
    terminal.newline();
    // The number is the job's slot in the system; the first user job of the recordings had 3.
    for (const [i, job] of ddt.jobs.entries()) {
      terminal.print(`${job === ddt.current ? '*' : ' '} ${job.name} - ${i + 3}\n`);
    }
  }
  ddt.prompt();
}

function login(ddt: Ddt, name: string, isDouble: boolean): void {
  ddt.guest.terminal.newline();
  if (!isDouble) ddt.hasShortQuestions = true;
  runColonCommand(ddt, isDouble ? 'logout' : `login ${name}`);
}

function askKill(ddt: Ddt, name: string): void {
  const job = ddt.jobs.find((each) => each.name === name.toUpperCase()) ?? ddt.current;
  if (job === undefined) {
    ddt.fail(' JOB? ');
    return;
  }
  ddt.guest.terminal.print(` ${job.name}$J`);
  const kill = (): void => {
    ddt.kill(job);
    ddt.promptWithJob();
  };
  ddt.ask('--Kill--', kill, { flushed: `Flushed ${job.name}$J` });
}
