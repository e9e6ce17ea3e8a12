import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { INPUT_QUEUE_BYTES } from '../../src/io/process/fdWriter.ts';
import { bytesOfText, onPipes, onPty, until } from './process/recorder.ts';

const isSoak = process.env['PIDP10_SOAK'] !== undefined;

function folder(): string {
  const path = mkdtempSync(join(tmpdir(), 'pidp10-test-'));
  onTestFinished(() => rmSync(path, { recursive: true, force: true }));
  return path;
}

describe('what a child is given', () => {
  test('P16 · arguments arrive as they are, without a shell', async () => {
    const args = ['; echo no', '$(echo no)', '`no`', '*', 'a b', '', "'", '"', '\\', '|', '\n', 'é'];
    const child = await onPipes(['printf', '%s\\0', ...args]);
    await child.over();
    expect(child.text().split('\0')).toEqual([...args, '']);
    expect(child.exit).toEqual({ code: 0, signal: undefined });
  });

  test('its own session and process group, the folder and the environment asked for', async () => {
    const cwd = folder();
    const env = { PATH: '/usr/bin:/bin', WORD: 'é $x' };
    const child = await onPipes(['sh', '-c', 'ps -o pid=,pgid=,sid= -p $$; pwd -P; echo "$WORD"'], {
      cwd,
      env,
    });
    await child.over();
    const [ids = '', where, word] = child.text().split('\n');
    expect(new Set(ids.trim().split(/\s+/))).toEqual(new Set([String(child.handle.pid)]));
    expect(where).toBe(cwd);
    expect(word).toBe('é $x');
  });

  test('real pipes: what opens /dev/stdout by name works', async () => {
    const child = await onPipes(['sh', '-c', 'echo a > /dev/stdout; echo b > /dev/stderr; cat /dev/stdin']);
    child.handle.write(bytesOfText('c\n'));
    child.handle.closeInput();
    await child.over();
    expect(child.text()).toBe('a\nb\nc\n');
  });

  test('input that ended before the program opened /dev/stdin by name is read, not waited for', async () => {
    const child = await onPipes(['sh', '-c', 'sleep 0.1; cat /dev/stdin; sleep 0.1; cat /dev/stdin']);
    child.handle.write(bytesOfText('early\n'));
    child.handle.closeInput();
    await child.over();
    expect([child.text(), child.exit?.code]).toEqual(['early\n', 0]);
  });

  test('P11 · descriptors 0, 1 and 2 only, with ten sessions open', async () => {
    const others = await Promise.all([
      ...Array.from({ length: 5 }, () => onPipes(['sleep', '60'])),
      ...Array.from({ length: 5 }, () => onPty(['sleep', '60'])),
    ]);
    const children = await Promise.all([
      onPipes(['ls', '/proc/self/fd']),
      onPipes(['ls', '/proc/self/fd'], { splitStderr: true }),
      onPty(['sh', '-c', 'echo /proc/$$/fd/*']),
    ]);
    for (const child of children) {
      await child.over();
      // `ls` has the folder open that it lists.
      const listed = [...child.text().matchAll(/\d+(?=\s)/g)].map(([fd]) => Number(fd));
      expect(listed.filter((fd) => fd > 2).length).toBeLessThanOrEqual(1);
      expect(Math.max(...listed)).toBeLessThanOrEqual(3);
    }
    for (const { handle } of others) {
      expect(readdirSync(`/proc/${handle.pid}/fd`).sort()).toEqual(['0', '1', '2']);
    }
  });
});

