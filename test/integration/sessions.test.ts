/** Commands that the daemon runs, over the wire: started, fed, read, waited for, ended. */
import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { eventually } from '../support/processes.ts';
import { Sandbox } from '../support/sandbox.ts';
import { nameOfError, PATIENCE_MS, SessionRig } from './sessionRig.ts';

describe('a command on pipes', () => {
  test('P02 · what fails at once is there to be read: text, code, and the facts beside it', async () => {
    await using rig = await SessionRig.start();
    const { client } = rig;
    const session = await rig.run(['sh', '-c', 'echo broken >&2; exit 3']);
    expect(await rig.all(session)).toBe('broken\n');
    const status = await client.request('session.status', { session });
    expect(status).toMatchObject({
      state: 'exited',
      exit: { code: 3, status: 3 },
      outputState: 'ended',
      unread: 0,
    });
    expect(status.pid).toBeUndefined();
  });

  test('the first output comes with the start, when that is asked for', async () => {
    await using rig = await SessionRig.start();
    const started = await rig.client.request('session.start', {
      command: 'sh',
      args: ['-c', 'echo one; sleep 600'],
      expect: 'one',
      timeoutMs: PATIENCE_MS,
    });
    expect(started).toMatchObject({ reason: 'matched', output: { text: 'one\n' }, state: 'running' });
    await rig.client.request('session.stop', { session: started.session, graceMs: 0 });
  });

  test('quietMs 0: no silence ends the wait; without it the first one does', async () => {
    await using rig = await SessionRig.start();
    const { client } = rig;
    const script = 'echo one; sleep 1; echo two; exec sleep 600';
    const session = await rig.run(['sh', '-c', script]);
    const wait = { session, expect: 'two', timeoutMs: PATIENCE_MS };
    const read = await client.request('session.read', { ...wait, quietMs: 0 });
    expect(read).toMatchObject({ reason: 'matched', output: { text: 'one\ntwo\n' } });
    const again = await rig.run(['sh', '-c', script]);
    const short = await client.request('session.read', { ...wait, session: again, quietMs: 1 });
    expect(short).toMatchObject({ reason: 'quiet', output: { text: 'one\n' } });
    for (const each of [session, again]) await client.request('session.stop', { session: each, graceMs: 0 });
  });

  test('B2 · stderr is apart where that was asked for, each with a cursor of its own', async () => {
    await using rig = await SessionRig.start();
    const session = await rig.run(['sh', '-c', 'echo out; echo err >&2'], { splitStderr: true });
    expect(await rig.all(session, 'err')).toBe('err\n');
    expect(await rig.all(session)).toBe('out\n');
  });

  test('P12 · an Enter is one LF; nothing is trimmed; the end of input is told behind it', async () => {
    await using rig = await SessionRig.start();
    const session = await rig.run(['od', '-An', '-c']);
    await rig.client.request('session.send', { session, input: '  a b  ', timeoutMs: 0 });
    await rig.client.request('session.send', { session, bytes: [0, 255], timeoutMs: 0 });
    const sent = await rig.client.request('session.send', {
      session,
      input: 'é',
      enter: false,
      closeInput: true,
    });
    expect(sent.accepted).toBe(2);
    await rig.ended(session);
    const status = await rig.client.request('session.status', { session });
    expect(status.exit).toEqual({ code: 0, status: 0 });
    const { output } = await rig.client.request('session.read', { session, from: 0, tidy: false });
    expect(output.text.replaceAll(/\s+/g, ' ').trim()).toBe('a b \\n \\0 377 303 251');
    expect(await nameOfError(rig.client.request('session.send', { session, input: 'x' }))).toBe(
      'session_exited',
    );
  });

  test('X05 · what a program on pipes repeats is its output, not an echo', async () => {
    await using rig = await SessionRig.start();
    const session = await rig.run(['cat']);
    const echoed = await rig.client.request('session.send', {
      session,
      input: 'hello',
      echo: 'strip',
      expect: 'hello',
    });
    expect(echoed).toMatchObject({ reason: 'matched', output: { text: 'hello\n' } });
    await rig.client.request('session.send', { session, closeInput: true });
    expect((await rig.ended(session)).exit).toEqual({ code: 0, status: 0 });
  });

  test('P13 · exit and end of output are two facts; who holds the output is named', async () => {
    await using rig = await SessionRig.start();
    const session = await rig.run(['sh', '-c', 'sleep 600 & echo hi']);
    const { client } = rig;
    const waited = await client.request('session.wait', { session, timeoutMs: PATIENCE_MS });
    expect(waited).toMatchObject({ reason: 'exited', state: 'exited', exit: { code: 0 } });
    await eventually('held output', async () => {
      return (await client.request('session.status', { session })).outputState === 'held';
    });
    const status = await client.request('session.status', { session, processes: true });
    expect(status.processes).toMatchObject([{ name: 'sleep' }]);
    expect((await client.request('session.read', { session, timeoutMs: 0 })).output.text).toBe('hi\n');
    expect((await client.request('session.stop', { session })).survivors).toEqual([]);
    expect(await rig.ended(session)).toMatchObject({ reason: 'exited', outputState: 'ended' });
  });

  test('P01 · no byte is missing, from one to a million, and the end is told once', async () => {
    await using rig = await SessionRig.start();
    for (const bytes of [1, 8_192, 65_536, 1_048_576]) {
      const session = await rig.run(['sh', '-c', `yes 123456 | head -c ${bytes}`]);
      const text = await rig.all(session);
      expect(text.length).toBe(bytes);
      expect(text).toBe('123456\n'.repeat(Math.ceil(bytes / 7)).slice(0, bytes));
    }
  });

  test('P11 · C05 · it has three descriptors, no environment of the daemon, and a clean group of its own', async () => {
    await using rig = await SessionRig.start();
    await rig.run(['sleep', '600']);
    const session = await rig.run(['sh', '-c', 'echo /proc/self/fd/*; env; ps -o pgid=,sid=,pid= -p $$'], {
      env: { MINE: 'yes' },
      cwd: '/',
    });
    const text = await rig.all(session);
    expect(text).not.toMatch(/PIDP10|STATE_DIR|NOTIFY_SOCKET|NODE_/);
    expect(text).toContain('MINE=yes\n');
    const ids = text.trimEnd().split('\n').at(-1)?.trim().split(/\s+/) ?? [];
    expect(new Set(ids).size).toBe(1);
  });

  test('bad input is refused with what to do, and leaves nothing', async () => {
    await using rig = await SessionRig.start();
    const { client } = rig;
    const refused = async (input: object) => nameOfError(client.request('session.start', input as never));
    expect(await refused({ command: '/no/such/program' })).toBe('start_failed');
    expect(await refused({ command: 'true', cwd: 'here' })).toBe('invalid_params');
    expect(await refused({ command: 'true', cwd: '/no/such' })).toBe('start_failed');
    expect(await refused({ command: 'true', pty: true, splitStderr: true })).toBe('invalid_params');
    expect(await refused({ command: 'true', name: 's1' })).toBe('invalid_params');
    expect(await refused({ command: 'true', expect: '(' })).toBe('pattern_invalid');
    expect(await nameOfError(client.request('session.read', { session: 's99' }))).toBe('session_unknown');
    expect((await client.request('session.list', {})).sessions).toEqual([]);
    await rig.run(['sleep', '600'], { name: 'one' });
    expect(await refused({ command: 'true', name: 'one' })).toBe('session_name_taken');
    const on = { session: 'one' };
    expect(await nameOfError(client.request('session.signal', { ...on, signal: 'SIGFOO' }))).toBe(
      'invalid_params',
    );
    expect(await nameOfError(client.request('session.screen', on))).toBe('not_a_terminal');
    expect(await nameOfError(client.request('session.resize', { ...on, rows: 5, columns: 5 }))).toBe(
      'not_a_terminal',
    );
    expect(await nameOfError(client.request('session.delete', on))).toBe('session_running');
    expect(await nameOfError(client.request('session.send', on))).toBe('invalid_params');
    await client.request('session.delete', { ...on, stop: true });
    expect((await client.request('session.list', {})).sessions).toEqual([]);
  });

  test('a time limit stops it, and says why', async () => {
    await using rig = await SessionRig.start();
    const session = await rig.run(['sleep', '600'], { timeLimitMs: 50 });
    expect(await rig.ended(session)).toMatchObject({ exit: { signal: 'SIGTERM', status: 143 } });
    expect(await rig.client.request('session.status', { session })).toMatchObject({ stopCause: 'timeout' });
  });

  test('P16 · what the configuration forbids is refused where it would be started', async () => {
    await using off = await SessionRig.start(['--commands', 'off']);
    expect(await nameOfError(off.run(['true']))).toBe('commands_off');
    await using sandbox = await Sandbox.create();
    const config = join(sandbox.folder, 'config.json');
    await writeFile(config, JSON.stringify({ commandExecutables: ['/bin/echo'] }));
    await using listed = await SessionRig.start(['--config', config]);
    expect(await listed.all(await listed.run(['echo', '; rm -rf $(nothing)']))).toBe('; rm -rf $(nothing)\n');
    expect(await nameOfError(listed.run(['sh', '-c', 'true']))).toBe('command_refused');
  });
});

