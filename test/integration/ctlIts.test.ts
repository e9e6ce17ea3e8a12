/** pidp10ctl on an ITS line: screen, files, login, pagers, questions, messages. The real programs, a fake line. */
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Fakeline, type FakelineOptions, startFakeline } from '@pidp10/fakeline';
import { METHODS, type MethodName } from '@pidp10/protocol/methods';
import { describe, expect, test } from 'vitest';
import { BIN, Sandbox } from '../support/sandbox.ts';

interface Ran {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** A fake line, and a daemon for it. */
class Terminal implements AsyncDisposable {
  readonly line: Fakeline;
  readonly sandbox: Sandbox;

  constructor(line: Fakeline, sandbox: Sandbox) {
    this.line = line;
    this.sandbox = sandbox;
  }

  ctl(...args: readonly string[]): Promise<Ran> {
    return this.feed('', ...args);
  }

  async feed(stdin: string, ...args: readonly string[]): Promise<Ran> {
    const program = this.sandbox.run(BIN.ctl, { args });
    program.child.stdin.end(stdin);
    const { code } = await program.exited;
    return { code, stdout: program.stdout, stderr: program.stderr };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.sandbox[Symbol.asyncDispose]();
    await this.line.close();
  }
}

async function startTerminal(options: FakelineOptions = {}): Promise<Terminal> {
  const line = await startFakeline(options);
  const terminal = new Terminal(line, await Sandbox.create());
  await terminal.sandbox.daemon({ env: { PIDP10_HOST: line.host, PIDP10_PORT: String(line.port) } });
  return terminal;
}

/** With somebody logged in. */
async function logIn(options: FakelineOptions = {}): Promise<Terminal> {
  const terminal = await startTerminal(options);
  expect(await terminal.ctl('open', '--login', 'rms')).toMatchObject({ code: 0 });
  return terminal;
}

/** With `--json`: exit code, and the one document, which has the shape that the method's result has. */
async function json(terminal: Terminal, method: MethodName, ...args: readonly string[]) {
  const { code, stdout, stderr } = await terminal.ctl('--json', ...args);
  expect([stdout, stderr]).toEqual([expect.stringMatching(/^[^\n]+\n$/), '']);
  const document = JSON.parse(stdout);
  expect(METHODS[method].result.safeParse(document).error).toBeUndefined();
  return { code, document };
}

describe('open --login', () => {
  test('T10: up to the prompt; who else is there, and which terminal', async () => {
    await using terminal = await startTerminal();
    const { code, stdout, stderr } = await terminal.ctl('open', '--login', 'rms');
    expect([code, stdout]).toEqual([
      0,
      expect.stringMatching(/Connected to the KA-10[^]*Happy hacking![^]*:MSGS<CR>/),
    ]);
    expect(stderr).toMatch(/logged in\n.*others: "You're all alone.*\n.*terminal type: VT52/);
    expect((await terminal.ctl('status')).stdout).toMatch(/^doing {3}DDT waits for a command$/m);
  });

  test('L18: a second login types no name over the first', async () => {
    await using terminal = await logIn();
    const { code, document } = await json(
      terminal,
      'line.open',
      'open',
      '--login',
      'rms',
      '--terminal',
      'vt52',
    );
    expect([code, document.login]).toEqual([
      0,
      expect.objectContaining({ state: 'was_logged_in', terminal: 'VT52' }),
    ]);
  });
});

describe('status', () => {
  test('T10: what ITS is doing, as text and as JSON', async () => {
    await using terminal = await logIn();
    await terminal.ctl('send', ':emacs');
    expect((await terminal.ctl('status')).stdout).toMatch(
      /^doing {3}emacs has the line and paints the screen$/m,
    );
    const { stdout } = await terminal.ctl('status', '--json');
    expect(JSON.parse(stdout)).toMatchObject({
      line: { activity: { kind: 'screen_program', name: 'emacs' } },
    });
  });

  test('I16: that ITS is going down', async () => {
    await using terminal = await logIn();
    terminal.line.notice('going_down', 5);
    const { stderr } = await terminal.ctl('read', '--timeout-ms', '500');
    expect(stderr).toContain('ITS is going down: "');
    expect((await terminal.ctl('status')).stdout).toMatch(/^down {4}ITS is going down: ".*5:00/m);
  });
});

describe('screen', () => {
  test('T7: what EMACS has painted, as text and as JSON', async () => {
    await using terminal = await logIn();
    await terminal.ctl('send', ':emacs');
    const typed = await terminal.ctl('send', 'hello~-');
    expect(typed.stderr).toMatch(/the screen changed in rows 0.*cursor in row 0, column 5/);
    const { code, stdout, stderr } = await terminal.ctl('screen');
    expect([code, stdout.split('\n').length]).toEqual([0, 25]);
    expect(stdout).toMatch(/^hello\n\n[^]*^EMACS .*Main:/m);
    expect(stderr).toContain('cursor in row 0, column 5');
    const { document } = await json(terminal, 'line.screen', 'screen');
    expect(document).toMatchObject({
      rows: stdout.trimEnd().split('\n').concat('', '', ''),
      cursor: { row: 0, column: 5 },
    });
  });

  test('rows that changed since an offset, and the screen as it was then', async () => {
    await using terminal = await logIn();
    await terminal.ctl('send', ':emacs');
    await terminal.ctl('send', 'one~-');
    const { document } = await json(terminal, 'line.screen', 'screen');
    await terminal.ctl('send', 'two~-');
    const since = await terminal.ctl('screen', '--changed-since', String(document.offset));
    expect(since.stdout).toBe(' 0  onetwo\n');
    expect((await terminal.ctl('screen', '--at', String(document.offset))).stdout).toMatch(/^one\n/);
    expect((await terminal.ctl('screen', '--at', '99999999')).code).toBe(1);
  });

  test.each([
    ['SIGTERM', 143],
    ['SIGHUP', 129],
  ] as const)('--follow ends by %s as by ^C, with %d', async (signal, code) => {
    await using terminal = await logIn();
    const follower = terminal.sandbox.run(BIN.ctl, { args: ['screen', '--follow'] });
    await follower.until('the screen', ({ stdout }) => stdout.includes('---'));
    follower.kill(signal);
    expect(await follower.exited).toEqual({ code, signal: null });
    expect(follower.stderr).toBe('');
  });

  test('--follow shows each change, moves no reader, and ends with ^C', async () => {
    await using terminal = await logIn();
    await terminal.ctl('send', ':emacs');
    const follower = terminal.sandbox.run(BIN.ctl, { args: ['screen', '--follow'] });
    await follower.until('the screen', ({ stdout }) => stdout.includes('EMACS Editor'));
    await terminal.ctl('send', 'watched~-');
    await follower.until('the change', ({ stdout }) => stdout.includes('watched'));
    expect((await terminal.ctl('status')).stdout).toMatch(/^reader {2}ctl at \d+, 0 bytes unread$/m);
    follower.kill('SIGINT');
    expect(await follower.exited).toEqual({ code: 130, signal: null });
    expect(follower.stderr).toBe('');
  });

  test('--follow sees a message, which no read hears of, and the end of the line', async () => {
    await using terminal = await logIn();
    const follower = terminal.sandbox.run(BIN.ctl, { args: ['screen', '--follow'] });
    await follower.until('the screen', ({ stdout }) => stdout.includes('---'));
    terminal.line.message('FOO', 'lunch?');
    await follower.until('the message', ({ stdout }) => stdout.includes('lunch?'));
    terminal.line.dropConnection('fin');
    expect(await follower.exited).toEqual({ code: 4, signal: null });
    expect(follower.stderr).toContain('the line is dead');
  });
});

describe('put and get', () => {
  test('a text goes there and comes back the same', async () => {
    await using terminal = await logIn();
    const text = '\ttitle hello\nstart:\tjumpe 3,done\n\n\tend\tstart\n';
    const local = join(terminal.sandbox.folder, 'local');
    await writeFile(local, text.replaceAll('\n', '\r\n'));
    const put = await terminal.ctl('put', local, 'rms;first 1');
    expect(put).toEqual({
      code: 0,
      stdout: 'RMS; FIRST 1: 4 lines, 45 characters, read back and the same\n',
      stderr: '',
    });
    const back = join(terminal.sandbox.folder, 'back');
    expect((await terminal.ctl('get', 'rms;first 1', back)).code).toBe(0);
    expect(await readFile(back, 'utf8')).toBe(text);
    const got = await terminal.ctl('get', 'rms;first 1');
    expect([got.code, got.stdout]).toEqual([0, text]);
    expect((await json(terminal, 'line.getFile', 'get', 'rms;first 1')).document).toMatchObject({ text });
    const { document } = await json(terminal, 'line.putFile', 'put', local, 'rms;second 1');
    expect(document).toMatchObject({ file: 'RMS; SECOND 1', verified: true });
  });

  test('from standard input; the terminal type is what it was; nobody has to read the dialogue', async () => {
    await using terminal = await logIn();
    expect((await terminal.feed('a line\r\n', 'put', '-', 'rms;third 1')).code).toBe(0);
    const { stdout, stderr } = await terminal.ctl('send', ':tctyp');
    expect(stdout).toMatch(/^VT52$/m);
    expect(stderr).not.toContain('earlier output');
  });

  test('L18: not while a program has the line: exit code 1, nothing typed', async () => {
    await using terminal = await logIn();
    await terminal.ctl('send', ':emacs');
    const { length } = terminal.line.receivedBytes();
    const get = await terminal.ctl('get', 'rms;notes text');
    expect([get.code, get.stderr]).toEqual([1, expect.stringContaining('emacs')]);
    expect((await terminal.feed('x', 'put', '-', 'rms;x')).code).toBe(1);
    expect(terminal.line.receivedBytes().length).toBe(length);
  });

  test('a file that is not there, a character that cannot be typed: exit code 1, with the reason', async () => {
    await using terminal = await logIn();
    const get = await terminal.ctl('get', 'rms;nosuch file');
    expect([get.code, get.stdout, get.stderr]).toEqual([1, '', expect.stringContaining('FILE NOT FOUND')]);
    const put = await terminal.feed('schön', 'put', '-', 'rms;x');
    expect([put.code, put.stderr]).toEqual([1, expect.stringContaining('U+00F6 at position 3')]);
  });
});

describe('unstick', () => {
  test('sends IAC NOP, by either name, as text and as JSON', async () => {
    await using terminal = await logIn();
    const { length } = terminal.line.receivedBytes();
    const { code, stdout } = await terminal.ctl('line', 'unstick');
    expect([code, stdout]).toEqual([0, expect.stringMatching(/^IAC NOP is sent; the line is open/)]);
    expect((await json(terminal, 'line.unstick', 'unstick')).code).toBe(0);
    const nops = [0xff, 0xf1, 0xff, 0xf1];
    await terminal.line.waitFor(() => terminal.line.receivedBytes().length >= length + nops.length, {
      what: 'two NOPs',
    });
    expect([...terminal.line.receivedBytes().subarray(length)]).toEqual(nops);
  });

  test('a closed line: exit code 4', async () => {
    await using terminal = await logIn();
    await terminal.ctl('close');
    expect((await terminal.ctl('unstick')).code).toBe(4);
  });
});

describe('send', () => {
  test('several commands: each when the one before was answered, and labelled', async () => {
    await using terminal = await logIn();
    const { code, stdout, stderr } = await terminal.feed(':time\n:nosuch\n:date\n', 'send', '-');
    expect(code).toBe(0);
    expect(stdout).toMatch(/The time is[^]*NOSUCH - FILE NOT FOUND[^]*DAY,/);
    expect(stderr).toMatch(
      /command 1, ":time" CR: prompt\n.*command 2, ":nosuch" CR: .*\n.*command 3, ":date"/,
    );
    const { document } = await json(terminal, 'line.send', 'send', ':time~r:date');
    expect(document.commands).toHaveLength(2);
  });

  test('--paste: lines into one program', async () => {
    await using terminal = await logIn();
    await terminal.ctl('send', ':create rms;pasted 1');
    const { stderr } = await terminal.feed('one\ntwo\nthree\n', 'send', '--paste', '-');
    expect(stderr).not.toContain('command 1');
    await terminal.ctl('send', '~c~-');
    expect((await terminal.ctl('get', 'rms;pasted 1')).stdout).toBe('one\ntwo\nthree\n');
  });

  test('--until-prompt: a program that is silent for longer than the quiet time', async () => {
    await using terminal = await logIn({ midasMs: 1_500 });
    const silent = await terminal.ctl('send', ':midas hello 1', '--until-prompt', '--timeout-ms', '20000');
    expect([silent.code, silent.stdout]).toEqual([0, expect.stringMatching(/\*$/)]);
    expect(silent.stderr).toMatch(/^pidp10ctl: prompt/);
  });

  test('T4: --max-pages ends at a page, and says what stands there; read --flush ends the listing', async () => {
    await using terminal = await logIn();
    const { code, stderr } = await terminal.ctl('send', ':print info;pages text', '--max-pages', '1');
    expect([code, stderr]).toEqual([6, expect.stringMatching(/more_limit \(1 page turned\)/)]);
    const flushed = await terminal.ctl('read', '--flush');
    expect([flushed.code, flushed.stdout]).toEqual([0, expect.stringMatching(/Flushed\n\*$/)]);
    await terminal.ctl('send', ':print info;pages text', '--no-auto-more');
    const { document } = await json(terminal, 'line.read', 'read', '--flush');
    expect(document.reason).toBe('prompt');
    expect((await terminal.ctl('read', '--flush')).code).toBe(2);
  });

  test('T12: --to-file: the whole text into a file, its beginning here', async () => {
    await using terminal = await logIn();
    const { code, stdout, stderr } = await terminal.ctl(
      'send',
      ':print info;pages text',
      '--to-file',
      'pages',
    );
    expect([code, stdout]).toEqual([0, expect.stringContaining('Line 1 of')]);
    const path = /the whole text is in (.+); this/.exec(stderr)?.[1] ?? '';
    expect(path.startsWith(terminal.sandbox.stateDir)).toBe(true);
    expect((await readFile(path, 'utf8')).match(/^Line \d+ of/gm)).toHaveLength(80);
    const { document } = await json(terminal, 'line.send', 'send', ':time', '--to-file', 'time');
    expect(document.file).toMatch(/time$/);
  });

  test('I07: a message of another user goes to standard error, and not into the output', async () => {
    await using terminal = await logIn();
    await terminal.ctl('send', ':create rms;x');
    terminal.line.message('FOO', 'lunch?');
    const { stdout, stderr } = await terminal.ctl('send', 'a line');
    expect(stdout).not.toContain('lunch?');
    expect(stderr).toMatch(/\[Message from FOO at KA[^\n]*\]\n\s*lunch\?/);
  });

  test('a question is left to whoever asks: exit code 6, and which keys answer', async () => {
    await using terminal = await logIn();
    await terminal.ctl('send', 'foo~ej~-');
    const { code, stderr } = await terminal.ctl('send', '~e~x18~-');
    expect([code, stderr]).toEqual([6, expect.stringMatching(/^pidp10ctl: question[^]*Space/)]);
    expect((await terminal.ctl('status')).stdout).toMatch(/^doing {3}a question waits: ".*Kill/m);
  });

  test('I17: a line that brings ITS down is not sent: exit code 1, and what to do', async () => {
    await using terminal = await logIn();
    const { length } = terminal.line.receivedBytes();
    const refused = await terminal.ctl('send', ':lock');
    expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining(':lock')]);
    expect(terminal.line.receivedBytes().length).toBe(length);
    await terminal.ctl('send', ':lock', '--confirm');
    expect(terminal.line.receivedBytes().subarray(length).toString()).toBe(':lock\r');
  });
});
