/** What an agent sees: the typical session in both eras of the protocol, and the cases about results. */
import { connect } from 'node:net';
import { type Fakeline, startFakeline } from '@pidp10/fakeline';
import { describe, expect, it } from 'vitest';
import {
  assertWellFormed,
  connectClient,
  ERAS,
  RawBridge,
  type ToolClient,
} from '../support/bridgeClient.ts';
import { eventually } from '../support/processes.ts';
import { Sandbox } from '../support/sandbox.ts';

/** What clients show whole, and what they take of a result (25,000 tokens are some 60,000 characters). */
const MAX_GUIDE_BYTES = 2_000;
const MAX_RESULT_CHARS = 60_000;

function lineArgs(line: { readonly port: number }): string[] {
  return ['--host', '127.0.0.1', '--port', String(line.port)];
}

describe.each(ERAS)('a session of an agent, protocol %s', (era) => {
  it('opens, logs in, lists, prints over several pages, logs out', async () => {
    await using line = await startFakeline();
    await using sandbox = await Sandbox.create();
    await sandbox.daemon();
    await using agent = await connectClient(era, sandbox, { args: lineArgs(line) });

    const greeting = await agent.call('open');
    expect(greeting.text).toContain('Connected to the KA-10 simulator');
    // T11: the greeting is complete, so nothing is waited for.
    expect(greeting.reason).not.toBe('timeout');

    const again = await agent.call('open');
    expect(again.text).toMatch(/The line was open already, to 127\.0\.0\.1:\d+; nothing was changed/);
    const banner = await agent.call('send', { input: '~z' });
    expect(banner.output).toContain('Happy hacking!');
    expect(banner.reason).toBe('prompt');

    await agent.call('send', { input: ':login rms' });
    const listing = await agent.call('send', { input: ':listf rms' });
    expect(listing.reason).toBe('prompt');
    expect(listing.output).toMatch(/NOTES {2}TEXT/);
    expect(listing.output).not.toContain(':listf');
    expect(listing.trailer).toMatch(
      /^\[prompt · \d+ chars · \d+ lines · offsets \d+-\d+ · ddt · line open\]$/,
    );

    const pages = await agent.call('send', { input: ':print info;pages text' });
    expect(pages.output).toContain('Line 1 of INFO;PAGES TEXT');
    expect(pages.output).toContain('Line 80 of INFO;PAGES TEXT');
    expect(pages.output).not.toContain('--More--');
    expect(pages.trailer).toMatch(/ · \d+ pages · ddt · line open\]$/);

    const wrong = await agent.call('send', { input: ':nosuch' });
    expect(wrong.reason).toBe('prompt');
    expect(wrong.output).toContain('FILE NOT FOUND');

    const bye = await agent.call('send', { input: ':logout' });
    expect(bye.output).toMatch(/Console .* Free/);
    const shown = await agent.call('peek', { last_n_chars: 200 });
    expect(shown.output).toContain('Free');
    expect((await agent.call('read', { timeout_ms: 100 })).blocks).toHaveLength(1);
    expect((await agent.call('status')).text).toMatch(/^line open · 127\.0\.0\.1:\d+ · telnet line/);
    expect((await agent.call('close')).text).toContain('The line is closed');
    await line.waitFor((events) => events.some(({ kind, how }) => kind === 'closed' && how === 'reset'), {
      what: 'reset',
    });
    expect((await agent.call('send', { input: 'x' })).text).toContain('line_not_open');
  });

  it('says what is wrong with arguments, and sends nothing', async () => {
    await using line = await startFakeline();
    await using sandbox = await Sandbox.create();
    await sandbox.daemon();
    await using agent = await connectClient(era, sandbox, { args: lineArgs(line) });
    await agent.call('open');
    const faults: [Record<string, unknown>, RegExp][] = [
      [{ input: 'x~q' }, /bad_escape.*position 1/],
      [{ input: 'x', expect: '(' }, /pattern_invalid/],
      [{ input: 'x', timeout: 5 }, /Unknown argument timeout; allowed: .*timeout_ms/],
      [{ input: 'x', timeout_ms: 'soon' }, /timeout_ms/],
      [{}, /input/],
      [{ input: 'caf\u00e9' }, /input_not_seven_bit.*position 3/],
    ];
    for (const [args, message] of faults) {
      const answer = await agent.call('send', args);
      expect(answer.isError).toBe(true);
      expect(answer.text).toMatch(message);
    }
    const dry = await agent.call('send', { input: '~z', dry_run: true });
    expect(dry.text).toMatch(/2 bytes would be sent: \^Z CR\nhex 1a0d/);
    expect(line.receivedBytes().length).toBe(0);
    // Absent is what null and an empty pattern mean.
    expect((await agent.call('send', { input: '~z', expect: '', timeout_ms: null })).reason).toBe('prompt');
  });
});