describe('waiting', () => {
  test('a wait is given up, goes on elsewhere, or sees the exit', async () => {
    await using rig = await SessionRig.start();
    const { client } = rig;
    const session = await rig.run(['sh', '-c', 'read x; exit 7']);
    expect(await client.request('session.wait', { session, timeoutMs: 20 })).toMatchObject({
      reason: 'timeout',
    });
    expect(await client.request('session.wait', { session, returnAfterMs: 20 })).toMatchObject({
      reason: 'still_waiting',
      state: 'running',
    });
    const controller = new AbortController();
    const given = client.request('session.wait', { session }, { signal: controller.signal });
    controller.abort();
    expect((await given).reason).toBe('cancelled');
    await using other = await rig.sandbox.connect({ reader: 'other' });
    const read = other.request('session.read', { session, timeoutMs: PATIENCE_MS });
    await client.request('session.send', { session, input: 'go', timeoutMs: 0 });
    expect(await read).toMatchObject({ reason: 'dead', exit: { code: 7 } });
  });

  test('what matches in two pieces is found, and older output is given apart', async () => {
    await using rig = await SessionRig.start();
    const { client } = rig;
    const session = await rig.run([
      'sh',
      '-c',
      'echo old; while read x; do printf DO; sleep 0.1; echo "NE $x"; done',
    ]);
    await eventually(
      'the first words',
      async () => (await client.request('session.status', { session })).end > 0,
    );
    const sent = await client.request('session.send', { session, input: 'now', expect: 'DONE \\w+' });
    expect(sent).toMatchObject({
      reason: 'matched',
      before: { text: 'old\n' },
      output: { text: 'DONE now\n' },
    });
    expect(await nameOfError(client.request('session.read', { session, expect: '(' }))).toBe(
      'pattern_invalid',
    );
    await client.request('session.stop', { session, graceMs: 0 });
  });

  test('a limit of characters stops the cursor there, as text and as bytes', async () => {
    await using rig = await SessionRig.start();
    const { client } = rig;
    const session = await rig.run(['printf', '\\033[31mred\\033[0m \\303\\251t\\303\\251 plain']);
    await rig.ended(session);
    const first = await client.request('session.read', { session, maxChars: 5 });
    expect(first).toMatchObject({ reason: 'limit', output: { text: 'red é' } });
    const raw = await client.request('session.read', { session, stripAnsi: false, from: 0, tidy: false });
    expect(raw.output.text).toBe('\u001b[31mred\u001b[0m été plain');
    const rest = await client.request('session.read', { session });
    expect(rest).toMatchObject({ reason: 'dead', remaining: 0, output: { text: 'té plain' } });
  });

  test('a match in output that never pauses is answered all the same', async () => {
    await using rig = await SessionRig.start();
    const session = await rig.run([
      'sh',
      '-c',
      'i=0; while :; do i=$((i + 1)); echo "tick $i"; sleep 0.02; done',
    ]);
    const { reason, output } = await rig.until(session, 'tick 3\\n');
    expect(reason).toBe('matched');
    expect(output.lines).toBeLessThan(500);
    await rig.client.request('session.stop', { session, graceMs: 0 });
  });

  test('each reader has a cursor of its own, and a new one begins at the beginning', async () => {
    await using rig = await SessionRig.start();
    const session = await rig.run(['echo', 'hello']);
    await rig.ended(session);
    await using anna = await rig.sandbox.connect({ reader: 'anna' });
    await using bob = await rig.sandbox.connect({ reader: 'bob' });
    for (const client of [anna, bob]) {
      const read = await client.request('session.read', { session });
      expect(read).toMatchObject({ reason: 'dead', output: { text: 'hello\n' } });
      expect((await client.request('session.read', { session })).output.text).toBe('');
    }
  });
});

