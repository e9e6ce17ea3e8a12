/**
 * What a cold agent met on a real ITS, driven through the real bridge and daemon on a fakeline. Each T-title is a row of
 * the trial: what cost it calls, misled it, or damaged text.
 */
import { readFileSync } from 'node:fs';
import { type Fakeline, type FakelineOptions, startFakeline } from '@pidp10/fakeline';
import { describe, expect, it } from 'vitest';
import { connectClient, ERAS, RawBridge, type ToolAnswer, type ToolClient } from '../support/bridgeClient.ts';
import { eventually } from '../support/processes.ts';
import { Sandbox } from '../support/sandbox.ts';

/** The trial's target for its six tasks. */
const MAX_CALLS = 12;
const MAX_CHARS = 8_000;

const HELLO = `\ttitle hello
start:\tmove 1,[440700,,hello]
\t.value
hello:\tasciz /Hello, world/
\tend start
`;
/** Five screens, with blank lines in it and lines longer than the screen is wide. */
const LONG = Array.from({ length: 90 }, (_, i) =>
  i % 9 === 4 ? '' : i % 30 === 7 ? `${i} ${'PARAMETERS '.repeat(10).trim()}.` : `${i}\tLINE ${i}`,
).join('\n');

describe.each(ERAS)('the six tasks of the trial, protocol %s', (era) => {
  it('T1 to T13 · take at most 12 calls and 8,000 characters', async () => {
    await using rig = await Rig.start({
      era,
      files: [...FILES, { directory: 'RMS', name1: 'LONG', name2: 'TEXT', text: `${LONG}\n` }],
    });
    const opened = await rig.call('open', { login: 'rms' });
    expect(opened.trailer).toMatch(
      /logged in · You're all alone.* · terminal VT52 · .* · ddt · line open\]$/,
    );
    const put = await rig.call('put_file', { file: 'rms;hello >', text: HELLO });
    expect(put.text).toMatch(
      /^Written: RMS; HELLO 2, 5 lines, \d+ characters, read back and found the same\.$/,
    );
    const run = await rig.send(':midas rms;ts hello_rms;hello\n:hello', { until: 'prompt' });
    expect(run.blocks[1]).toMatch(/^\[:hello · prompt\]\n\s*Hello, world/);
    await rig.send(':emacs\n~x18~x06rms;hello >');
    const edited = await rig.send('~swor~eX~x18~s~-');
    expect(edited.output).toContain('Hello, worXld');
    const left = await rig.send('~x18~c~-');
    expect(left.trailer).toMatch(/ · ddt · line open\]$/);
    const again = await rig.send(':kill\n:midas rms;ts hello_rms;hello\n:hello', { until: 'prompt' });
    expect(again.blocks[2]).toMatch(/^\[:hello · prompt\]\n\s*Hello, worXld/);
    expect((await rig.send(':peek')).output).toContain('HACTRN');
    expect((await rig.send('q~-')).reason).toBe('prompt');
    const long = await rig.send(':print rms;long text', { to_file: 'long.txt' });
    expect(long.trailer).toMatch(/ · 9[01] lines · .* that is its beginning, all is in .*long\.txt · /);
    const bye = await rig.send(':delete rms;ts hello\n:logout');
    expect(bye.trailer).toMatch(/ · free: needs ~z · line open\]$/);
    expect(rig.chars).toBeLessThan(MAX_CHARS);
    expect(rig.calls).toBeLessThanOrEqual(MAX_CALLS);
  });
});

