/** What the composition of a session adds to its parts, with real programs. */
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { ClosedJournal } from '../src/io/journal/closedJournal.ts';
import { never, openTable, over, read, request, scratch, script, send, textOf } from './commands.ts';
import { until } from './io/process/recorder.ts';

const PTY = { isPty: true } as const;

describe('a session', () => {
  test('is typed to and read, and a wait sees its exit (B3)', async () => {
    const table = await openTable(await scratch());
    const session = await table.start(script('echo ready; read line; echo "got $line"; exit 3'));
    expect([session.id, session.facts.state]).toEqual(['s1', 'running']);
    session.out.conversation.readers.claim('r', 0);
    expect((await read(session.out, { pattern: 'ready\\n' })).reason).toBe('matched');
    const sent = await send(session, 'hello\n');
    expect([sent.reason, sent.sent]).toEqual(['dead', 6]);
    expect(textOf(session.out)).toBe('ready\ngot hello\n');
    expect(session.facts).toMatchObject({
      state: 'exited',
      exit: { code: 3, status: 3 },
      outputState: 'ended',
    });
    await expect(send(session, 'more\n')).rejects.toMatchObject({ data: { name: 'session_exited' } });
  });

  test('P02 · that fails fast has its words and its exit, until it is deleted', async () => {
    const folder = await scratch();
    const table = await openTable(folder);
    const session = await table.start(
      script('echo no >&2; kill -9 $$', { splitStderr: true, name: 'quick' }),
    );
    await over(session);
    expect([textOf(session.err), textOf(session.out)]).toEqual(['no\n', '']);
    expect(session.facts.exit).toEqual({ signal: 'SIGKILL', status: 137 });
    expect(table.get('quick')).toBe(table.get('s1'));
    await table.delete(session);
    expect([table.all, table.get('quick'), readdirSync(join(folder, 'sessions'))]).toEqual([
      [],
      undefined,
      ['next'],
    ]);
  });

  test.each([
    ['pipes', {}],
    ['a PTY', PTY],
  ])(
    'P02 · on %s an argument or a variable that the system would not take is refused',
    async (_name, more) => {
      const table = await openTable(await scratch());
      const most = 131_071; // and its NUL
      const session = await table.start(request(['true', 'x'.repeat(most)], more));
      await over(session);
      expect(session.facts.exit?.code).toBe(0);
      for (const [args, env] of [
        [['x'.repeat(most + 1)], {}],
        [[], { V: 'x'.repeat(most - 1) }],
      ] as const) {
        const start = table.start(request(['true', ...args], { ...more, env }));
        await expect(start).rejects.toMatchObject({ data: { name: 'start_failed', failure: 'too_long' } });
      }
    },
  );

  test.each([
    ['pipes', {}],
    ['a PTY', PTY],
  ])('P01 · I2 · on %s loses no byte at its exit, in memory and in its files', async (_name, more) => {
    const folder = await scratch();
    const table = await openTable(folder);
    const sessions = await Promise.all(
      Array.from({ length: 8 }, () => table.start(request(['seq', '1', '9000'], more))),
    );
    const lineEnd = more === PTY ? '\r\n' : '\n';
    const whole = Array.from({ length: 9_000 }, (_, index) => `${index + 1}${lineEnd}`).join('');
    for (const session of sessions) {
      await over(session);
      const { scrollback } = session.out.conversation;
      expect(Buffer.from(scrollback.bytes(0, scrollback.end)).toString('latin1')).toBe(
        whole.slice(-scrollback.end + scrollback.oldest),
      );
      expect(scrollback.end).toBe(whole.length);
      const kept = await session.out.archive?.bytes(0, scrollback.end);
      expect(Buffer.from(kept ?? []).toString('latin1')).toBe(whole);
    }
  });

  test('S09 · C05 · its files are private, hold its bytes as they came, and nothing of its environment', async () => {
    const folder = await scratch();
    const table = await openTable(folder);
    const env = { CANARY: 'canary-of-the-environment' };
    const session = await table.start(
      script('printf "a\\033[31mb\\377"; echo err >&2', { splitStderr: true, env }),
    );
    await over(session);
    const place = join(folder, 'sessions', 's1');
    await until('the files are complete', () =>
      readFileSync(join(place, 'session.json'), 'utf8').includes('bytes'),
    );
    const journal = new ClosedJournal(place);
    expect(Buffer.from(journal.bytesFrom('out', 0)).toString('latin1')).toBe('a\x1b[31mb\xff');
    expect(Buffer.from(journal.bytesFrom('err', 0)).toString('latin1')).toBe('err\n');
    expect(statSync(place).mode & 0o777).toBe(0o700);
    for (const name of readdirSync(place)) {
      expect([name, statSync(join(place, name)).mode & 0o777]).toEqual([name, 0o600]);
      expect(readFileSync(join(place, name), 'latin1')).not.toContain(env.CANARY);
    }
  });

  test('C05 · a program gets nothing that is the daemon’s own', async () => {
    const own = {
      NOTIFY_SOCKET: '/x',
      WATCHDOG_USEC: '1',
      STATE_DIRECTORY: '/x',
      RUNTIME_DIRECTORY: '/x',
      LISTEN_FDS: '1',
      PIDP10_TOKEN: 'x',
      PIDP10D_SOCKET: '/x',
      NODE_OPTIONS: '--x',
    };
    const table = await openTable(await scratch(), { env: { ...process.env, ...own } });
    const session = await table.start(request(['env'], { env: { MINE: 'yes' } }));
    await over(session);
    const names = textOf(session.out)
      .split('\n')
      .map((line) => line.split('=')[0] ?? '');
    expect(names.filter((name) => Object.hasOwn(own, name))).toEqual([]);
    expect(names).toContain('MINE');
  });

  test('P13 · exit and end of output are two facts', async () => {
    const table = await openTable(await scratch());
    const session = await table.start(script('(sleep 100; echo late) & echo hi; exit 4'));
    session.out.conversation.readers.claim('r', 0);
    await session.whenOver('exit', never);
    expect((await read(session.out)).reason).toBe('dead');
    expect([textOf(session.out), session.facts]).toMatchObject([
      'hi\n',
      { state: 'exited', exit: { code: 4 }, outputState: 'held' },
    ]);
    expect(session.processes().map(({ name }) => name)).toContain('sleep');
    expect(await session.stop(2_000)).toEqual([]);
    await over(session);
    expect(session.facts.outputState).toBe('ended');
  });

  test('P09 · that ignores everything is killed after its grace, and says why', async () => {
    const table = await openTable(await scratch());
    const session = await table.start(script('trap "" TERM HUP INT; echo ready; while :; do sleep 1; done'));
    session.out.conversation.readers.claim('r', 0);
    await read(session.out, { pattern: 'ready' });
    const stopped = session.stop(200);
    expect(session.facts.state).toBe('stopping');
    expect(await stopped).toEqual([]);
    expect(session.facts.exit).toEqual({ signal: 'SIGKILL', status: 137 });
    expect(session.details.stopCause).toBe('asked');
  });

  test('whose time is over is stopped', async () => {
    const table = await openTable(await scratch());
    const session = await table.start(request(['sleep', '100'], { timeLimitMs: 50 }));
    await over(session);
    expect([session.facts.exit?.signal, session.details.stopCause]).toEqual(['SIGTERM', 'timeout']);
  });

  test('is told the end of its input behind what was typed', async () => {
    const table = await openTable(await scratch());
    const session = await table.start(request(['cat']));
    session.out.conversation.readers.claim('r', 0);
    const text = 'x'.repeat(200_000);
    const sent = send(session, text, { pattern: '$' }, { closesInput: true });
    await expect(send(session, 'more')).rejects.toMatchObject({ data: { name: 'input_closed' } });
    expect((await sent).sent).toBe(200_000);
    await over(session);
    expect(session.out.conversation.scrollback.end).toBe(200_000);
  });

  test('P04 · takes a million bytes from a queue of its own, complete and in order, for a slow reader', async () => {
    const table = await openTable(await scratch());
    const session = await table.start(script('sleep 0.3; exec cat'));
    const whole = Array.from({ length: 100_000 }, (_, index) => `${index}`.padStart(9, '0')).join('\n');
    const sent = send(session, whole, {}, { closesInput: true });
    expect((await sent).sent).toBe(whole.length);
    await over(session);
    const kept = await session.out.archive?.bytes(0, whole.length);
    expect(Buffer.from(kept ?? []).toString('latin1') === whole).toBe(true);
  });
});