describe('a command on a terminal', () => {
  test('P12 · its Enter is one CR, and the next question still waits', async () => {
    await using rig = await SessionRig.start();
    const { client } = rig;
    const script = 'printf "name: "; read n; printf "sure? "; k=$(head -c1); echo "got $n [$k]"; read z';
    const session = await rig.run(['sh', '-c', script], { pty: true });
    await rig.until(session, 'name: $');
    const asked = await client.request('session.send', {
      session,
      input: 'bob',
      echo: 'strip',
      expect: 'sure\\? $',
    });
    expect(asked).toMatchObject({ reason: 'matched', output: { text: 'sure?' } });
    const answered = await client.request('session.send', { session, input: 'y', expect: 'got.*' });
    expect(answered.output.text).toContain('got bob [y]');
    await client.request('session.stop', { session, graceMs: 0 });
  });

  test('P05 · a line that the terminal would cut is refused before it is sent, with the limit', async () => {
    await using rig = await SessionRig.start();
    const session = await rig.run(['cat'], { pty: true });
    const long = rig.client.request('session.send', { session, input: 'x'.repeat(10_000) });
    expect(await nameOfError(long)).toBe('terminal_line_too_long');
    await expect(long).rejects.toMatchObject({ data: { limitBytes: 4_095 } });
    const short = await rig.client.request('session.send', {
      session,
      input: 'short',
      expect: 'short',
    });
    expect(short.reason).toBe('matched');
    await rig.client.request('session.stop', { session, graceMs: 0 });
  });

  test('P15 · a program that paints: all its text is given, and the answer says that there is a screen', async () => {
    await using rig = await SessionRig.start();
    const { client } = rig;
    const script = 'printf "\\033[?1049h\\033[H\\033[2Jfirst\\r\\nsecond\\033[5;3Hthird"; exec sleep 600';
    const session = await rig.run(['sh', '-c', script], { pty: true });
    const painted = await rig.until(session, 'third');
    expect(painted.output.text).toBe('first\nsecond\nthird');
    expect(painted.hint).toMatch(/read_screen/);
    const { rows } = await client.request('session.screen', { session });
    expect(rows.slice(0, 6)).toEqual(['first', 'second', '', '', '  third', '']);
    await client.request('session.stop', { session, graceMs: 0 });
  });

  test('the echo of UTF-8 is left out; who says nothing is at work, and no ^S is suspected', async () => {
    await using rig = await SessionRig.start();
    const { client } = rig;
    const session = await rig.run(['sh', '-c', 'printf "> "; read line; exec sleep 600'], { pty: true });
    await rig.until(session, '> $');
    const sent = await client.request('session.send', {
      session,
      input: 'grün 日本 🙂',
      echo: 'strip',
      timeoutMs: PATIENCE_MS,
    });
    expect(sent).toMatchObject({ reason: 'quiet', output: { text: '' } });
    expect(sent.hint).toMatch(/^Nothing came back so far/);
    await client.request('session.stop', { session, graceMs: 0 });
  });

  test('P14 · ^S stops what is shown, and the answer says so; ^Q goes on, and nothing is lost', async () => {
    await using rig = await SessionRig.start();
    const { client } = rig;
    const script = 'i=0; while :; do i=$((i + 1)); echo "tick $i"; sleep 0.02; done';
    const session = await rig.run(['sh', '-c', script], { pty: true });
    await rig.until(session, 'tick 3');
    const stopped = await client.request('session.send', { session, bytes: [0x13], timeoutMs: 500 });
    expect(stopped.hint).toMatch(/\^S.*\^Q/);
    await client.request('session.send', { session, bytes: [0x11], expect: 'tick \\d+' });
    await client.request('session.stop', { session, graceMs: 0 });
    const { output } = await client.request('session.read', { session, from: 0, tidy: false });
    const ticks = [...output.text.matchAll(/tick (\d+)\n/g)].map(([, count]) => Number(count));
    expect(ticks.length).toBeGreaterThan(3);
    expect(ticks).toEqual(ticks.map((_, index) => index + 1));
  });

  test('B9 · its size, its name and what it asks of the terminal; a new size is told', async () => {
    await using rig = await SessionRig.start();
    const { client } = rig;
    const session = await rig.run(
      ['sh', '-c', 'stty size; echo $TERM; trap "stty size" WINCH; while :; do sleep 0.1; done'],
      {
        pty: true,
        rows: 30,
        columns: 100,
      },
    );
    expect((await rig.until(session, 'xterm')).output.text).toContain('30 100\n');
    await client.request('session.resize', { session, rows: 10, columns: 40 });
    expect((await rig.until(session, '10 40')).reason).toBe('matched');
    const screen = await client.request('session.screen', { session });
    expect(screen).toMatchObject({ size: { rows: 10, columns: 40 }, isAlternate: false });
    expect(screen.rows.join('\n')).toContain('10 40');
    await client.request('session.stop', { session, graceMs: 0 });
  });

  test('B4 · a signal reaches who it is for; an exited one is told so', async () => {
    await using rig = await SessionRig.start();
    const { client } = rig;
    const session = await rig.run(
      ['sh', '-c', 'trap "echo caught" USR1; echo ready; while :; do sleep 0.1; done'],
      {
        pty: true,
      },
    );
    await rig.until(session, 'ready');
    await client.request('session.signal', { session, signal: 'SIGUSR1', target: 'leader' });
    expect((await rig.until(session, 'caught')).reason).toBe('matched');
    await client.request('session.stop', { session, graceMs: 0 });
    expect(await nameOfError(client.request('session.signal', { session, signal: 'SIGINT' }))).toBe(
      'session_exited',
    );
    const { entries } = await client.request('session.history', { session });
    expect(entries.map(({ text }) => text)).toEqual(
      expect.arrayContaining(['SIGUSR1 to its leader', 'stop']),
    );
  });
});

