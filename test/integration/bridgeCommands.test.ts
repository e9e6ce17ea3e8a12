/** Programs that an agent starts, through the real bridge, the real daemon and the real clients of both protocol eras. */
import { describe, expect, it } from 'vitest';
import { connectClient, ERAS, endDaemonAfter, RawBridge } from '../support/bridgeClient.ts';
import { eventually } from '../support/processes.ts';
import { Sandbox } from '../support/sandbox.ts';

/** Longest wait for what must come, in ms: far above what a loaded machine needs. */
const PATIENT = 30_000;

function sh(script: string, more: Record<string, unknown> = {}): Record<string, unknown> {
  return { command: 'sh', args: ['-c', script], wait_ms: PATIENT, ...more };
}

describe.each(ERAS)('a program of an agent, protocol %s', (era) => {
  it('B2, B5, B6 · is started, typed into, read, stopped, looked at and deleted', async () => {
    await using sandbox = await Sandbox.create();
    await using _daemon = endDaemonAfter(sandbox);
    // No daemon runs: start_command starts one, and says so.
    await using agent = await connectClient(era, sandbox);
    const started = await agent.call('start_command', {
      command: 'cat',
      name: 'echo',
      wait_ms: 0,
    });
    expect(started.isError).toBe(false);
    expect(started.text).toContain('No daemon was running, so one was started');
    const id = String(started.facts?.['session']);
    expect(id).toMatch(/^s\d+$/);
    expect(started.trailer).toContain(`session ${id} · running`);

    // An Enter on a pipe is one LF, and nothing is trimmed.
    const answer = await agent.call('send_input', {
      session_id: 'echo',
      input: '  two  words ',
      expect: 'words \\n',
      await_response_ms: PATIENT,
    });
    expect(answer.reason).toBe('matched');
    expect(answer.output).toBe('  two  words \n');
    const bytes = await agent.call('send_input', {
      session_id: id,
      bytes: [0x78, 0xc3, 0xa9, 0x0a],
      expect: 'é',
      await_response_ms: PATIENT,
    });
    expect(bytes.output).toContain('xé');
    expect((await agent.call('read_output', { session_id: id, from: 0, timeout_ms: 0 })).output).toContain(
      'two',
    );

    const found = await agent.call('search', { session_id: id, text: 'two' });
    expect(found.output).toMatch(/^0.*: {3}two {2}words/);

    const status = await agent.call('get_status', { session_id: id });
    expect(status.text).toMatch(/^s\d+ "echo": "cat" · running · pid \d+ · pipes/);
    expect((await agent.call('list_sessions')).text).toContain('1 session');

    expect((await agent.call('delete_session', { session_id: id })).text).toMatch(
      /session_running.*stop_command first/,
    );
    const ended = await agent.call('send_input', {
      session_id: id,
      close_input: true,
      await_response_ms: PATIENT,
    });
    expect(ended.trailer).toMatch(/^\[ended.* · exited with code 0/);
    expect((await agent.call('send_input', { session_id: id, input: 'x' })).text).toMatch(
      /^session_exited: /,
    );
    expect((await agent.call('delete_session', { session_id: id })).text).toContain('are gone');
    expect((await agent.call('get_status', { session_id: id })).text).toMatch(
      /^session_unknown: .*list_sessions/,
    );
    await agent.call('close');
  });

  it('P02 · B10 · one that fails at once: its words and its exit code in the same answer, with stderr apart or not', async () => {
    await using sandbox = await Sandbox.create();
    await sandbox.daemon();
    await using agent = await connectClient(era, sandbox);
    const merged = await agent.call(
      'start_command',
      sh('echo out; echo err >&2; exit 3', { expect: 'never' }),
    );
    expect(merged.output).toBe('out\nerr\n');
    expect(merged.trailer).toMatch(/^\[ended.* · exited with code 3/);
    const split = await agent.call(
      'start_command',
      sh('echo out; echo err >&2; exit 4', { split_stderr: true, expect: 'never' }),
    );
    expect(split.output).toBe('out\n');
    const session_id = String(split.facts?.['session']);
    const errors = await agent.call('read_stderr', { session_id, timeout_ms: PATIENT, expect: 'never' });
    expect(errors.output).toBe('err\n');
    expect(errors.trailer).toMatch(/exited with code 4/);
    const failed = await agent.call('start_command', { command: '/no/such/program' });
    expect(failed.isError).toBe(true);
    expect(failed.text).toMatch(/^start_failed: .*\/no\/such\/program/);
    expect((await agent.call('list_sessions')).text).toContain('[2 sessions');
  });

  it('P12 · B9 · on a terminal: its size, one Enter is one CR, control keys, its screen', async () => {
    await using sandbox = await Sandbox.create();
    await sandbox.daemon();
    await using agent = await connectClient(era, sandbox);
    const script =
      'stty size; printf "ready "; read a; printf "<%s>\\n" "$a"; read b; printf "[%s]\\n" "$b"; exec cat';
    const started = await agent.call(
      'start_command',
      sh(script, { use_pty: true, rows: 30, cols: 100, expect: 'ready' }),
    );
    expect(started.output).toContain('30 100');
    const session_id = String(started.facts?.['session']);
    const first = await agent.call('send_input', {
      session_id,
      input: 'one',
      expect: '<.*>',
      await_response_ms: PATIENT,
    });
    expect(first.output).toContain('<one>');
    // A second Enter would have answered the second question.
    expect(first.output).not.toContain('[');
    const second = await agent.call('send_input', {
      session_id,
      input: 'two',
      expect: '\\[.*\\]',
      await_response_ms: PATIENT,
    });
    expect(second.output).toContain('[two]');
    const screen = await agent.call('read_screen', { session_id });
    expect(screen.output).toContain('<one>');
    expect(screen.trailer).toMatch(/^\[screen: 30x100/);
    expect((await agent.call('resize_session', { session_id, rows: 40, cols: 120 })).text).toContain(
      '40x120',
    );
    const interrupted = await agent.call('send_input', {
      session_id,
      bytes: [3],
      await_response_ms: PATIENT,
    });
    expect(interrupted.trailer).toMatch(/ended by SIGINT|exited with code 130/);
  });

  it('B4, B6 · signals reach it, and stopping ends all that it started', async () => {
    await using sandbox = await Sandbox.create();
    await sandbox.daemon();
    await using agent = await connectClient(era, sandbox);
    const trap = await agent.call(
      'start_command',
      sh('trap "echo caught" HUP; echo ready; while :; do sleep 0.1; done', { expect: 'ready' }),
    );
    const session_id = String(trap.facts?.['session']);
    expect((await agent.call('send_signal', { session_id, signal: 'hup', target: 'leader' })).text).toContain(
      'SIGHUP sent',
    );
    const caught = await agent.call('read_output', { session_id, expect: 'caught', timeout_ms: PATIENT });
    expect(caught.reason).toBe('matched');
    const wrong = await agent.call('send_signal', { session_id, signal: 'NONSENSE' });
    expect(wrong.isError).toBe(true);
    const stopped = await agent.call('stop_command', { session_id });
    expect(stopped.text).toMatch(/^\[stopped · session s\d+ · (?:ended by SIG|exited)/);
    expect((await agent.call('send_signal', { session_id, signal: 'INT' })).text).toMatch(/^session_exited/);
  });

  it('B17 · is there for every client: another agent sees it and reads it from where it was not', async () => {
    await using sandbox = await Sandbox.create();
    await sandbox.daemon();
    await using one = await connectClient(era, sandbox, { name: 'one' });
    await using two = await connectClient(era, sandbox, { name: 'two' });
    await one.call('start_command', { command: 'cat', name: 'shared', wait_ms: 0 });
    const typed = { session_id: 'shared', input: 'from one', expect: 'one', await_response_ms: PATIENT };
    expect((await one.call('send_input', typed)).output).toContain('from one');
    expect((await two.call('list_sessions')).text).toContain('"shared"');
    expect(
      (await two.call('read_output', { session_id: 'shared', from: 0, expect: 'one', timeout_ms: PATIENT }))
        .output,
    ).toContain('from one');
  });
});

describe('calls that last', () => {
  it('M09 · B13 · without a progress token return in time; with one show progress each second and wait on', async () => {
    await using sandbox = await Sandbox.create();
    await sandbox.daemon();
    const env = { PIDP10_MCP_RETURN_AFTER_MS: '1000' };
    await using agent = await connectClient('2025-11-25', sandbox, { env });
    await agent.call('start_command', { command: 'cat', name: 'silent', wait_ms: 0 });
    const wait = { session_id: 'silent', expect: 'never', timeout_ms: 300_000 };
    expect((await agent.call('read_output', wait)).trailer).toMatch(
      /^\[still_waiting: call read_output to go on/,
    );
    const progress: number[] = [];
    const waiting = agent.call(
      'read_output',
      { ...wait, timeout_ms: 3_500 },
      { onProgress: (value) => void progress.push(value) },
    );
    expect((await waiting).reason).toBe('timeout');
    expect(progress.length).toBeGreaterThanOrEqual(2);
    expect(progress.toSorted((a, b) => a - b)).toEqual(progress);
    await agent.call('stop_command', { session_id: 'silent' });
  });

  it('I5 · M10 · that are cancelled lose no output: the next one gives it', async () => {
    await using sandbox = await Sandbox.create();
    await sandbox.daemon();
    const bridge = await RawBridge.start(sandbox);
    await bridge.call('start_command', { command: 'cat', name: 'c', wait_ms: 0 });
    const id = bridge.beginCall('send_input', {
      session_id: 'c',
      input: 'DURING THE CALL',
      expect: 'never',
      await_response_ms: 300_000,
    });
    await eventually('the input came back', async () =>
      (await bridge.call('search', { session_id: 'c', text: 'DURING' })).text.includes('search: 1 line'),
    );
    bridge.cancel(id);
    const next = await bridge.call('read_output', { session_id: 'c', timeout_ms: 1_000 });
    expect(next.text).toContain('DURING THE CALL');
    expect(bridge.find(id)).toBeUndefined();
  });

  it('I5 · M17 · what was delivered is not given again to the next bridge of the same agent, what was not is', async () => {
    await using sandbox = await Sandbox.create();
    await sandbox.daemon();
    const first = await RawBridge.start(sandbox);
    await first.call('start_command', { command: 'cat', name: 'c', wait_ms: 0 });
    const send = (input: string) => ({
      session_id: 'c',
      input,
      expect: input,
      await_response_ms: PATIENT,
    });
    expect((await first.call('send_input', send('DELIVERED'))).text).toContain('DELIVERED');
    await first.call('send_input', { ...send('NOT YET READ'), expect: 'never', await_response_ms: 0 });
    await eventually('the input came back', async () =>
      (await first.call('search', { session_id: 'c', text: 'NOT YET' })).text.includes('search: 1 line'),
    );
    first.program.kill('SIGKILL');
    await first.program.exited;
    const second = await RawBridge.start(sandbox);
    const read = await second.call('read_output', { session_id: 'c', expect: 'READ', timeout_ms: PATIENT });
    expect(read.text).toContain('NOT YET READ');
    expect(read.text).not.toContain('DELIVERED');
  });
});