describe('output', () => {
  test('P01 · nothing is lost at exit, whatever its size', async () => {
    for (const size of [1, 8_192, 65_536, 1_048_576]) {
      for (let run = 0; run < (isSoak ? 250 : 5); run += 1) {
        const child = await onPipes(['head', '-c', String(size), '/dev/zero']);
        await child.over();
        expect(child.bytes()).toHaveLength(size);
      }
    }
  });

  test('P02 · a command that fails at once: its words, and its code', async () => {
    const child = await onPipes(['sh', '-c', 'echo no >&2; exit 7'], { splitStderr: true });
    await until('all', () => child.exit !== undefined && child.has('out ended') && child.has('err ended'));
    expect([child.text('out'), child.text('err'), child.exit]).toEqual([
      '',
      'no\n',
      { code: 7, signal: undefined },
    ]);
  });

  test('merged, both come in the order in which they were written', async () => {
    const child = await onPipes(['sh', '-c', 'for i in 1 2 3 4 5 6 7 8; do echo o$i; echo e$i >&2; done']);
    await child.over();
    expect(child.text()).toBe([1, 2, 3, 4, 5, 6, 7, 8].map((i) => `o${i}\ne${i}\n`).join(''));
  });

  test('P13 · a grandchild that keeps the pipe: the exit at once, the end of output when it comes', async () => {
    const child = await onPipes(['sh', '-c', 'sleep 60 & echo hi']);
    await until('exit', () => child.exit !== undefined, 2_000);
    expect(child.has('out ended')).toBe(false);
    expect(child.text()).toBe('hi\n');
    const [sleeper] = child.tree().scan();
    expect(sleeper?.name).toBe('sleep');
    child.tree().signal(['SIGTERM']);
    await until('end of output', () => child.has('out ended'));
    expect(child.happened).toEqual(['exit', 'out ended', 'input closed']);
  });

  test('output waits while it is paused, and nothing is lost', async () => {
    const child = await onPipes(['head', '-c', '300000', '/dev/zero']);
    child.handle.pauseOutput();
    const stat = `/proc/${child.handle.pid}/stat`;
    await until('head to wait for a full pipe', () => /\(head\) S /.test(readFileSync(stat, 'latin1')));
    expect(child.bytes().length).toBeLessThan(300_000);
    expect(child.exit).toBeUndefined();
    child.handle.resumeOutput();
    await child.over();
    expect(child.bytes()).toHaveLength(300_000);
  });
});

describe('input', () => {
  test('P04 · ten megabytes to a slow reader arrive complete and in order, through a bounded queue', async () => {
    const child = await onPipes(['sh', '-c', 'sleep 0.2; exec sha256sum']);
    const block = Buffer.from(Array.from({ length: 262_144 }, (_, at) => (at * 31) % 251));
    const { createHash } = await import('node:crypto');
    const hash = createHash('sha256');
    for (let sent = 0; sent < 40; sent += 1) {
      await until('room', () => child.handle.write(block).kind === 'queued');
      hash.update(block);
      expect(child.handle.queuedInputBytes).toBeLessThanOrEqual(INPUT_QUEUE_BYTES);
    }
    child.handle.closeInput();
    await child.over();
    expect(child.text()).toContain(hash.digest('hex'));
    expect(child.writtenBytes).toBe(40 * block.length);
    expect(child.lostBytes).toBe(0);
  });

  test('what does not fit is refused whole, at the limit and one past it', async () => {
    const child = await onPipes(['sleep', '60']);
    expect(child.handle.write(new Uint8Array(INPUT_QUEUE_BYTES + 1))).toEqual({
      kind: 'full',
      roomBytes: INPUT_QUEUE_BYTES,
    });
    expect(child.handle.write(new Uint8Array(INPUT_QUEUE_BYTES)).kind).toBe('queued');
    expect(child.handle.write(Uint8Array.of(1))).toEqual({ kind: 'full', roomBytes: 0 });
    await until('a pipe full', () => child.writtenBytes > 0);
    const queued = child.handle.queuedInputBytes;
    expect(child.writtenBytes + queued).toBe(INPUT_QUEUE_BYTES);
    expect(child.handle.discardInput()).toBe(queued);
    expect(child.handle.queuedInputBytes).toBe(0);
  });

  test('a reader that is gone: what was lost is counted', async () => {
    const child = await onPipes(['sh', '-c', 'exec <&-; echo closed; exec sleep 60']);
    await child.said('closed');
    child.handle.write(bytesOfText('lost'));
    await until('the end of input', () => child.has('input closed'));
    expect(child.lostBytes).toBe(4);
    expect(child.handle.write(bytesOfText('x'))).toEqual({ kind: 'closed' });
  });
});