describe('many clients', () => {
  test('I8 · the floor is each session’s own: held, taken over, given back', async () => {
    await using rig = await SessionRig.start();
    const session = await rig.run(['cat']);
    const other = await rig.run(['cat']);
    await using anna = await rig.sandbox.connect({ reader: 'anna' });
    const { floor } = await anna.request('floor.request', { session });
    expect(floor.holder).toMatchObject({ isYou: true });
    const send = rig.client.request('session.send', { session, input: 'x', floor: 'fail' });
    expect(await nameOfError(send)).toBe('floor_held');
    const free = await rig.client.request('session.send', {
      session: other,
      input: 'x',
      expect: 'x',
      floor: 'fail',
    });
    expect(free.reason).toBe('matched');
    await anna.request('floor.release', { session });
    const sent = await rig.client.request('session.send', { session, input: 'x', expect: 'x' });
    expect(sent.reason).toBe('matched');
    for (const id of [session, other])
      await rig.client.request('session.delete', { session: id, stop: true });
  });

  test('a watch tells output, input and state in order, and ends with the output', async () => {
    await using rig = await SessionRig.start();
    const told: { name: string; params: { watch?: number; text?: string | undefined } }[] = [];
    await using watcher = await rig.sandbox.connect({
      access: 'read',
      onNotification: (name: string, params: unknown) => void told.push({ name, params: params as never }),
    });
    const session = await rig.run(['sh', '-c', 'read x; echo "<$x>"; exit 2']);
    await watcher.request('session.watch', { session, from: 0 });
    await rig.client.request('session.send', { session, input: 'hello', timeoutMs: 0 });
    await eventually('the end', () => told.some(({ name }) => name === 'session.watchEnded'));
    const names = told.map(({ name }) => name);
    expect(names.indexOf('session.input')).toBeLessThan(names.indexOf('session.output'));
    expect(names.at(-1)).toBe('session.watchEnded');
    const output = told.flatMap(({ name, params }) => (name === 'session.output' ? [params.text] : []));
    expect(output.join('')).toBe('<hello>\n');
    expect(told.findLast(({ name }) => name === 'session.state')?.params).toMatchObject({
      exit: { code: 2 },
    });
    expect(await nameOfError(watcher.request('session.stop', { session }))).toBe('read_only');
  });

  test('C6 · a search finds words through colours and in UTF-8, in both streams', async () => {
    await using rig = await SessionRig.start();
    const session = await rig.run(['sh', '-c', "printf 'one\\nfo\\033[1mo bär\\033[0m\\n'; echo bar >&2"], {
      splitStderr: true,
    });
    await rig.ended(session);
    const found = await rig.client.request('session.search', { session, text: 'foo bär' });
    expect(found.matches.map(({ line }) => line)).toEqual(['foo bär']);
    const err = await rig.client.request('session.search', { session, stream: 'err', pattern: '^b.r$' });
    expect(err.matches.map(({ line }) => line)).toEqual(['bar']);
  });
});