describe('on a PTY', () => {
  test('queries are answered, and the answers are nobody’s input', async () => {
    const table = await openTable(await scratch());
    const session = await table.start(
      script('stty raw -echo; printf "abc\\033[6n"; dd bs=1 count=6 2>/dev/null | od -An -c; stty sane', PTY),
    );
    await over(session);
    expect(textOf(session.out)).toContain('033   [   1   ;   4   R');
    expect(session.out.conversation.timeline.since(0).filter(({ kind }) => kind === 'input')).toEqual([]);
    expect(session.out.conversation.typist.bytesOut).toBe(0);
  });

  test('the screen is shown, also behind the exit, with its size', async () => {
    const table = await openTable(await scratch());
    const session = await table.start(
      script('read x; stty size; printf "\\033[2J\\033[3;5Hhere"; read x', PTY),
    );
    session.out.conversation.readers.claim('r', 0);
    session.resize({ rows: 10, columns: 40 });
    await send(session, '\r', { pattern: 'here' });
    expect(textOf(session.out)).toContain('10 40');
    expect(await session.screen()).toMatchObject({
      rows: ['', '', '    here', '', '', '', '', '', '', ''],
      cursor: { row: 2, column: 8 },
      size: { rows: 10, columns: 40 },
    });
    await send(session, '\r');
    await over(session);
    expect((await session.screen())?.rows[2]).toBe('    here');
  });

  test('P07 · a shell with jobs is gone as a whole', async () => {
    const table = await openTable(await scratch());
    const session = await table.start(script('sleep 100 & sleep 100 | sleep 100 & echo ready; wait', PTY));
    session.out.conversation.readers.claim('r', 0);
    await read(session.out, { pattern: 'ready' });
    expect(await session.stop(2_000)).toEqual([]);
    await over(session);
    expect(session.processes()).toEqual([]);
  });
});

