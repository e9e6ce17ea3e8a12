import { readdirSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { loadPtyLibrary, PtyUnavailableError } from '../../src/io/process/ptyLibrary.ts';
import { bytesOfText, onPipes, onPty, until } from './process/recorder.ts';

const isSoak = process.env['PIDP10_SOAK'] !== undefined;

describe('what a child is given', () => {
  test('a terminal of the size asked for, that it controls, in a session of its own', async () => {
    const child = await onPty(
      ['sh', '-c', 'stty size; tty; ps -o pid=,pgid=,sid=,tpgid= -p $$; echo "$TERM"'],
      {
        size: { rows: 30, columns: 100 },
      },
    );
    await child.over();
    const [size, tty, ids = '', term] = child.text().split('\r\n');
    expect([size, term]).toEqual(['30 100', 'xterm-256color']);
    expect(tty).toMatch(/^\/dev\/pts\/\d+$/);
    const [pid, group, session] = ids.trim().split(/\s+/).map(Number);
    expect([pid, group, session]).toEqual([child.handle.pid, child.handle.pid, child.handle.pid]);
  });

  test('P16 · arguments arrive as they are, without a shell', async () => {
    const args = ['; echo no', '$(echo no)', '*', 'a b', '', "'"];
    const child = await onPty(['printf', '%s|', ...args]);
    await child.over();
    expect(child.text()).toBe(`${args.join('|')}|`);
  });

  test('another size later', async () => {
    const child = await onPty(['sh', '-c', 'echo ready; read x; stty size']);
    await child.said('ready');
    child.handle.resize({ rows: 1_000, columns: 1 });
    child.handle.write(bytesOfText('\r'));
    await child.over();
    expect(child.text()).toContain('1000 1');
    for (const rows of [0, 1_001, 1.5, Number.NaN])
      expect(() => child.handle.resize({ rows, columns: 80 })).toThrow(RangeError);
  });
});

describe('output', () => {
  test('P01 · nothing is lost at exit, whatever its size', async () => {
    for (const size of [1, 8_192, 65_536, 1_048_576]) {
      for (let run = 0; run < (isSoak ? 250 : 8); run += 1) {
        const child = await onPty(['head', '-c', String(size), '/dev/zero']);
        await child.over();
        expect(child.bytes()).toHaveLength(size);
      }
    }
  });

  test('P01 · nor when nobody reads for longer than the library waits', async () => {
    const child = await onPty(['seq', '1', '20000']);
    child.handle.pauseOutput();
    const since = performance.now();
    await until('the library to have closed it', () => performance.now() > since + 400);
    expect(child.has('out ended')).toBe(false);
    child.handle.resumeOutput();
    await child.over();
    expect(child.text().trimEnd().split('\r\n')).toHaveLength(20_000);
  });

  test('P02 · a command that fails at once: its words, its code, its signal', async () => {
    const failed = await onPty(['sh', '-c', 'echo no >&2; exit 7']);
    await failed.over();
    expect([failed.text(), failed.exit]).toEqual(['no\r\n', { code: 7, signal: undefined }]);
    const killed = await onPty(['sh', '-c', 'kill -SEGV $$']);
    await killed.over();
    expect(killed.exit).toEqual({ code: undefined, signal: 'SIGSEGV' });
  });

  test('P13 · with a background process on the terminal: exit at once, the end of output when that is gone', async () => {
    const child = await onPty(['sh', '-c', 'trap "" HUP; sleep 60 & echo hi']);
    await until('exit', () => child.exit !== undefined, 2_000);
    await child.said('hi\r\n');
    expect(child.has('out ended')).toBe(false);
    expect(
      child
        .tree()
        .signal(['SIGTERM'])
        .map(({ name }) => name),
    ).toEqual(['sleep']);
    await child.over();
  });

  test('a child that closes its terminal and goes on is not hung up', async () => {
    const child = await onPty([
      'sh',
      '-c',
      'echo hi; exec <&- >&- 2>&-; sleep 0.2; echo back >/dev/tty; exit 3',
    ]);
    await child.over();
    expect([child.text(), child.exit]).toEqual(['hi\r\nback\r\n', { code: 3, signal: undefined }]);
    expect(child.happened).toEqual(['exit', 'input closed', 'out ended']);
  });

  test('P14 · ^S stops it and ^Q lets it go on, and nothing is lost', async () => {
    const child = await onPty([
      'sh',
      '-c',
      'i=0; while :; do i=$((i + 1)); echo "tick $i"; sleep 0.02; done',
    ]);
    await child.said('tick 3');
    child.handle.write(bytesOfText('\x13'));
    let [length, since] = [0, performance.now()];
    await until('silence', () => {
      if (child.bytes().length !== length) [length, since] = [child.bytes().length, performance.now()];
      return performance.now() > since + 300;
    });
    child.handle.write(bytesOfText('\x11'));
    await until('more', () => child.bytes().length > length + 20);
    const ticks = [...child.text().matchAll(/tick (\d+)\r\n/g)].map(([, count]) => Number(count));
    expect(ticks).toEqual(ticks.map((_, index) => index + 1));
  });
});

describe('input', () => {
  test('P12 · Enter is one CR, and the next question still waits', async () => {
    const script =
      'read line; printf "sure? "; stty -icanon; answer=$(dd bs=1 count=1 2>/dev/null); echo "[$answer]"';
    const child = await onPty(['sh', '-c', script]);
    child.handle.write(bytesOfText('name\r'));
    await child.said('sure? ');
    expect(child.text()).not.toContain('[');
    child.handle.write(bytesOfText('y'));
    await child.said('[y]');
  });

  test('P04 · megabytes to a slow reader on a raw terminal arrive complete and in order', async () => {
    const child = await onPty([
      'sh',
      '-c',
      'stty raw -echo; echo ready; sleep 0.2; head -c 3000000 | sha256sum',
    ]);
    await child.said('ready');
    const block = Buffer.from(Array.from({ length: 100_000 }, (_, at) => (at * 31) % 251));
    const { createHash } = await import('node:crypto');
    const hash = createHash('sha256');
    for (let sent = 0; sent < 30; sent += 1) {
      expect(await child.handle.checkInput(block)).toEqual({ kind: 'fits' });
      await until('room', () => child.handle.write(block).kind === 'queued');
      hash.update(block);
    }
    await child.said(hash.digest('hex'));
    expect(child.writtenBytes).toBe(3_000_000);
  });

  test('P06 · a child that never reads costs no time, and others go on', async () => {
    const child = await onPty(['sh', '-c', 'stty raw -echo; echo ready; exec sleep 60']);
    await child.said('ready');
    for (let sent = 0; sent < 8; sent += 1) child.handle.write(new Uint8Array(131_072));
    await until('a terminal full', () => child.writtenBytes > 0);
    const before = process.cpuUsage();
    const since = performance.now();
    await until('half a second', () => performance.now() > since + 500);
    const { user, system } = process.cpuUsage(before);
    // 2 % is the target on an idle machine; a busy loop takes all of it.
    expect((user + system) / 1_000 / (performance.now() - since)).toBeLessThan(0.1);
    const other = await onPipes(['echo', 'hi']);
    await other.over();
    expect(child.handle.queuedInputBytes).toBe(8 * 131_072 - child.writtenBytes);
  });

  test('P05 · a line that the terminal would cut is found out before it is sent', async () => {
    const child = await onPty(['cat']);
    const line = (bytes: number) => bytesOfText(`${'x'.repeat(bytes)}\r`);
    expect(await child.handle.checkInput(line(4_095))).toEqual({ kind: 'fits' });
    expect(await child.handle.checkInput(line(4_096))).toEqual({
      kind: 'lineTooLong',
      lineBytes: 4_096,
      limitBytes: 4_095,
    });
    child.handle.write(line(4_095).subarray(0, 4_000));
    expect((await child.handle.checkInput(line(96))).kind).toBe('lineTooLong');
    child.handle.write(line(95));
    // Echoed, and said by cat: the limit is the terminal's own, to the byte.
    await until('the whole line', () => child.text().replace(/[^x]/g, '').length === 2 * 4_095);
  });

  test('the terminal rubs out whole characters of UTF-8', async () => {
    const child = await onPty(['sh', '-c', 'read line; echo "[$line]"']);
    child.handle.write(bytesOfText('aé\x7fb\r'));
    await child.over();
    expect(child.text()).toContain('[ab]');
  });

  test('the end of input', async () => {
    const child = await onPty(['cat']);
    child.handle.write(bytesOfText('a\r'));
    child.handle.closeInput();
    await child.over();
    expect(child.exit).toEqual({ code: 0, signal: undefined });
  });

  test('C01 · whether the terminal echoes', async () => {
    const child = await onPty(['sh', '-c', 'echo ready; read x; stty -echo; echo off; read x']);
    await child.said('ready');
    expect(await child.handle.echoState()).toBe('on');
    child.handle.write(bytesOfText('\r'));
    await child.said('off');
    expect(await child.handle.echoState()).toBe('off');
    child.handle.write(bytesOfText('\r'));
    await child.over();
    expect(await child.handle.echoState()).toBe('unknown');
    expect(child.handle.write(bytesOfText('x'))).toEqual({ kind: 'closed' });
  });
});

describe('signals', () => {
  test('the foreground group is what the terminal says', async () => {
    const child = await onPty(['bash', '--norc', '-ic', 'sleep 61; echo "code $?"; exec sleep 62']);
    await until('the job', () =>
      child
        .tree()
        .scan()
        .some(({ name, group }) => name === 'sleep' && group !== child.handle.pid),
    );
    expect(child.handle.signal('SIGTERM', 'foreground')).toEqual({ kind: 'sent' });
    await child.said('code 143');
    expect(child.exit).toBeUndefined();
  });

  test('P10 · none is sent once everybody is gone', async () => {
    const child = await onPty(['true']);
    await child.over();
    for (const target of ['group', 'leader', 'foreground'] as const)
      expect(child.handle.signal('SIGTERM', target)).toEqual({ kind: 'gone' });
  });
});

test('a disposed terminal is hung up, and nothing more is heard of it', async () => {
  const child = await onPty(['sleep', '60']);
  child.handle[Symbol.dispose]();
  child.handle[Symbol.dispose]();
  await until('nobody', () => child.tree().scan().length === 0);
  expect(child.happened).toEqual([]);
});

test('a command that cannot be started is an error, and leaves nothing', async () => {
  const before = readdirSync('/proc/self/fd').length;
  await expect(onPty(['no-such-program-here'])).rejects.toThrow(/no program no-such-program-here/);
  await expect(onPty(['true'], { cwd: '/no/such/folder' })).rejects.toThrow(
    /\/no\/such\/folder cannot be used/,
  );
  expect(readdirSync('/proc/self/fd').length).toBe(before);
});

describe('U07 · without the library', () => {
  test.each<[what: string, load: () => Promise<unknown>]>([
    ['it is not installed', () => Promise.reject(new Error('Cannot find package'))],
    ['it is broken', () => Promise.resolve({ default: {} })],
  ])('%s: the error says what to install, and pipes work', async (_what, load) => {
    const starting = onPty(['true'], { load: () => loadPtyLibrary([load]) });
    await expect(starting).rejects.toThrow(PtyUnavailableError);
    await expect(starting).rejects.toThrow(/optional dependencies/);
    const child = await onPipes(['echo', 'hi']);
    await child.over();
    expect(child.text()).toBe('hi\n');
  });

  test('a version without the members that are needed is refused', async () => {
    const load = () => loadPtyLibrary([() => Promise.resolve({ spawn: () => ({ pid: 1 }) })]);
    await expect(onPty(['true'], { load })).rejects.toThrow(/another version/);
  });

  test('the second package is taken where the first is missing', async () => {
    const library = await loadPtyLibrary([
      () => Promise.reject(new Error('missing')),
      () => import('@lydell/node-pty'),
    ]);
    const child = await onPty(['echo', 'hi'], { load: () => Promise.resolve(library) });
    await child.over();
    expect(child.text()).toBe('hi\r\n');
  });
});

test('P17 · descriptors, terminals and zombies are back where they were after many short commands', async () => {
  const { listProcesses } = await import('../../src/io/process/processTable.ts');
  await (await onPty(['true'])).over();
  const count = () => readdirSync('/proc/self/fd').length;
  const before = count();
  for (let run = 0; run < (isSoak ? 2_000 : 30); run += 1) {
    const child = await onPty(['true']);
    await child.over();
    await until('exit', () => child.exit !== undefined);
  }
  await until('descriptors', () => count() <= before);
  expect(listProcesses().filter(({ parent, isZombie }) => parent === process.pid && isZombie)).toEqual([]);
});
