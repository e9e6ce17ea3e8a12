/**
 * Programs that people use in a terminal, driven by an agent through the real bridge: what it is given is what it would see, and
 * what it types arrives once.
 */
import { execFile } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import { connectClient, endDaemonAfter, type ToolAnswer, type ToolClient } from '../support/bridgeClient.ts';
import { eventually } from '../support/processes.ts';
import { Sandbox } from '../support/sandbox.ts';
import { isInstalled, needsTool } from '../support/tools.ts';

const execute = promisify(execFile);

/** Longest wait for what must come, in ms: far above what a loaded machine needs. */
const PATIENT = 60_000;
/** Every test here starts a daemon, a bridge and programs that take seconds to start on a busy machine. */
const TIMEOUT_MS = 180_000;

/** An agent with one program on a terminal. */
class Desk implements AsyncDisposable {
  readonly sandbox: Sandbox;
  readonly agent: ToolClient;
  #session = '';

  private constructor(sandbox: Sandbox, agent: ToolClient) {
    this.sandbox = sandbox;
    this.agent = agent;
  }

  static async create(): Promise<Desk> {
    const sandbox = await Sandbox.create();
    await sandbox.daemon();
    return new Desk(sandbox, await connectClient('2025-11-25', sandbox));
  }

  async start(
    argv: readonly [string, ...string[]],
    options: Record<string, unknown> = {},
  ): Promise<ToolAnswer> {
    const [command, ...args] = argv;
    const base = { command, args, use_pty: true, wait_ms: PATIENT };
    const answer = await this.agent.call('start_command', { ...base, ...options });
    this.#session = String(answer.facts?.['session']);
    return answer;
  }