describe('what stays', () => {
  test('B1 · B10 · sessions of a daemon that was stopped are there with their output; ids are never used again', async () => {
    await using rig = await SessionRig.start();
    const { sandbox } = rig;
    const done = await rig.run(['sh', '-c', 'echo kept; exit 4'], { name: 'done' });
    const running = await rig.run(['sleep', '600']);
    await rig.ended(done);
    const { pid = 0 } = await rig.client.request('session.status', { session: running });
    await rig.client.request('daemon.shutdown', {});
    await eventually('the command ends with the daemon', () => !existsSync(`/proc/${pid}`));
    await eventually('the daemon is gone', () => !existsSync(sandbox.socket()));
    await sandbox.daemon();
    await using client = await sandbox.connect();
    const { sessions } = await client.request('session.list', {});
    expect(sessions.map(({ session }) => session)).toEqual([done, running]);
    expect(sessions).toMatchObject([{ exit: { code: 4 } }, { stopCause: 'shutdown' }]);
    const read = await client.request('session.read', { session: 'done' });
    expect(read).toMatchObject({ reason: 'dead', output: { text: 'kept\n' } });
    const next = await client.request('session.start', { command: 'true' });
    expect([done, running]).not.toContain(next.session);
    await client.request('session.delete', { session: 'done' });
    expect(existsSync(join(sandbox.stateDir, 'sessions', 'line', done))).toBe(false);
    expect(await nameOfError(client.request('session.read', { session: done }))).toBe('session_unknown');
  });

  test('after a daemon that was killed: state lost, output there, and who is left is named and can be ended', async () => {
    await using rig = await SessionRig.start();
    const { sandbox, client } = rig;
    const session = await rig.run(['sh', '-c', 'echo before; trap "" HUP; sleep 600']);
    await rig.until(session, 'before');
    const { pid: daemonPid } = await client.request('daemon.status', {});
    const { pid = 0 } = await client.request('session.status', { session });
    process.kill(daemonPid, 'SIGKILL');
    await eventually('the daemon is gone', () => !existsSync(`/proc/${daemonPid}`));
    await sandbox.daemon();
    await using next = await sandbox.connect();
    const { sessions, leftovers } = await next.request('session.list', {});
    expect(sessions).toMatchObject([{ session, state: 'lost' }]);
    expect(leftovers).toEqual(expect.arrayContaining([expect.objectContaining({ session, pid })]));
    expect((await next.request('session.read', { session })).output.text).toBe('before\n');
    await next.request('session.stop', { session, graceMs: 0 });
    await eventually('the leftovers are gone', () => !existsSync(`/proc/${pid}`));
    expect((await next.request('session.list', {})).leftovers).toEqual([]);
  });

  test('an upgrade is refused while commands run, and stops them when told to', async () => {
    await using rig = await SessionRig.start();
    const done = await rig.run(['sh', '-c', 'echo kept; exit 4']);
    await rig.ended(done);
    const session = await rig.run(['sh', '-c', 'echo begun; sleep 600']);
    await rig.until(session, 'begun');
    expect(await nameOfError(rig.client.request('daemon.upgrade', {}))).toBe('sessions_running');
    const { pid: programPid = 0 } = await rig.client.request('session.status', { session });
    expect(existsSync(`/proc/${programPid}`)).toBe(true);
    const { pid } = await rig.client.request('daemon.upgrade', { endSessions: true });
    rig.sandbox.adopt(pid);
    await eventually('the program is gone', () => !existsSync(`/proc/${programPid}`));
    await using next = await rig.sandbox.connect();
    expect((await next.request('daemon.status', {})).pid).toBe(pid);
    const { sessions, leftovers } = await next.request('session.list', {});
    expect(sessions).toMatchObject([
      { session: done, state: 'exited', exit: { code: 4 } },
      { session, state: 'exited', stopCause: 'shutdown' },
    ]);
    expect(leftovers).toEqual([]);
    const read = await next.request('session.read', { session });
    expect(read).toMatchObject({ reason: 'dead', output: { text: 'begun\n' } });
    const started = await next.request('session.start', { command: 'true' });
    expect([done, session]).not.toContain(started.session);
  });
});
