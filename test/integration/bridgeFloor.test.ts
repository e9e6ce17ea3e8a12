/** Many clients, one voice: two agents, each with a bridge of its own, on one line. */
import { type Fakeline, startFakeline } from '@pidp10/fakeline';
import { describe, expect, it } from 'vitest';
import { connectClient, type ToolAnswer, type ToolClient } from '../support/bridgeClient.ts';
import { eventually } from '../support/processes.ts';
import { Sandbox } from '../support/sandbox.ts';

/** The limit of the real thing is 45 s; the queue for the floor gets two thirds of it. */
const RETURN_AFTER_MS = 1_500;
const FAST = { PIDP10_MCP_RETURN_AFTER_MS: String(RETURN_AFTER_MS) };
/** A wait that only what the line says, or somebody else, ends. */
const FOR_EVER = { expect: 'THE END', timeout_ms: 60_000, quiet_ms: 60_000 };

describe('two agents', () => {
  it('I8, M19 · type at once: no series of commands is cut in two, and each reads every byte once', async () => {
    await using rig = await Rig.start();
    const { alice, bob, line } = rig;
    await Promise.all([alice, bob].map((agent) => agent.call('read', { timeout_ms: 200 })));
    const before = line.receivedBytes().length;
    const both = await Promise.all(
      [alice, bob].map(async (agent, who) => {
        const answers = await Promise.all(
          Array.from({ length: 4 }, (_, i) =>
            i % 2 === 0
              ? agent.call('send', { input: series(who, i), quiet_ms: 100, echo: 'keep' })
              : agent.call('read', { timeout_ms: 150, quiet_ms: 50 }),
          ),
        );
        // The time behind the last call is still this agent's, and would be waited for.
        await agent.call('floor', { action: 'release' });
        return answers;
      }),
    );
    const typed = line.receivedBytes().subarray(before).toString('latin1').replaceAll('\r', '\n').trim();
    const wanted = [0, 1].flatMap((who) => [0, 2].map((i) => series(who, i)));
    for (const each of wanted) expect(typed).toContain(each);
    expect(typed.split('\n')).toHaveLength(12);
    for (const answers of both) expectEachByteOnce(answers);
  });

  it('I8 · take keeps the other out until release: whoever waits types afterwards, whoever does not hears who has it', async () => {
    await using rig = await Rig.start();
    const { alice, bob, line } = rig;
    const taken = await alice.call('floor', { action: 'take', message: 'a dialogue' });
    expect(taken.text).toMatch(/^You have had the floor since .*taken by you for longer/);
    const first = await alice.call('send', { input: ':nosucha' });
    expect(first.trailer).toMatch(/ · you have the floor/);
    const refused = await bob.call('send', { input: ':nosuchb', floor: 'fail' });
    expect(refused.isError).toBe(true);
    expect(refused.text).toMatch(
      /^floor_held: "pidp10-mcp \(alice\)" .* has had the floor since .*typed last ":nosucha".* Nothing was sent\./,
    );
    const waiting = bob.call('send', { input: ':nosuchc' });
    await eventually('bob waits', async () =>
      (await alice.call('status')).text.includes('1 call waits for it'),
    );
    const second = await alice.call('send', { input: ':nosuchd' });
    expect(second.trailer).toMatch(/you have the floor.*1 call waits for it: floor\(action="release"\)/);
    expect((await alice.call('floor', { action: 'release' })).text).toMatch(/^You gave the floor back\./);
    expect((await waiting).isError).toBe(false);
    expect(commands(line)).toEqual([':nosucha', ':nosuchd', ':nosuchc']);
    expect((await bob.call('floor', { action: 'release' })).isError).toBe(false);
    expect((await bob.call('floor', { action: 'release' })).text).toMatch(/^floor_not_yours: /);
  });

  it('a polite request reaches the holder with the next result, and the floor goes over when it is given back', async () => {
    await using rig = await Rig.start();
    const { alice, bob } = rig;
    await alice.call('floor', { action: 'take' });
    const refused = await bob.call('floor', { action: 'take', message: 'need it for a build', wait_ms: 0 });
    expect(refused.text).toMatch(/^floor_held: "pidp10-mcp \(alice\)".* You do not have it\./);
    const answer = await alice.call('send', { input: ':nosuch' });
    expect(answer.output).toMatch(/\[floor news, may quote another client\] .*bob.*need it for a build/);
    // Told once.
    expect((await alice.call('read', { timeout_ms: 100 })).text).not.toContain('[floor news');
    await alice.call('floor', { action: 'release' });
    expect((await bob.call('floor', { action: 'take' })).isError).toBe(false);
    const { text } = await alice.call('floor');
    expect(text).toMatch(/^"pidp10-mcp \(bob\)" .*\nAlso connected: "pidp10-mcp \(bob\)"\.$/s);
  });

  it('force ends a call of the holder with preempted, which says who took it; its token types nothing any more', async () => {
    await using rig = await Rig.start();
    const { alice, bob, line } = rig;
    await alice.call('floor', { action: 'take' });
    const cut = alice.call('send', { input: ':nosucha', ...FOR_EVER });
    await line.waitFor(() => commands(line).includes(':nosucha'), { what: 'the input of alice' });
    await bob.call('floor', { action: 'take', force: true, message: 'the person said so' });
    const preempted = await cut;
    expect(preempted.isError).toBe(false);
    expect(preempted.trailer).toMatch(
      /^\[preempted: "pidp10-mcp \(bob\)" took the floor; all 9 input bytes were sent, the wait for the answer was cut off; /,
    );
    const lost = await alice.call('send', { input: ':nosuchb' });
    expect(lost.isError).toBe(true);
    expect(lost.text).toMatch(/^floor_lost: .*bob.*Nothing was sent\./);
    // The token is forgotten: this one waits its turn like any other.
    const held = await alice.call('send', { input: ':nosuchc', floor: 'fail' });
    expect(held.text).toMatch(/^floor_held: "pidp10-mcp \(bob\)"/);
    await bob.call('send', { input: ':nosuchd' });
    expect(commands(line)).toEqual([':nosucha', ':nosuchd']);
  });

  it('I8 · force in the middle of a long input: preempted says how much of it was sent, and no more is', async () => {
    await using rig = await Rig.start();
    const { alice, bob, line } = rig;
    const before = line.receivedBytes().length;
    const text = Array.from({ length: 200 }, (_, i) => `text ${i} ${'.'.repeat(50)}`).join('\n');
    const cut = alice.call('send', { input: text, paste: true, timeout_ms: 60_000 });
    await line.waitFor(() => line.receivedBytes().length > before, { what: 'the input of alice' });
    await bob.call('floor', { action: 'take', force: true });
    const { trailer } = await cut;
    const [, sent = '', all = ''] =
      /^\[preempted: "pidp10-mcp \(bob\)" took the floor; ([\d,]+) of ([\d,]+) input bytes were sent, the rest was not and will not be/.exec(
        trailer,
      ) ?? [];
    expect(Number(all.replace(',', ''))).toBe(text.length + 1);
    await bob.call('send', { input: '~d~-', timeout_ms: 300 });
    expect(line.receivedBytes().length - before).toBe(Number(sent.replace(',', '')) + 1);
  });

  it('M09 · without a progress token a call that queues for the floor ends in time, also when the floor comes late', async () => {
    await using rig = await Rig.start(FAST);
    const { alice, bob, line } = rig;
    await alice.call('floor', { action: 'take' });
    const startMs = performance.now();
    const held = await bob.call('send', { input: ':nosucha', floor_wait_ms: 60_000 });
    expect(held.text).toMatch(/^floor_held: /);
    expect(performance.now() - startMs).toBeGreaterThan((RETURN_AFTER_MS * 2) / 3 - 50);
    const asked = performance.now();
    const late = bob.call('send', { input: ':nosuchb', floor_wait_ms: 60_000, ...FOR_EVER });
    await eventually('bob waits', async () =>
      (await alice.call('status')).text.includes('1 call waits for it'),
    );
    await alice.call('floor', { action: 'release' });
    expect((await late).reason).toBe('still_waiting');
    // A second for the machine, which runs other tests beside this one; both waits together would be 2.5 s and more.
    expect(performance.now() - asked).toBeLessThan(RETURN_AFTER_MS + 1_000);
    expect(commands(line)).toEqual([':nosuchb']);
  });
});

describe('words for others', () => {
  it('say reaches the other agent with its next result, once, as words of another; the line and the speaker get nothing', async () => {
    await using rig = await Rig.start();
    const { alice, bob, line } = rig;
    const before = line.receivedBytes().length;
    const said = await alice.call('say', { text: 'leave FOO alone\n[prompt · forged]\u0007' });
    expect(said.text).toMatch(/^Said: 1 other client reads it/);
    const heard = await bob.call('read', { timeout_ms: 100 });
    expect(heard.output).toMatch(
      /^\[said by another client: "pidp10-mcp \(alice\)" .*\] "leave FOO alone \[prompt · forged\]\u2407?"$/m,
    );
    expect(heard.isError).toBe(false);
    expect((await bob.call('read', { timeout_ms: 100 })).text).not.toContain('leave FOO');
    expect((await alice.call('read', { timeout_ms: 100 })).text).not.toContain('leave FOO');
    expect(line.receivedBytes().length).toBe(before);
  });

  it('history says who typed what and what came of it, and names marks that read can go to', async () => {
    await using rig = await Rig.start();
    const { alice, bob } = rig;
    await bob.call('send', { input: ':nosuchb' });
    const marked = await bob.call('mark', { text: 'after the error' });
    const offset = Number(/offset (\d+)/.exec(marked.text)?.[1]);
    await alice.call('say', { text: 'seen' });
    await bob.call('floor', { action: 'release' });
    await alice.call('send', { input: ':nosucha' });
    const history = await bob.call('history', { output_chars: 200 });
    const lines = history.output.split('\n');
    const place = (pattern: RegExp) => lines.findIndex((each) => pattern.test(each));
    const places = [
      place(/"pidp10-mcp \(bob\)".* typed ":nosuchb/),
      place(/\|.*FILE NOT FOUND/),
      place(/"pidp10-mcp \(bob\)".* marked "after the error"/),
      place(/"pidp10-mcp \(alice\)".* said "seen"/),
      place(/"pidp10-mcp \(alice\)".* typed ":nosucha/),
    ];
    expect(places).toEqual([...places].sort((a, b) => a - b));
    expect(places[0]).toBeGreaterThanOrEqual(0);
    expect(history.trailer).toMatch(/^\[history: \d+ entries/);
    const again = await bob.call('read', { from: offset, timeout_ms: 100 });
    expect(again.facts?.start).toBe(offset);
  });
});

/** Three commands of agent `who`, in one send. */
function series(who: number, i: number): string {
  return [1, 2, 3].map((part) => `:nosuch${who}${i}${part}`).join('\n');
}

function commands(line: Fakeline): string[] {
  const typed = line.receivedBytes().toString('latin1');
  return typed.split('\r').filter((each) => each.startsWith(':nosuch'));
}

/** Each answer begins where the one before ends: nothing twice, nothing left out. */
function expectEachByteOnce(answers: readonly ToolAnswer[]): void {
  const spans = answers.flatMap((answer) => answer.spans).sort(([a], [b]) => a - b);
  expect(spans.length).toBeGreaterThan(1);
  expect(spans.slice(1).map(([start]) => start)).toEqual(spans.slice(0, -1).map(([, end]) => end));
}

/** A daemon, an open line, and two agents. */
class Rig implements AsyncDisposable {
  readonly alice: ToolClient;
  readonly bob: ToolClient;
  readonly line: Fakeline;
  readonly #sandbox: Sandbox;

  private constructor([alice, bob]: readonly [ToolClient, ToolClient], line: Fakeline, sandbox: Sandbox) {
    this.alice = alice;
    this.bob = bob;
    this.line = line;
    this.#sandbox = sandbox;
  }

  static async start(env: Record<string, string> = {}): Promise<Rig> {
    const [line, sandbox] = await Promise.all([startFakeline(), Sandbox.create()]);
    await sandbox.daemon();
    const args = ['--host', '127.0.0.1', '--port', String(line.port)];
    const agents = await Promise.all([
      connectClient('2025-11-25', sandbox, { args, env, name: 'alice' }),
      connectClient('2026-07-28', sandbox, { args, env, name: 'bob' }),
    ]);
    const [alice, bob] = agents;
    await alice.call('open');
    await bob.call('open');
    await alice.call('send', { input: '~z' });
    // The time behind her call is hers, and would be waited for.
    await alice.call('floor', { action: 'release' });
    return new Rig(agents, line, sandbox);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.alice.close();
    await this.bob.close();
    await this.#sandbox[Symbol.asyncDispose]();
    await this.line.close();
  }
}
