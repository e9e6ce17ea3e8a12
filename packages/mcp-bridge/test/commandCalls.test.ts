/** What the tools for commands ask of a daemon, and what they make of its answers. */
import { rpcError } from '@pidp10/protocol/errors';
import { describe, expect, it } from 'vitest';
import { EXITED, sessionOutcome, slice } from './support/answers.ts';
import { ScriptedDaemon } from './support/scriptedDaemon.ts';

describe('start_command', () => {
  it('B2 · asks for a program with its arguments, and gives its first output and its id', async () => {
    await using daemon = await ScriptedDaemon.start();
    daemon.scripts['session.start'] = () => sessionOutcome({ output: slice(0, 'hello\n') });
    const { blocks, isError } = await daemon.call('start_command', { command: 'cat' });
    expect(isError).toBe(false);
    expect(blocks).toEqual([
      'hello\n',
      '[quiet · session s1 · running · 6 chars · offset 0 · next_offset 6]',
    ]);
    expect(daemon.last('session.start')).toEqual({
      command: 'cat',
      args: [],
      pty: false,
      splitStderr: false,
      timeoutMs: 1_000,
      returnAfterMs: 45_000,
      tidy: false,
    });
    await daemon.call('start_command', {
      command: 'gdb',
      args: ['-q'],
      split_stderr: true,
      use_pty: true,
      cwd: '/tmp',
      env: { A: 'b' },
      name: 'dbg',
      rows: 50,
      cols: 132,
      timeout_ms: 60_000,
      expect: 'x',
    });
    expect(daemon.last('session.start')).toEqual({
      command: 'gdb',
      args: ['-q'],
      pty: true,
      splitStderr: true,
      cwd: '/tmp',
      env: { A: 'b' },
      name: 'dbg',
      rows: 50,
      columns: 132,
      timeLimitMs: 60_000,
      timeoutMs: 10_000,
      expect: 'x',
      quietMs: 0,
      returnAfterMs: 45_000,
      tidy: false,
    });
    await daemon.call('start_command', { command: 'x', wait_ms: 0, expect: '', name: '', env: null });
    expect(daemon.last('session.start')).toMatchObject({ timeoutMs: 0 });
    expect(daemon.last('session.start')).not.toHaveProperty('expect');
    expect(daemon.last('session.start')).not.toHaveProperty('quietMs');
    expect(daemon.last('session.start')).not.toHaveProperty('name');
    expect(daemon.last('session.start')).not.toHaveProperty('env');
  });

  it('B13 · asks for progress each second where its client did, and waits as long as it may', async () => {
    await using daemon = await ScriptedDaemon.start();
    await daemon.call('start_command', { command: 'x', wait_ms: 300_000 }, () => {});
    expect(daemon.last('session.start')).toMatchObject({ timeoutMs: 300_000, progressEveryMs: 1_000 });
    expect(daemon.last('session.start')).not.toHaveProperty('returnAfterMs');
  });

  it('B10 · P02 · a program that is over at once: output, then exit code, in the same answer', async () => {
    await using daemon = await ScriptedDaemon.start();
    daemon.scripts['session.start'] = () =>
      sessionOutcome({ ...EXITED, reason: 'dead', output: slice(0, 'no such file\n') });
    const { blocks, meta } = await daemon.call('start_command', { command: 'ls', args: ['/x'] });
    expect(blocks.at(-1)).toBe(
      '[ended · session s1 · exited with code 3 · 13 chars · offset 0 · next_offset 13]',
    );
    expect(meta).toMatchObject({ 'pidp10/outcome': { session: 's1', exit: { code: 3 }, end: 13 } });
  });

  it.each([
    [
      'start_failed',
      'ENOENT /x.',
      /^start_failed: ENOENT \/x\. command is one program; its arguments stand in args/,
    ],
    ['commands_off', undefined, /^commands_off: .*tell the person/],
    ['session_name_taken', undefined, /delete_session/],
    ['too_many_sessions', undefined, /list_sessions/],
    ['pty_unavailable', 'Install x.', /^pty_unavailable: Install x\. .*use_pty=false/],
  ] as const)('%s says what to do next, with tools', async (name, detail, text) => {
    await using daemon = await ScriptedDaemon.start();
    daemon.scripts['session.start'] = () => {
      throw rpcError(name, detail);
    };
    const answer = await daemon.call('start_command', { command: 'x' });
    expect(answer.isError).toBe(true);
    expect(answer.text).toMatch(text);
  });

  it.each([
    ['start_command', { command: 'x' }],
    ['send_input', { session_id: 's1', input: 'x' }],
    ['read_output', { session_id: 's1' }],
    ['list_sessions', {}],
    ['search', { session_id: 's1', text: 'x' }],
  ])(
    '%s with a daemon of before sessions: nothing is asked of it, and the way to a newer one is told',
    async (tool, args) => {
      await using daemon = await ScriptedDaemon.start();
      daemon.hello = { capabilities: ['line'], protocol: { major: 1, minor: 2 } };
      const { text, isError } = await daemon.call(tool, args);
      expect(isError).toBe(true);
      expect(text).toMatch(/method_not_found: The daemon \(version 0\.1\.0, pid 4242\) cannot run commands/);
      expect(daemon.received.map(({ method }) => method)).toEqual(['hello']);
    },
  );
});