  call(tool: string, args: Record<string, unknown> = {}): Promise<ToolAnswer> {
    return this.agent.call(tool, { session_id: this.#session, ...args });
  }

  type(input: string, expected?: string): Promise<ToolAnswer> {
    const wait = { await_response_ms: PATIENT, ...(expected !== undefined && { expect: expected }) };
    return this.call('send_input', { input, ...wait });
  }

  keys(keys: string | readonly number[], expected?: string): Promise<ToolAnswer> {
    const bytes = typeof keys === 'string' ? [...Buffer.from(keys)] : keys;
    const wait = { await_response_ms: PATIENT, ...(expected !== undefined && { expect: expected }) };
    return this.call('send_input', { bytes, ...wait });
  }

  read(expected: string): Promise<ToolAnswer> {
    return this.call('read_output', { expect: expected, timeout_ms: PATIENT });
  }

  /** Rows of the screen, with their numbers, when `isThere` is true of them. */
  async screen(isThere: (rows: readonly string[]) => boolean): Promise<readonly string[]> {
    let rows: readonly string[] = [];
    const look = async () => {
      rows = (await this.call('read_screen')).output.split('\n');
      return isThere(rows);
    };
    await eventually('the screen that was waited for', look, PATIENT).catch(() => {
      throw new Error(`the screen is\n${rows.join('\n')}`);
    });
    return rows;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.agent.close();
    await endDaemonAfter(this.sandbox)[Symbol.asyncDispose]();
    await this.sandbox[Symbol.asyncDispose]();
  }
}

describe('python3 -i', needsTool('python3'), () => {
  test(
    'a function over several lines, its value, an error, umlauts, the exit code',
    async () => {
      await using desk = await Desk.create();
      const prompt = '>>> $';
      const started = await desk.start(['python3', '-i'], { expect: prompt });
      expect(started.reason).toBe('matched');
      expect(started.output).toMatch(/^Python 3.*\n.*\n>>> $/);
      const defined = await desk.type('def add(a, b):\n    return a + b\n', prompt);
      expect(defined.output).toMatch(/\.\.\. {5}return a \+ b\n\.\.\. \n>>> $/);
      expect((await desk.type('add(20, 22)', prompt)).output).toBe('42\n>>> ');
      expect((await desk.type('print("é日" * 2)', prompt)).output).toBe('é日é日\n>>> ');
      const failed = await desk.type('1/0', prompt);
      expect(failed.output).toMatch(/^Traceback[^]*ZeroDivisionError: division by zero\n>>> $/);
      const ended = await desk.type('import sys; sys.exit(3)', 'never');
      expect(ended.trailer).toMatch(/^\[ended · session s\d+ · exited with code 3/);
    },
    TIMEOUT_MS,
  );
});

describe('bash', () => {
  test(
    'prompt, jobs, Ctrl-C and Ctrl-Z as keys and as signals, the exit code',
    async () => {
      await using desk = await Desk.create();
      // Its name, its version, `$` or, for root, `#`.
      const prompt = '[$#] $';
      const started = await desk.start(['bash', '--norc', '--noprofile'], {
        expect: prompt,
      });
      expect(started.output).toMatch(/^bash-[\d.]+[$#] $/);
      const ps1 = started.output;
      expect((await desk.type('for i in 1 2 3; do echo "line $i"; done', prompt)).output).toBe(
        `line 1\nline 2\nline 3\n${ps1}`,
      );
      expect((await desk.type('sleep 600 &', prompt)).output).toMatch(/^\[1\] \d+\nbash-.*[$#] $/);
      // A job in the foreground says nothing; Ctrl-C is for it, not for the shell.
      const silent = await desk.type('sleep 601');
      expect(silent.output).toBe('');
      await desk.keys([3], prompt);
      expect((await desk.type('echo "status $?"', prompt)).output).toBe(`status 130\n${ps1}`);
      await desk.type('sleep 602');
      expect((await desk.call('send_signal', { signal: 'SIGINT' })).text).toMatch(
        /^\[SIGINT sent · session s\d+ · running/,
      );
      expect((await desk.read(prompt)).output).toMatch(/bash-.*[$#] $/);
      await desk.type('sleep 603');
      expect((await desk.keys([26], prompt)).output).toMatch(/\[2\]\+ {2}Stopped +sleep 603\n/);
      const jobs = await desk.type('jobs', prompt);
      expect(jobs.output).toMatch(
        /^\[1\]- {2}Running +sleep 600 &\n\[2\]\+ {2}Stopped +sleep 603\nbash-.*[$#] $/,
      );
      expect((await desk.call('get_status')).text).toMatch(
        /processes: pid \d+ "bash", pid \d+ "sleep", pid \d+ "sleep"/,
      );
      await desk.type('kill %1 %2; kill -CONT %2; wait', prompt);
      expect((await desk.type('exit 7', 'never')).trailer).toMatch(/exited with code 7/);
    },
    TIMEOUT_MS,
  );

  test(
    'a line longer than the terminal is wide is no output',
    async () => {
      await using desk = await Desk.create();
      await desk.start(['bash', '--norc', '--noprofile'], { expect: '[$#] $' });
      const words = 'words '.repeat(40);
      const answer = await desk.type(`echo ${words}| wc -w`, '^40$');
      expect(answer.output).toMatch(/^40\n/);
    },
    TIMEOUT_MS,
  );
});

describe('gdb', { skip: !(isInstalled('gdb') && isInstalled('cc')) }, () => {
  const SOURCE = `#include <stdio.h>
#include <unistd.h>
static int i = 41;
static void reached(void) { puts("reached"); }
int main(void) {
  reached();
  printf("i is %d\\n", i);
  fflush(stdout);
  for (;;) sleep(1);
}
`;

  test(
    'breakpoint, a side effect that happens once, running on, interrupts by signal and by key',
    async () => {
      await using desk = await Desk.create();
      const program = join(desk.sandbox.folder, 'count');
      await writeFile(`${program}.c`, SOURCE);
      await execute('cc', ['-g', '-O0', '-o', program, `${program}.c`]);
      const prompt = '\\(gdb\\) $';
      const started = await desk.start(['gdb', '-q', '-nx', program], { expect: prompt });
      expect(started.output).toMatch(/^Reading symbols from [^]*\(gdb\) $/);
      await desk.type('set debuginfod enabled off', prompt);
      await desk.type('set startup-with-shell off', prompt);
      expect((await desk.type('break reached', prompt)).output).toMatch(/^Breakpoint 1 at [^]*\(gdb\) $/);
      expect((await desk.type('run', prompt)).output).toMatch(/Breakpoint 1, reached \(\) at [^]*\(gdb\) $/);
      expect((await desk.type('print i++', prompt)).output).toBe('$1 = 41\n(gdb) ');
      // gdb repeats its last command at a second Enter.
      expect((await desk.type('print i', prompt)).output).toBe('$2 = 42\n(gdb) ');
      expect((await desk.type('backtrace', prompt)).output).toMatch(
        /^#0 {2}reached \(\) at [^]*#1 .* main \(\)/,
      );
      expect((await desk.type('continue', '^i is')).output).toBe('Continuing.\nreached\ni is 42\n');
      await desk.call('send_signal', { signal: 'SIGINT' });
      expect((await desk.read(prompt)).output).toMatch(
        /Program received signal SIGINT, Interrupt\.\n[^]*\(gdb\) $/,
      );
      await desk.type('continue', 'Continuing');
      expect((await desk.keys([3], prompt)).output).toMatch(/received signal SIGINT[^]*\(gdb\) $/);
      expect((await desk.type('print i', prompt)).output).toBe('$3 = 42\n(gdb) ');
      expect((await desk.type('quit', '\\(y or n\\) $')).output).toMatch(/Quit anyway\? \(y or n\) $/);
      expect((await desk.type('y', 'never')).trailer).toMatch(/exited with code 0/);
    },
    TIMEOUT_MS,
  );
});

describe('less', needsTool('less'), () => {
  test(
    'its screen, the next page, a search, the end',
    async () => {
      await using desk = await Desk.create();
      const file = join(desk.sandbox.folder, 'text');
      await writeFile(file, Array.from({ length: 200 }, (_, index) => `line ${index + 1}\n`).join(''));
      const started = await desk.start(['less', file], { rows: 10, cols: 40, expect: 'line 9' });
      expect(started.trailer).toMatch(/^\[matched: The program paints its terminal: read_screen/);
      const first = await desk.screen((rows) => rows.includes(' 8|line 9') && rows.length === 11);
      expect(first.slice(0, 9)).toEqual(Array.from({ length: 9 }, (_, row) => ` ${row}|line ${row + 1}`));
      await desk.call('send_input', { input: ' ', no_enter: true });
      await desk.screen((rows) => rows[0] === ' 0|line 10' && rows[9] === ' 9|:');
      await desk.type('/line 150');
      const found = await desk.screen((rows) => rows[0] === ' 0|line 150' && rows[9] === ' 9|:');
      expect(found.at(-1)).toBe('    ^');
      expect((await desk.keys('q', 'never')).trailer).toMatch(/exited with code 0/);
    },
    TIMEOUT_MS,
  );
});

describe('vi', needsTool('vi'), () => {
  test(
    'its screen, a line more, and the file that it writes',
    async () => {
      await using desk = await Desk.create();
      const file = join(desk.sandbox.folder, 'note');
      await writeFile(file, 'first\nsecond\n');
      await desk.start(['vi', '-u', 'NONE', '-N', '-n', file], { rows: 12, cols: 60, expect: 'second' });
      const opened = await desk.screen((rows) => rows.some((row) => row.startsWith('11|"')));
      expect(opened.slice(0, 4)).toEqual([' 0|first', '   ^', ' 1|second', ' 2|~']);
      await desk.call('send_input', { input: 'otwo and a half', no_enter: true });
      await desk.screen((rows) => rows[1] === ' 1|two and a half' && rows[2] === `   ${' '.repeat(14)}^`);
      await desk.keys([27]);
      const status = await desk.call('read_screen');
      expect(status.trailer).toMatch(
        /^\[screen: 12x60, empty rows left out · a full-screen program has it · cursor: row 1/,
      );
      expect((await desk.type(':wq', 'never')).trailer).toMatch(/exited with code 0/);
      expect(await readFile(file, 'utf8')).toBe('first\ntwo and a half\nsecond\n');
    },
    TIMEOUT_MS,
  );
});

describe('a serial line', needsTool('socat', 'python3'), () => {
  /** Echoes each character as boards do, answers each line, and writes down what it got. */
  const BOARD = `import os, sys
log = os.open(sys.argv[1], os.O_WRONLY | os.O_CREAT | os.O_APPEND)
os.write(1, b'board ready\\r\\n> ')
line = b''
while True:
    byte = os.read(0, 1)
    if not byte: break
    os.write(log, byte)
    if byte == b'\\r':
        os.write(1, b'\\r\\n' + line + b'?\\r\\n> ')
        line = b''
    else:
        os.write(1, byte)
        line += byte
`;

  test(
    'P12 · what is typed reaches the board once, and Enter is one CR; a key of its own ends the program',
    async () => {
      await using desk = await Desk.create();
      const { folder } = desk.sandbox;
      const [line, board, log] = [join(folder, 'tty'), join(folder, 'board.py'), join(folder, 'log')];
      await writeFile(board, BOARD);
      const wires = [`PTY,link=${line},raw,echo=0,wait-slave`, `EXEC:python3 ${board} ${log},pty,raw,echo=0`];
      const { agent } = desk;
      await agent.call('start_command', {
        command: 'socat',
        args: ['-d', '-d', ...wires],
        name: 'board',
        expect: 'PTY is',
        wait_ms: PATIENT,
      });
      // What picocom does: the terminal raw, every key to the line, one key to leave.
      const connected = await desk.start(['socat', '-,raw,echo=0,escape=0x1d', `${line},raw,echo=0`], {
        expect: '> $',
      });
      expect(connected.output).toBe('board ready\n> ');
      expect((await desk.type('help', '> $')).output).toBe('help?\n> ');
      expect((await desk.type('', '> $')).output).toBe('?\n> ');
      expect((await desk.type('grün', '> $')).output).toBe('grün?\n> ');
      await desk.keys([3]);
      expect(await readFile(log, 'utf8')).toBe('help\r\rgrün\r\x03');
      expect((await desk.keys([0x1d], 'never')).trailer).toMatch(/exited with code 0/);
      await agent.call('stop_command', { session_id: 'board' });
    },
    TIMEOUT_MS,
  );
});