describe('the line of an agent', () => {
  it('T3 · no pattern is needed to know that DDT is ready: after success, a program, EMACS, an error, a login', async () => {
    await using rig = await Rig.loggedIn();
    for (const input of [':vk', ':time', ':listf rms', ':nosuch', '~d~-', 'foo~ej~-']) {
      const answer = await rig.send(input, { timeout_ms: 5_000, quiet_ms: 4_000 });
      expect([input, answer.reason, answer.trailer.includes(' · ddt · ')]).toEqual([input, 'prompt', true]);
    }
    await rig.send(':emacs');
    const left = await rig.send('~x18~c~-', { timeout_ms: 5_000, quiet_ms: 4_000 });
    expect(left.reason).toBe('prompt');
    const killed = await rig.send(':kill', { timeout_ms: 5_000, quiet_ms: 4_000 });
    expect(killed.reason).toBe('prompt');
  });

  it('T4 · at a pager the trailer says which it is, what goes on and what drops the rest', async () => {
    await using rig = await Rig.loggedIn({
      midasListings: { 'RMS;LONG': [`long\n${LONG}\n`] },
    });
    const ddt = await rig.send(':print info;pages text', { max_pages: 1 });
    expect(ddt.trailer).toMatch(
      /^\[more_limit: ITS stands at --More--; read goes on, read\(flush=true\) drops the rest · .*1 --More-- answered/,
    );
    expect((await rig.call('status')).text).toContain(
      'ITS: pager: ITS stands at --More--; input " ~-" goes on',
    );
    const next = await rig.call('read', { max_pages: 1 });
    expect(next.trailer).toMatch(/^\[more_limit: ITS stands at --More--; /);
    const flushed = await rig.call('read', { flush: true });
    expect(flushed.trailer).toMatch(/^\[prompt · .* · ddt · line open\]$/);
    expect((await rig.call('read', { flush: true })).text).toMatch(
      /does not stand at a pager.*Nothing was sent/,
    );

    const system = await rig.send(':midas rms;long', { max_pages: 0, quiet_ms: 2_000 });
    expect(system.trailer).toMatch(
      /^\[more_limit: ITS stands at \*\*MORE\*\*; read \(or input " ~-"\) goes on, any other key is taken as the next command/,
    );
    const rest = await rig.call('read', { until: 'prompt', timeout_ms: 10_000 });
    expect(rest.output).toContain('LINE 89');
    expect(rest.output).not.toContain('**MORE**');
  });

  it('T5 · pages join without a trace: no echo of our answers, no blank line that is not in the file', async () => {
    await using rig = await Rig.loggedIn();
    const answer = await rig.send(':print info;pages text');
    const lines = Array.from(
      { length: 80 },
      (_, i) => `Line ${i + 1} of INFO;PAGES TEXT: a text of several pages.`,
    );
    expect(answer.output.trim().split('\n')).toEqual([...lines, '*']);
    expect(answer.trailer).toMatch(/ · 3 pages · ddt · /);
  });

  it('T6 · folded lines are one again and counted, also where the text goes to a file', async () => {
    await using rig = await Rig.loggedIn({
      files: [...FILES, { directory: 'RMS', name1: 'LONG', name2: 'TEXT', text: `${LONG}\n` }],
    });
    const answer = await rig.send(':print rms;long text');
    expect(answer.output.trim().split('\n').slice(0, -1)).toEqual(LONG.split('\n'));
    expect(answer.trailer).toMatch(/ 9[01] lines · .* · 2 folded lines joined · ddt · /);
    const toFile = await rig.send(':print rms;long text', { to_file: 'long.txt' });
    const path = /that is its beginning, all is in (\S+) /.exec(toFile.trailer)?.[1] ?? '';
    expect(toFile.text.length).toBeLessThan(1_500);
    expect(toFile.trailer).toMatch(/ 9[01] lines · /);
    expect(readFileSync(path, 'utf8')).toContain(LONG);
  });

  it('T7 · in EMACS the screen is seen, with the edited line and the cursor', async () => {
    await using rig = await Rig.loggedIn();
    await rig.send(':emacs');
    await rig.send('~x18~x06~-');
    const found = await rig.send('rms;notes text');
    expect(found.output).toContain('Happy hacking!');
    const typed = await rig.send('X~-');
    expect(typed.output).toContain(' 0|XHappy hacking!\n    ^\n20|EMACS');
    expect(typed.trailer).toMatch(/changed rows of the screen, cursor 0,1 · screen program emacs/);
    const screen = await rig.call('screen');
    expect(screen.output).toMatch(
      /^ 0\|XHappy hacking!\n {4}\^\n 1\|This is a fake line\.\n20\|EMACS .* \*$/,
    );
    expect(screen.trailer).toMatch(
      /^\[screen: 24 rows, empty ones left out · cursor: row 0, column 1 · offset \d+/,
    );
    const offset = Number(/offset (\d+)/.exec(screen.trailer)?.[1]);
    await rig.send('~x0e~-');
    const last = await rig.send('Y~-');
    const changed = await rig.call('screen', { changed_since: offset });
    expect(changed.output).toMatch(/^ 1\|.*Y.*\n {3,}\^$/);
    expect((await rig.call('screen', { at: offset })).output).toBe(screen.output);
    // Nothing counts as read by it, and nothing was typed.
    expect((await rig.call('read', { timeout_ms: 50 })).facts?.start).toBe(last.facts?.end);
  });

  it('T8 · it is known which program has the line: the " *" of EMACS is no prompt', async () => {
    await using rig = await Rig.loggedIn();
    await rig.send(':emacs');
    const typed = await rig.send('X~-');
    expect(typed.output).toMatch(/ \*$/);
    expect(typed.reason).toBe('quiet');
    expect(typed.trailer).toMatch(/ · screen program emacs · line open\]$/);
    expect((await rig.call('status')).text).toContain(
      'ITS: screen program emacs has the line: the screen tool shows it; "~x18~c~-" leaves it',
    );
    expect((await rig.send('~x18~c~-')).trailer).toMatch(/^\[prompt · .* · ddt · line open\]$/);
  });

  it('T10 · open tells who else is on and the terminal; every result and status tell what ITS is doing', async () => {
    await using rig = await Rig.start();
    expect((await rig.call('open')).trailer).toMatch(
      /^\[prompt .* · line open\]$|^\[quiet .* · line open\]$/,
    );
    const opened = await rig.call('open', { login: 'rms', terminal: 'vt52' });
    expect(opened.trailer).toMatch(/ · logged in · You're all alone, Fair share = 99% · terminal VT52 · /);
    const again = await rig.call('open', { login: 'rms' });
    expect(again.trailer).toContain(' · somebody was logged in already · terminal VT52 · ');
    expect((await rig.call('status')).text).toContain('ITS: ddt: DDT waits for a command · echo on');
    const secret = await rig.send(':pword');
    expect(secret.trailer).toContain(' · program pword · ');
    await rig.send('x');
    expect((await rig.send(':detach')).trailer).toMatch(/ · free: needs ~z · line open\]$/);
    expect((await rig.call('status')).text).toContain('open(login="NAME") does it all');
    const stopped = await rig.call('open', { login: 'rms' });
    expect(stopped.trailer).toContain(
      'login stopped, question: --Attach Your Detached Tree-- (Space=yes, Rubout=no); input " ~-" says yes, "~d~-" says no',
    );
    expect((await rig.send(' ~-')).output).toContain('Reowned');
    rig.line.send('\r\n\u001bK\u0007ITS GOING DOWN IN 5:00\r\n\u001bK');
    const down = await rig.send(':vk');
    expect(down.trailer).toContain('ITS is going down: "');
    expect((await rig.call('status')).text).toContain('Save what you have and send ":logout"');
  });

  it('several commands are answered one by one; an error does not eat the next, a question stops the rest', async () => {
    await using rig = await Rig.loggedIn();
    const answer = await rig.send(':listf rms\n:nosuch\n:vk');
    expect(answer.blocks.map((block) => block.split('\n')[0])).toEqual([
      '[:listf rms · prompt]',
      '[:nosuch · prompt]',
      '[:vk · prompt]',
      answer.trailer,
    ]);
    expect(answer.blocks[0]).toMatch(/NOTES {2}TEXT/);
    expect(answer.blocks[1]).toMatch(/FILE NOT FOUND/);
    const stopped = await rig.send(':print info;pages text\n:vk', { max_pages: 0 });
    expect(stopped.trailer).toMatch(/^\[more_limit: ITS stands at --More--; .* command 1 of 2/);
    expect(rig.line.receivedBytes().toString('latin1')).not.toMatch(/pages text\r ?:vk/);
  });

  it('a message of somebody else is shown apart from the answer, once', async () => {
    await using rig = await Rig.loggedIn();
    await rig.send(':vk');
    const call = rig.send(':sleep 30', { until: 'prompt' });
    await rig.line.waitFor(() => rig.line.receivedBytes().includes(':sleep 30\r'), { what: 'the command' });
    rig.line.message('FOO', 'are you there?');
    const answer = await call;
    expect(answer.reason).toBe('prompt');
    expect(answer.blocks.at(-2)).toMatch(
      /^\[notice, not part of the output\] \[Message from FOO at KA .*\]\nare you there\?$/,
    );
    expect(answer.blocks.slice(0, -2).join('\n')).not.toContain('FOO');
    expect((await rig.call('read', { timeout_ms: 50 })).text).not.toContain('FOO');
  });

  it('T1 · a message that came before the input is shown apart too, and is read with it', async () => {
    await using rig = await Rig.loggedIn();
    await rig.send(':vk');
    rig.line.message('FOO', 'are you there?');
    // Until the daemon has it all; peek moves nothing.
    await eventually('the message is there', async () => {
      const unread = /([\d,]+) bytes unread/.exec((await rig.call('status')).text)?.[1] ?? '0';
      return Number(unread.replaceAll(',', '')) > 40;
    });
    const answer = await rig.send(':vk');
    expect(answer.blocks.at(-2)).toMatch(
      /^\[notice, not part of the output\] \[Message from FOO at KA .*\]\nare you there\?$/,
    );
    expect(answer.blocks.slice(0, -2).join('\n')).not.toContain('FOO');
    expect((await rig.call('read', { timeout_ms: 50 })).text).not.toContain('FOO');
  });

  it('M09 · a client that asks for progress hears how far a file is', async () => {
    await using line = await startFakeline({ inputCps: 200 });
    await using sandbox = await Sandbox.create();
    await sandbox.daemon();
    const bridge = await RawBridge.start(sandbox, {
      args: ['--host', '127.0.0.1', '--port', String(line.port)],
      env: { PIDP10_MCP_PROGRESS_EVERY_MS: '200' },
    });
    await bridge.call('open', { login: 'rms' });
    const args = { file: 'rms;slow 2', text: 'all work and no play\n'.repeat(15) };
    const put = await bridge.toolAnswer(bridge.beginCall('put_file', args, 'put'));
    expect(put.text).toContain('read back and found the same');
    const got = await bridge.toolAnswer(bridge.beginCall('get_file', { file: 'rms;slow 2' }, 'get'));
    expect(got.blocks[0]).toBe(args.text);
    const messages = bridge.frames
      .filter(({ method }) => method === 'notifications/progress')
      .map(({ params }) => `${String(params?.['progressToken'])}: ${String(params?.['message'])}`);
    expect(messages.some((each) => /^put: waiting .* input bytes sent$/.test(each))).toBe(true);
  });

  it('puts a file and gets it back the same, says what ITS refuses, and leaves the terminal as it was', async () => {
    await using rig = await Rig.loggedIn();
    const text = `\ttab\n\n  two blanks\n${'a long line '.repeat(15)}.\n*\n--More--\nlast`;
    const put = await rig.call('put_file', { file: 'rms;odd 1', text });
    expect(put.text).toContain('read back and found the same');
    const got = await rig.call('get_file', { file: 'rms;odd 1' });
    expect(got.blocks[0]?.trimEnd()).toBe(text);
    expect(got.trailer).toMatch(/^\[rms;odd 1 · 7 lines · \d+ chars\]$/i);
    const missing = await rig.call('get_file', { file: 'rms;nosuch 1' });
    expect(missing.isError).toBe(true);
    expect(missing.text).toMatch(/^file_failed: .*FILE NOT FOUND/);
    expect((await rig.call('put_file', { file: 'x 1', text: 'caf\u00e9' })).text).toMatch(
      /^input_not_seven_bit: .*position 3/,
    );
    expect((await rig.send(':tctyp')).output).toContain('VT52');
    await rig.send(':emacs');
    expect((await rig.call('put_file', { file: 'x 1', text: 'x' })).text).toMatch(/^not_at_ddt: .*emacs/);
  });

  it('paste types text into one program', async () => {
    await using rig = await Rig.loggedIn();
    await rig.send(':create rms;typed 1');
    const done = await rig.send('one\ntwo\n~c~-', { paste: true });
    expect(done.text).toContain('Written to');
    expect((await rig.call('get_file', { file: 'rms;typed 1' })).blocks[0]).toBe('one\ntwo\n');
  });

  it('M09 · a file that takes longer than the client waits: the same call again hears the end, and it is typed once', async () => {
    await using rig = await Rig.loggedIn({ inputCps: 200 }, { PIDP10_MCP_RETURN_AFTER_MS: '1000' });
    const args = { file: 'rms;slow 1', text: 'all work and no play\n'.repeat(15) };
    const first = await rig.call('put_file', args);
    expect(first.text).toMatch(/^Not done yet: still typing 315 characters\. Make the same call again/);
    let last = first;
    while (last.text.startsWith('Not done yet')) last = await rig.call('put_file', args);
    expect(last.text).toMatch(/^Written: RMS; SLOW 1, 15 lines, 315 characters, read back/);
    expect(rig.line.receivedBytes().toString('latin1').split(':create').length).toBe(2);
  });
});

const FILES: NonNullable<FakelineOptions['files']> = [
  { directory: 'RMS', name1: 'NOTES', name2: 'TEXT', text: 'Happy hacking!\nThis is a fake line.\n' },
  { directory: 'RMS', name1: 'HELLO', name2: '1', text: '\ttitle hello\n\tend\n' },
];

interface RigOptions extends FakelineOptions {
  readonly era?: (typeof ERAS)[number];
}

/** A daemon, a line and an agent, whose calls and characters are counted. */
class Rig implements AsyncDisposable {
  readonly line: Fakeline;
  readonly #agent: ToolClient;
  readonly #sandbox: Sandbox;
  calls = 0;
  chars = 0;

  private constructor(line: Fakeline, agent: ToolClient, sandbox: Sandbox) {
    this.line = line;
    this.#agent = agent;
    this.#sandbox = sandbox;
  }

  static async start(
    { era = '2025-11-25', ...options }: RigOptions = {},
    env: Record<string, string> = {},
  ): Promise<Rig> {
    const [line, sandbox] = await Promise.all([startFakeline(options), Sandbox.create()]);
    await sandbox.daemon();
    const args = ['--host', '127.0.0.1', '--port', String(line.port)];
    return new Rig(line, await connectClient(era, sandbox, { args, env }), sandbox);
  }

  static async loggedIn(options: RigOptions = {}, env: Record<string, string> = {}): Promise<Rig> {
    const rig = await Rig.start(options, env);
    await rig.call('open', { login: 'rms' });
    return rig;
  }

  async call(tool: string, args: Record<string, unknown> = {}): Promise<ToolAnswer> {
    const answer = await this.#agent.call(tool, args);
    this.calls += 1;
    this.chars += answer.text.length;
    return answer;
  }

  send(input: string, args: Record<string, unknown> = {}): Promise<ToolAnswer> {
    return this.call('send', { input, ...args });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#agent.close();
    await this.#sandbox[Symbol.asyncDispose]();
    await this.line.close();
  }
}