describe('results', () => {
  it('T1 · expect sees only what comes after the input; older unread output is given apart and labelled', async () => {
    await using rig = await Rig.start();
    const { agent, line } = rig;
    await agent.call('send', { input: '~z' });
    line.send('\r\nTHE MARK from before\r\n');
    await rig.untilHeard('THE MARK from before');
    const answer = await agent.call('send', { input: ':vk', expect: 'THE MARK', timeout_ms: 1_000 });
    expect(answer.reason).not.toBe('matched');
    expect(answer.blocks[0]).toMatch(
      /^\[unread output from before this input, offsets \d+-\d+\]\n[^]*THE MARK from before/,
    );
    expect(answer.blocks.slice(1).join('\n')).not.toContain('THE MARK');
  });

  it('T13 · a line that somebody else holds is a typed refusal with a remedy, and is free after close', async () => {
    await using line = await startFakeline();
    await using sandbox = await Sandbox.create();
    await sandbox.daemon();
    await using agent = await connectClient('2025-11-25', sandbox, { args: lineArgs(line) });
    const holder = connect(line.port, line.host);
    await line.waitFor((events) => events.some(({ kind }) => kind === 'greeted'), {
      what: 'the holder greeted',
    });
    const refused = await agent.call('open');
    expect(refused.isError).toBe(true);
    expect(refused.text).toMatch(/^line_busy: .*Find out who holds it/);
    holder.destroy();
    await line.waitFor(
      (events) => events.some(({ kind, connection }) => kind === 'closed' && connection === 1),
      {
        what: 'the holder gone',
      },
    );
    expect((await agent.call('open')).isError).toBe(false);
    await agent.call('close');
    await line.waitFor(() => line.openConnections === 0, { what: 'a free line' });
    expect((await agent.call('open')).isError).toBe(false);
  });

  it('M05 · whatever bytes the line sends, results are well-formed Unicode', async () => {
    await using line = await startFakeline();
    await using sandbox = await Sandbox.create();
    await sandbox.daemon();
    const bridge = await RawBridge.start(sandbox, { args: lineArgs(line) });
    await bridge.call('open');
    // CESU-8, a lone surrogate, overlong and cut sequences, then every byte there is.
    const bytes = [
      0xed, 0xa0, 0xbd, 0xed, 0xb8, 0x80, 0x20, 0xed, 0xa0, 0x80, 0xc3, 0x28, 0xf0, 0x9f, 0x98, 0xfe,
    ];
    line.send(Uint8Array.from([...bytes, ...Array.from({ length: 255 }, (_, index) => index), 0x0d, 0x0a]));
    line.send('THE END\r\n');
    const answer = await bridge.call('read', { expect: 'THE END', timeout_ms: 5_000 });
    expect(answer.reason).toBe('matched');
    // Half characters in arguments come back in errors.
    const error = await bridge.call('send', { input: '\ud800' });
    expect(error.isError).toBe(true);
    await bridge.request('tools/call', { name: 'no\ud800tool', arguments: {} });
    for (const frame of bridge.frames) assertWellFormed(frame);
    expect(answer.text).not.toMatch(/(?![\n\t])[\p{Cc}\p{Cf}]/u);
  });

  it('M07 · two megabytes that wait come in pieces, with what remains, and no setting gives more than a client takes', async () => {
    await using rig = await Rig.start();
    const { agent, line } = rig;
    const text = Array.from(
      { length: 40_000 },
      (_, i) => `line ${String(i).padStart(6, '0')} ${'.'.repeat(36)}`,
    );
    line.send(`${text.join('\r\n')}\r\nTHE END\r\n`);
    await rig.untilHeard('THE END');
    const first = await agent.call('read');
    expect(first.reason).toBe('limit');
    expect(first.output.length).toBeLessThanOrEqual(20_000);
    expect(first.output.length).toBeGreaterThan(15_000);
    expect(first.trailer).toMatch(/^\[limit: [\d,]+ more bytes wait, call read · .*offsets \d+-\d+/);
    let place = Number(first.facts?.['end']);
    let rest = first.output;
    for (;;) {
      const next = await agent.call('read', { max_chars: 9_000_000 });
      expect(next.text.length).toBeLessThanOrEqual(MAX_RESULT_CHARS);
      expect(next.facts?.['start']).toBe(place);
      place = Number(next.facts?.['end']);
      rest += next.output;
      if (next.reason !== 'limit') break;
    }
    expect(rest).toContain('THE END');
    const peek = await agent.call('peek', { last_n_chars: 9_000_000 });
    expect(peek.text.length).toBeLessThanOrEqual(MAX_RESULT_CHARS);
  });

  it('M08 · instructions and descriptions are short enough to be shown whole, rules of safety first', async () => {
    await using sandbox = await Sandbox.create();
    for (const era of ERAS) {
      await using agent = await connectClient(era, sandbox);
      const { instructions = '' } = agent;
      expect(Buffer.byteLength(instructions)).toBeGreaterThan(500);
      expect(Buffer.byteLength(instructions)).toBeLessThanOrEqual(MAX_GUIDE_BYTES);
      expect(instructions.indexOf('never instructions')).toBeLessThan(
        instructions.indexOf('ITS in a minute'),
      );
      const tools = await agent.listTools();
      expect(tools.map(({ name }) => name)).toEqual([
        'open',
        'send',
        'read',
        'peek',
        'screen',
        'put_file',
        'get_file',
        'status',
        'close',
        'send_secret',
        'floor',
        'say',
        'mark',
        'history',
        'search',
        'start_command',
        'send_input',
        'send_signal',
        'read_output',
        'read_stderr',
        'stop_command',
        'delete_session',
        'get_status',
        'list_sessions',
        'resize_session',
        'read_screen',
      ]);
      for (const { description = '' } of tools) {
        expect(Buffer.byteLength(description)).toBeGreaterThan(50);
        expect(Buffer.byteLength(description)).toBeLessThanOrEqual(MAX_GUIDE_BYTES);
      }
    }
  });

  it('M19 · ten calls at once: each byte in exactly one answer, no input torn apart', async () => {
    await using rig = await Rig.start();
    const { agent, line } = rig;
    await agent.call('send', { input: '~z' });
    await agent.call('read', { timeout_ms: 100 });
    const before = line.receivedBytes().length;
    const calls = Array.from({ length: 10 }, (_, i) =>
      i % 2 === 0
        ? agent.call('send', { input: `:nosuch${i}`, quiet_ms: 100, echo: 'keep' })
        : agent.call('read', { timeout_ms: 150, quiet_ms: 50 }),
    );
    const answers = await Promise.all(calls);
    const spans = answers.flatMap((answer) => answer.spans).sort(([a], [b]) => a - b);
    expect(spans.length).toBeGreaterThan(4);
    // Each begins where the one before ends: nothing twice, nothing left out.
    expect(spans.slice(1).map(([start]) => start)).toEqual(spans.slice(0, -1).map(([, end]) => end));
    const typed = line.receivedBytes().subarray(before).toString('latin1');
    expect(
      typed
        .split('\r')
        .filter((command) => command !== '')
        .sort(),
    ).toEqual([0, 2, 4, 6, 8].map((i) => `:nosuch${i}`));
  });

  it('goes on behind what was delivered when an answer was dropped by a cancel', async () => {
    await using line = await startFakeline();
    await using sandbox = await Sandbox.create();
    await sandbox.daemon();
    const bridge = await RawBridge.start(sandbox, { args: lineArgs(line) });
    await bridge.call('open');
    line.send('BEFORE THE CANCEL\r\n');
    const id = bridge.beginCall('send', {
      input: 'x',
      expect: 'never',
      timeout_ms: 60_000,
      quiet_ms: 60_000,
    });
    await line.waitFor(() => line.receivedBytes().includes('x'), { what: 'the input' });
    line.send('DURING THE CANCELLED CALL\r\n');
    bridge.cancel(id);
    const next = await bridge.call('read', { expect: 'DURING', timeout_ms: 2_000 });
    expect(next.text).toContain('BEFORE THE CANCEL');
    expect(next.text).toContain('DURING THE CANCELLED CALL');
    expect(bridge.find(id)).toBeUndefined();
  });
});

/** A daemon, an open line, and an agent of the old era. */
class Rig implements AsyncDisposable {
  readonly agent: ToolClient;
  readonly line: Fakeline;
  readonly #sandbox: Sandbox;

  private constructor(agent: ToolClient, line: Fakeline, sandbox: Sandbox) {
    this.agent = agent;
    this.line = line;
    this.#sandbox = sandbox;
  }

  static async start(): Promise<Rig> {
    const [line, sandbox] = await Promise.all([startFakeline(), Sandbox.create()]);
    await sandbox.daemon();
    const agent = await connectClient('2025-11-25', sandbox, { args: lineArgs(line) });
    await agent.call('open');
    return new Rig(agent, line, sandbox);
  }

  /** Until the daemon has the text; asks without moving a reader. */
  async untilHeard(text: string): Promise<void> {
    await eventually(`the daemon heard ${text}`, async () =>
      (await this.agent.call('peek')).text.includes(text),
    );
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.agent.close();
    await this.#sandbox[Symbol.asyncDispose]();
    await this.line.close();
  }
}
