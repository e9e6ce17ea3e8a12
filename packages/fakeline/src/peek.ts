/**
 * PEEK, the system's status, painted again every 20 s by itself. Every key is a command, in any case, and paints at once.
 * Source: recording 07c; how it quits and that its `--More--` has no tail: ITS-LINE.md 4, 7 (that is not in a recording,
 * so that the answers but space are guesses). The real one is cut off by the next key in the middle of a line; this one
 * leaves out what comes behind its second line then.
 */

import { toListingDate } from './clock.ts';
import { KEY, type Program, type ProgramContext } from './program.ts';
import { SCREEN_ROWS } from './terminal.ts';

type Mode = 'users' | 'terminals' | 'disks' | 'nothing';

/** The letters that choose what is shown. Of others only Q is known to mean something. */
const MODES: Readonly<Record<string, Mode>> = {
  N: 'users',
  G: 'users',
  L: 'terminals',
  O: 'terminals',
  U: 'disks',
  T: 'nothing',
};

export class Peek implements Program {
  readonly jobName = 'PEEK';
  /** Not seen. */
  readonly stoppedAt = '1503)   .IOT 1,7   ';
  readonly #context: ProgramContext;
  readonly #userName: string;
  #mode: Mode = 'users';
  #cancel: (() => void) | undefined;
  /** Lines behind `--More--`. */
  #rest: readonly string[] = [];

  constructor(context: ProgramContext, userName: string) {
    this.#context = context;
    this.#userName = userName;
  }

  start(): void {
    this.#context.terminal.clear();
    this.#paint();
  }

  echo(char: string): void {
    const { terminal } = this.#context;
    if (char === KEY.ctrlZ) terminal.print('^Z');
    else if (char.toUpperCase() === 'Q' || char.toUpperCase() in MODES) terminal.put(char.toUpperCase());
    else if (char !== KEY.space) terminal.print(KEY.bell);
  }

  input(char: string): void {
    const { terminal } = this.#context;
    const letter = char.toUpperCase();
    if (letter === 'Q') {
      this.suspend();
      terminal.newline();
      this.#context.finish();
    } else if (this.#rest.length > 0 && char === KEY.space) {
      terminal.moveTo(0, 0);
      this.#show(this.#rest);
    } else {
      this.#mode = MODES[letter] ?? this.#mode;
      this.#repaint();
    }
  }

  suspend(): void {
    this.#cancel?.();
  }

  resume(): void {
    this.start();
  }

  handleIntrusion(): void {
    this.#repaint();
  }

  #repaint(): void {
    this.#context.terminal.moveTo(0, 0);
    this.#paint();
  }

  #paint(): void {
    this.#show([this.#header(), ...this.#lines()]);
    this.#cancel?.();
    this.#cancel = this.#context.later(this.#context.settings.peekMs, () => this.#repaint());
  }

  /** A screen of lines; the rest waits behind `--More--`. */
  #show(lines: readonly string[]): void {
    const { terminal } = this.#context;
    const room = SCREEN_ROWS - 1;
    terminal.clearLine();
    if (this.#context.hasTypedAhead) {
      terminal.print(lines.slice(0, 2).join('\n'));
      return;
    }
    for (const line of lines.slice(0, room)) terminal.print(`${line}\n`);
    this.#rest = terminal.kind === 'display' ? lines.slice(room) : [];
    if (this.#rest.length > 0) terminal.print('--More--');
    else terminal.clearBelow();
  }

  #header(): string {
    const now = this.#context.now();
    const { bootedAt } = this.#context.settings;
    const seconds = Math.max(0, Math.round((now.getTime() - bootedAt.getTime()) / 1000));
    return `KA ITS 1652  Peek 632   ${toListingDate(now)}  Up time = ${toClock(seconds)}`;
  }

  #lines(): readonly string[] {
    switch (this.#mode) {
      case 'users':
        return this.#userLines();
      case 'terminals':
        return [
          'TTY Ix Uname  Jname    Type        V-size  H-size Com   Bits ',
          `T52  2 ${this.#userName.padEnd(6)} HACTRN   VT52            24      80        `,
        ];
      case 'disks':
        return ['Dirc Goal Pos Dg2 Dir   Umntr  Utass', '     Ulctm     Drtm'];
      case 'nothing':
        return [];
      default:
        return this.#mode satisfies never;
    }
  }

  #userLines(): readonly string[] {
    const user = this.#userName.padEnd(6);
    const jobs = Array.from({ length: this.#context.settings.peekJobs }, (_, i) => {
      return `${String(i + 4).padStart(3)} USER${String(i % 100).padStart(2, '0')} HACTRN USER   HANG    ?        30   9   0%           `;
    });
    return [
      'Memory: Free=633   Runnable Total=11 Out=4     Users: High=4 Runnable=0',
      'Index Uname Jname Sname     Status   TTY    Core Out %Time    Time PIs',
      '  0 SYS    SYS    SYS        HANG    ?        71   0   0%           ',
      '  1 CORE   JOB    CORE       UUO     ?         0   0   0%           ',
      `  2 ${user} HACTRN ${user}     HANG    >        30   9   1%           `,
      `  3  ${user} PEEK   ${user}    +TTYBO  T52 C    11   3   0%           `,
      ...jobs,
      'Fair Share 99%     Totals:                   112       1%',
      'Logout time = 18      Lost 0%  Idle 97%  Null time = 33:13',
    ];
  }
}

/** `33:01`, or `1:02:03` */
function toClock(seconds: number): string {
  const parts = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60];
  const said = parts[0] === 0 ? parts.slice(1) : parts;
  return said.map((part, i) => (i === 0 ? String(part) : String(part).padStart(2, '0'))).join(':');
}