describe('signals', () => {
  test('the group by default, the leader alone when asked', async () => {
    const child = await onPipes(['sh', '-c', 'sleep 61 & sleep 62 & echo ready; wait']);
    await child.said('ready');
    expect(child.handle.signal('SIGTERM', 'leader')).toEqual({ kind: 'sent' });
    await until('exit', () => child.exit !== undefined);
    expect(child.exit).toEqual({ code: undefined, signal: 'SIGTERM' });
    expect(child.tree().scan()).toHaveLength(2);
    expect(child.handle.signal('SIGKILL', 'group')).toEqual({ kind: 'sent' });
    await until('nobody', () => child.tree().scan().length === 0);
  });

  test('P10 · none is sent once everybody is gone, and none that does not exist', async () => {
    const child = await onPipes(['true']);
    await child.over();
    for (const target of ['group', 'leader', 'foreground'] as const)
      expect(child.handle.signal('SIGTERM', target)).toEqual({ kind: 'gone' });
    expect(() => child.handle.signal('SIGFOO', 'group')).toThrow(RangeError);
  });
});

describe('a command that cannot be started', () => {
  test.each<[what: string, argv: [string], cwd: string, message: RegExp]>([
    ['no such name', ['no-such-program-here'], '/', /no program no-such-program-here in the PATH/],
    ['no such file', ['/no/such/file'], '/', /no program \/no\/such\/file.*Check the path/],
    ['a file that is no program', ['/etc/passwd'], '/', /\/etc\/passwd may not be executed.*chmod/],
    ['a folder', ['/etc'], '/', /no program \/etc/],
    [
      'a folder to work in that is not there',
      ['true'],
      '/no/such/folder',
      /\/no\/such\/folder cannot be used/,
    ],
    ['a folder to work in that is none', ['true'], '/etc/passwd', /\/etc\/passwd is no folder/],
  ])('%s: the error says which path and what to do', async (_what, argv, cwd, message) => {
    await expect(onPipes(argv, { cwd })).rejects.toThrow(message);
  });

  test('a script without its interpreter, a program for another machine; nothing is left', async () => {
    const home = folder();
    const script = join(home, 'script');
    writeFileSync(script, '#!/no/such/interpreter -x\n');
    const foreign = join(home, 'foreign');
    writeFileSync(foreign, Buffer.from('7f454c46020101000000000000000000', 'hex'));
    for (const file of [script, foreign]) chmodSync(file, 0o755);
    const before = readdirSync('/proc/self/fd').length;
    await expect(onPipes([script])).rejects.toThrow(/script for \/no\/such\/interpreter, which is not there/);
    for (let run = 0; run < 5; run += 1) {
      await onPipes([foreign], { splitStderr: true }).then(
        async (child) => {
          // Started by way of the shell that closes descriptors: it says so, and fails, each shell with its own code.
          await until('exit and end of stderr', () => child.exit !== undefined && child.has('err ended'));
          expect([126, 127]).toContain(child.exit?.code);
          expect(child.text('err')).toMatch(/foreign: .*(exec format error|cannot execute|not found)/i);
        },
        (error: unknown) => expect(String(error)).toMatch(/SpawnError: Starting .*foreign .* failed/),
      );
    }
    await until('descriptors', () => readdirSync('/proc/self/fd').length <= before);
  });
});

test('P17 · descriptors and zombies are back where they were after many short commands', async () => {
  const { listProcesses } = await import('../../src/io/process/processTable.ts');
  const runs = isSoak ? 2_000 : 30;
  await (await onPipes(['true'])).over();
  const before = readdirSync('/proc/self/fd').length;
  for (let run = 0; run < runs; run += 1) {
    const child = await onPipes(['true'], { splitStderr: run % 2 === 0 });
    await until('all', () => child.happened.length === (run % 2 === 0 ? 4 : 3));
  }
  await until('descriptors', () => readdirSync('/proc/self/fd').length <= before);
  expect(listProcesses().filter(({ parent, isZombie }) => parent === process.pid && isZombie)).toEqual([]);
});