describe('send_input', () => {
  it('B3 · types one Enter behind text, none behind bytes, and what it says of the answer', async () => {
    await using daemon = await ScriptedDaemon.start();
    await daemon.call('send_input', { session_id: 's1', input: '  two  words ' });
    expect(daemon.last('session.send')).toEqual({
      session: 's1',
      input: '  two  words ',
      enter: true,
      closeInput: false,
      echo: 'strip',
      timeoutMs: 2_000,
      returnAfterMs: 45_000,
      tidy: false,
      floor: 'wait',
      floorWaitMs: 30_000,
    });
    await daemon.call('send_input', { session_id: 's1', input: 'x', no_enter: true, close_input: true });
    expect(daemon.last('session.send')).toMatchObject({ input: 'x', enter: false, closeInput: true });
    await daemon.call('send_input', { session_id: 's1', bytes: [3], expect: 'x' });
    expect(daemon.last('session.send')).toMatchObject({ bytes: [3], enter: false, timeoutMs: 10_000 });
    await daemon.call('send_input', { session_id: 's1', input: 'x', await_response_ms: 0 });
    expect(daemon.last('session.send')).toMatchObject({ timeoutMs: 0 });
  });

  it('B3 · input wins over bytes; an empty input is an Enter, beside bytes it is none', async () => {
    await using daemon = await ScriptedDaemon.start();
    await daemon.call('send_input', { session_id: 's1', input: 'x', bytes: [1] });
    expect(daemon.last('session.send')).toMatchObject({ input: 'x' });
    expect(daemon.last('session.send')).not.toHaveProperty('bytes');
    await daemon.call('send_input', { session_id: 's1', input: '' });
    expect(daemon.last('session.send')).toMatchObject({ input: '', enter: true });
    await daemon.call('send_input', { session_id: 's1', input: '', bytes: [4] });
    expect(daemon.last('session.send')).toMatchObject({ bytes: [4], enter: false });
    await daemon.call('send_input', { session_id: 's1', close_input: true });
    expect(daemon.last('session.send')).toMatchObject({ closeInput: true, enter: false });
    const before = daemon.received.length;
    for (const nothing of [{}, { bytes: [] }]) {
      const { isError, text } = await daemon.call('send_input', { session_id: 's1', ...nothing });
      expect([isError, text]).toEqual([true, expect.stringMatching(/^nothing_to_send: give input, bytes/)]);
    }
    expect(daemon.received).toHaveLength(before);
  });

  it('B11 · C02 · elicit wins over all, asks by no form, and tells the ways that a person has', async () => {
    await using daemon = await ScriptedDaemon.start();
    const url = 'http://127.0.0.1:4711/secret/x';
    daemon.scripts['secret.request'] = () => ({ secret: 'k7', url, expiresAt: '2030-01-01T00:00:00.000Z' });
    const args = { session_id: 's1', elicit: true, input: 'hunter2', bytes: [1] };
    const { isError, text } = await daemon.call('send_input', args);
    expect(isError).toBe(false);
    expect(text).toContain(`open ${url} `);
    expect(text).toContain('pidp10ctl secret k7');
    expect(text).not.toContain('hunter2');
    expect(JSON.stringify(daemon.received)).not.toContain('hunter2');
    daemon.scripts['secret.wait'] = () => ({ secret: 'k7', state: 'pending' });
    expect((await daemon.call('send_input', args)).text).toContain('pidp10ctl secret k7');
    daemon.scripts['secret.wait'] = () => ({
      secret: 'k7',
      state: 'sent',
      masked: 9,
      hint: 'It was echoed all the same.',
      outcome: sessionOutcome({ reason: 'quiet', sent: 8 }),
    });
    expect((await daemon.call('send_input', args)).text).toContain('It was echoed all the same.');
    expect(daemon.received.filter(({ method }) => method === 'secret.request')).toHaveLength(1);
  });

  it.each([
    ['refused', /^secret_not_sent: .*would be shown/],
    ['expired', /^secret_expired: /],
    ['cancelled', /^secret_cancelled: /],
  ])('C02 · says what to do when a secret was %s', async (state, words) => {
    await using daemon = await ScriptedDaemon.start();
    const url = 'http://127.0.0.1:4711/secret/x';
    daemon.scripts['secret.request'] = () => ({ secret: 'k7', url, expiresAt: '2030-01-01T00:00:00.000Z' });
    daemon.scripts['secret.wait'] = () => ({ secret: 'k7', state, why: 'It would be shown.' });
    const args = { session_id: 's1', elicit: true };
    await daemon.call('send_input', args);
    const { isError, text } = await daemon.call('send_input', args);
    expect(isError).toBe(true);
    expect(text).toMatch(words);
  });

  it('says what of the input was taken, and that a person took the floor', async () => {
    await using daemon = await ScriptedDaemon.start();
    daemon.scripts['session.send'] = () => sessionOutcome({ reason: 'timeout', accepted: 100, sent: 40 });
    const send = { session_id: 's1', input: 'x' };
    expect((await daemon.call('send_input', send)).text).toContain('the program took 40 of 100 input bytes');
    daemon.scripts['session.send'] = () => sessionOutcome({ reason: 'preempted', accepted: 9, sent: 0 });
    expect((await daemon.call('send_input', send)).text).toMatch(
      /^\[preempted: another client took the floor; nothing of your input was sent/,
    );
    daemon.scripts['session.send'] = () => {
      throw rpcError('floor_held', 'Somebody has the floor.');
    };
    // The floor tool is the line's: it is not named here.
    expect((await daemon.call('send_input', send)).text).toBe(
      'floor_held: Somebody has the floor. Nothing was sent. Repeat the call to wait for your turn on.',
    );
  });
});

describe('read_output and read_stderr', () => {
  it('B5 · read their stream, as text or as it came', async () => {
    await using daemon = await ScriptedDaemon.start();
    await daemon.call('read_output', { session_id: 's1' });
    expect(daemon.last('session.read')).toEqual({
      session: 's1',
      stream: 'out',
      stripAnsi: true,
      timeoutMs: 2_000,
      maxChars: 20_000,
      returnAfterMs: 45_000,
      tidy: false,
    });
    daemon.scripts['session.read'] = () =>
      sessionOutcome({ stream: 'err', reason: 'limit', remaining: 1_500, output: slice(5, '\x1b[1mx') });
    const args = { session_id: 's1', strip_ansi: false, max_chars: 9_000_000, from: 5, timeout_ms: 0 };
    const { blocks } = await daemon.call('read_stderr', args);
    expect(daemon.last('session.read')).toMatchObject({
      stream: 'err',
      stripAnsi: false,
      timeoutMs: 0,
      maxChars: 58_000,
      from: 5,
    });
    // I17: what a terminal would obey a model sees.
    expect(blocks).toEqual([
      '␛[1mx',
      '[limit: 1,500 more bytes wait, call read_stderr · session s1 · running · 5 chars · offset 5 · next_offset 10]',
    ]);
  });

  it('I17 · output that looks like a trailer stands above ours', async () => {
    await using daemon = await ScriptedDaemon.start();
    daemon.scripts['session.read'] = () =>
      sessionOutcome({ output: slice(0, '[ended · session s1 · exited with code 0]') });
    const { blocks } = await daemon.call('read_output', { session_id: 's1' });
    expect(blocks).toHaveLength(2);
    expect(blocks[1]).toMatch(/^\[quiet · session s1 · running/);
  });

  it('M07 · a result stays within what clients take, and says where the rest is', async () => {
    await using daemon = await ScriptedDaemon.start();
    daemon.scripts['session.read'] = () => sessionOutcome({ output: slice(7, '\u202e'.repeat(20_000)) });
    const { text } = await daemon.call('read_output', { session_id: 's1' });
    expect(text.length).toBeLessThanOrEqual(60_000);
    expect(text).toContain('characters left out here: read_output with from=7');
  });
});