describe('what is refused leaves nothing', () => {
  test.each([
    ['start_failed', request(['/no/such/program'])],
    ['start_failed', request(['true'], { cwd: '/no/such/folder' })],
    ['start_failed', request(['true'], { cwd: 'relative' })],
    ['start_failed', request(['/etc/passwd'])],
    ['invalid_params', request(['true'], { env: { 'A=B': 'x' } })],
  ] as const)('%s', async (name, what) => {
    const folder = await scratch();
    const table = await openTable(folder);
    await expect(table.start(what)).rejects.toMatchObject({ data: { name } });
    expect([table.all, readdirSync(join(folder, 'sessions'))]).toEqual([[], []]);
  });

  test('P16 · what is not on the list', async () => {
    const spawnPolicy = { executables: ['/bin/true', '/usr/bin/true'] };
    const table = await openTable(await scratch(), { spawnPolicy });
    const refused = { data: { name: 'command_refused' } };
    await expect(table.start(request(['sh', '-c', 'true']))).rejects.toMatchObject(refused);
    await over(await table.start(request(['true'])));
  });

  test('everything where commands are off', async () => {
    const table = await openTable(await scratch(), { commands: 'off' });
    await expect(table.start(request(['true']))).rejects.toMatchObject({ data: { name: 'commands_off' } });
  });

  test('I6 · one more than may run, until one has exited', async () => {
    const table = await openTable(await scratch(), { maxRunning: 2 });
    const [first] = await Promise.all([
      table.start(request(['cat'])),
      table.start(request(['cat'])),
    ] as const);
    const third = () => table.start(request(['true']));
    await expect(third()).rejects.toMatchObject({ data: { name: 'too_many_sessions' } });
    await first.stop(0);
    await over(first);
    await over(await third());
  });

  test('a name that another has, also one that has exited', async () => {
    const table = await openTable(await scratch());
    const taken = { data: { name: 'session_name_taken' } };
    const both = await Promise.allSettled([0, 1].map(() => table.start(request(['true'], { name: 'x' }))));
    expect(both.map(({ status }) => status)).toEqual(['fulfilled', 'rejected']);
    await expect(table.start(request(['true'], { name: 'x' }))).rejects.toMatchObject(taken);
  });
});

test('I18 · one that floods does not starve another, nor the clock', async () => {
  const table = await openTable(await scratch(), { hasJournal: false });
  const flood = await table.start(request(['yes']));
  const quick = await table.start(request(['cat']));
  quick.out.conversation.readers.claim('r', 0);
  await until('it floods', () => flood.out.conversation.scrollback.end > 4_000_000);
  for (let turn = 0; turn < 5; turn += 1) {
    const { reason } = await send(quick, `${turn}\n`, { pattern: `${turn}\\n` });
    expect(reason).toBe('matched');
  }
  expect(await flood.stop(0)).toEqual([]);
});

test('I15 · P17 · sessions that are over keep no descriptor and no zombie', async () => {
  const table = await openTable(await scratch());
  const round = async () => {
    for (const more of [{}, PTY, { splitStderr: true }])
      await Promise.all(
        [1, 2, 3, 4].map(async () => {
          const session = await table.start(request(['echo', 'x'], more));
          await over(session);
          await table.delete(session);
        }),
      );
  };
  await round();
  const open = () => readdirSync('/proc/self/fd').length;
  const before = open();
  await round();
  await round();
  await until('descriptors are back', () => open() <= before);
  expect(table.all).toEqual([]);
});
