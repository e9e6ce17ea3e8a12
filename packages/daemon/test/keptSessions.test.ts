/** Sessions behind the end of their program and of their daemon: what is kept, found, and cleaned away. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { describe, expect, onTestFinished, test } from 'vitest';
import { type Call, createSession } from '../src/rpc/session.ts';
import { toStatus } from '../src/rpc/sessionAnswers.ts';
import type { SessionService } from '../src/rpc/sessionService.ts';
import { MAX_LOADED } from '../src/sessionLimits.ts';
import type { SessionRecord } from '../src/sessionRecord.ts';
import type { CommandTable } from '../src/sessionTable.ts';
import { openTable, over, read, request, scratch, script, textOf } from './commands.ts';
import { until } from './io/process/recorder.ts';

function kept(table: CommandTable, id: string): SessionService {
  const session = table.get(id);
  if (session === undefined) throw new Error(`there is no session ${id}`);
  return session;
}

/** Runs a command, has all its output read by `r`, and waits until its files are complete. */
async function done(table: CommandTable, text: string, isRead = true): Promise<string> {
  const session = await table.start(script(text));
  const { readers } = session.out.conversation;
  readers.claim('r', 0);
  await over(session);
  if (isRead) {
    await read(session.out, { maxChars: 2_000_000 });
    readers.commit('r', session.out.conversation.scrollback.end);
    session.out.readersChanged();
  }
  return session.id;
}

describe('another daemon of the same folder', () => {
  test('B1 · has its output, its end and its readers, and gives no id twice', async () => {
    const folder = await scratch();
    const first = await openTable(folder);
    await done(first, 'seq 1 30000; echo err >&2; exit 3');
    const gone = await done(first, 'echo gone');
    const was = textOf(first.get('s1')?.out);
    await first.delete(kept(first, gone));
    await first[Symbol.asyncDispose]();

    const second = await openTable(folder);
    const [session] = second.all;
    expect(second.all.map(({ id }) => id)).toEqual(['s1']);
    expect(session?.facts).toMatchObject({
      state: 'exited',
      exit: { code: 3, status: 3 },
      outputState: 'ended',
    });
    expect(session?.details).toMatchObject({ command: 'sh', startedBy: 'test', cwd: '/' });
    expect(was.endsWith('\n30000\nerr\n')).toBe(true);
    expect(textOf(session?.out).endsWith(was.slice(-60_000))).toBe(true);
    const start = await session?.out.archive?.view(0, 10_000);
    expect(start?.text(0, 8).text).toBe('1\n2\n3\n4\n');
    expect(session?.out.conversation.readers.committed('r')).toBe(session?.out.conversation.scrollback.end);
    const entries: string[] = [];
    for await (const entry of session?.out.archive?.entries({}) ?? [])
      if (entry.kind === 'life') entries.push(entry.text);
    expect(entries.slice(1)).toEqual(['exited: code 3', 'output ended']);
    expect((await second.start(request(['true']))).id).toBe('s3');
  });

  test('S12 · gives no id twice where the counter is gone, and shows what has no record', async () => {
    const folder = await scratch();
    const first = await openTable(folder);
    for (let count = 0; count < 3; count += 1) await done(first, 'echo x');
    await first[Symbol.asyncDispose]();
    writeFileSync(join(folder, 'sessions', 'next'), '');
    writeFileSync(join(folder, 'sessions', 's2', 'session.json'), '');
    const second = await openTable(folder);
    expect(second.get('s2')?.facts.state).toBe('lost');
    expect(textOf(second.get('s2')?.out)).toBe('x\n');
    expect((await second.start(request(['true']))).id).toBe('s4');
  });

  test('is not held up by a thousand of them', async () => {
    const folder = await scratch();
    const first = await openTable(folder);
    await done(first, 'echo x');
    await first[Symbol.asyncDispose]();
    const root = join(folder, 'sessions');
    const record = readFileSync(join(root, 's1', 'session.json'), 'utf8');
    for (let number = 2; number <= 999; number += 1) {
      mkdirSync(join(root, `s${number}`), { mode: 0o700 });
      writeFileSync(join(root, `s${number}`, 'session.json'), record.replace('"s1"', `"s${number}"`));
    }
    const second = await openTable(folder);
    expect(second.loadedSessions).toBe(0);
    expect(second.get('s500')?.facts.exit?.code).toBe(0);
    expect(second.all.map(({ id }) => id)).toEqual(
      Array.from({ length: 999 }, (_, index) => `s${index + 1}`),
    );
  });
});

test('I18 · what is asked of all sessions reads no output of those that are gone', async () => {
  const folder = await scratch();
  const first = await openTable(folder);
  const id = await done(first, 'seq 1 1000; echo err >&2', false);
  const session = kept(first, id);
  session.out.conversation.readers.claim('other', 0);
  session.out.conversation.readers.hand('other', 100);
  session.out.conversation.readers.commit('other', 100);
  session.out.readersChanged();
  const call = { session: { ...createSession('#1'), reader: 'other' } } as unknown as Call;
  const options = { hasArgs: false, hasProcesses: false };
  const was = toStatus(session, call, options);
  await first[Symbol.asyncDispose]();

  const second = await openTable(folder);
  const again = kept(second, id);
  const { end, oldest, unread, floor } = toStatus(again, call, options);
  expect({ end, oldest, unread, floor }).toEqual({
    end: was.end,
    oldest: 0,
    unread: was.end - 100,
    floor: was.floor,
  });
  again.changeKept((readers) => readers.rename('other', 'new'));
  expect(again.place('out', 'new')?.unread).toBe(was.end - 100);
  expect([again.inMemory, second.loadedSessions]).toEqual([[], 0]);
  expect(again.out.conversation.readers.cursor('new')).toBe(100);
  await second[Symbol.asyncDispose]();

  const third = await openTable(folder);
  expect(kept(third, id).place('out', 'new')?.unread).toBe(was.end - 100);
});

test.each([
  ['another id', { id: 's7' }],
  ['a time that is none', { exitedMs: 1e300 }],
  ['a terminal that nobody can have', { isPty: true, size: { rows: 1e9, columns: 1e9 } }],
])('I16 · a record of %s is not believed, and harms no other', async (_what, change) => {
  const folder = await scratch();
  const first = await openTable(folder);
  const id = await done(first, 'echo x');
  await first[Symbol.asyncDispose]();
  const path = join(folder, 'sessions', id, 'session.json');
  const record = JSON.parse(readFileSync(path, 'utf8')) as SessionRecord;
  writeFileSync(path, JSON.stringify({ ...record, ...change }));
  const second = await openTable(folder);
  const session = kept(second, id);
  expect([session.id, session.facts.session, session.facts.state]).toEqual([id, id, 'lost']);
  expect(session.details.startedAt).toMatch(/^\d{4}-/);
  expect(textOf(session.out)).toBe('x\n');
  await second.delete(session);
  expect(second.all).toEqual([]);
});

test('a daemon that ends stops its sessions, and says so', async () => {
  const folder = await scratch();
  const first = await openTable(folder);
  const session = await first.start(
    script('trap "echo bye; exit 7" TERM; echo ready; while :; do sleep 0.05; done'),
  );
  await read(session.out, { pattern: 'ready' }, 0);
  await first[Symbol.asyncDispose]();
  const second = await openTable(folder);
  const stopped = kept(second, session.id);
  expect(stopped.facts).toMatchObject({ state: 'exited', exit: { code: 7 } });
  expect(stopped.details.stopCause).toBe('shutdown');
  expect(textOf(stopped.out)).toMatch(/^ready\n.*bye\n$/s);
  expect(second.leftovers()).toEqual([]);
});

test('kill -9 of a daemon: its sessions are lost, their output is there, and what is alive of them is found and stopped', async () => {
  const folder = await scratch();
  const program = join(folder, 'daemon.mjs');
  const helper = fileURLToPath(new URL('./commandRequests.ts', import.meta.url));
  const contents = `
import { openPlain, request } from ${JSON.stringify(helper)};
const table = await openPlain(process.argv[2]);
const session = await table.start(request(['sh', '-c', process.argv[3]]));
setInterval(() => {
  if (session.out.archive.facts.syncedEnd >= 6) console.log('ready');
}, 20);
`;
  const stdin = { contents, resolveDir: import.meta.dirname, loader: 'ts' } as const;
  const banner = {
    js: "import { createRequire as __cr } from 'node:module';const require = __cr(import.meta.url);",
  };
  await build({
    stdin,
    banner,
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    outfile: program,
    logLevel: 'silent',
    external: ['@lydell/node-pty', '@xterm/headless', 'node-pty'],
  });
  const text = 'setsid sh -c "echo $$; exec sleep 1000" & sleep 1000 & echo ready; wait';
  const child = spawn(process.execPath, [program, folder, text], { stdio: ['ignore', 'pipe', 'inherit'] });
  onTestFinished(() => void child.kill('SIGKILL'));
  await once(child.stdout, 'data');
  child.kill('SIGKILL');
  await once(child, 'close');

  const table = await openTable(folder);
  const session = kept(table, 's1');
  expect(session.facts).toMatchObject({ state: 'lost', outputState: 'ended' });
  expect(textOf(session.out)).toContain('ready\n');
  expect((await read(session.out, {}, 0)).reason).toBe('dead');
  const names = table.leftovers().map(({ name, session: id }) => `${id} ${name}`);
  expect(names.sort()).toEqual(['s1 sh', 's1 sleep', 's1 sleep']);
  expect(await session.stop(2_000)).toEqual([]);
  expect(table.leftovers()).toEqual([]);
  await table.delete(session);
  expect(readdirSync(join(folder, 'sessions'))).toEqual(['next']);
});

describe('what is kept', () => {
  test('B10 · goes when it was read and its time is over, and not before', async () => {
    const folder = await scratch();
    const table = await openTable(folder, { keepMs: 30 });
    const unread = await done(table, 'echo x', false);
    const id = await done(table, 'echo x');
    expect(table.get(id)?.details.expiresAt).toBeDefined();
    await until('it is cleaned away', () => table.get(id) === undefined);
    await until('its files too', () => !readdirSync(join(folder, 'sessions')).includes(id));
    expect(table.get(unread)?.details.expiresAt).toBeUndefined();
    await table[Symbol.asyncDispose]();
  });

  test('I6 · stays within its quota: those that were read go first', async () => {
    const folder = await scratch();
    const table = await openTable(folder, { quotaBytes: 4_000_000 });
    const unread = await done(table, 'head -c 1500000 /dev/zero | tr "\\0" x', false);
    const isRead = await done(table, 'head -c 1500000 /dev/zero | tr "\\0" x');
    const third = await done(table, 'head -c 1500000 /dev/zero | tr "\\0" x', false);
    await until('one has gone', () => table.all.length === 2);
    expect(table.all.map(({ id }) => id)).toEqual([unread, third]);
    expect(isRead).toBe('s2');
  });

  test('I6 · takes memory for the newest only, and shows the same from its files', async () => {
    const folder = await scratch();
    const table = await openTable(folder);
    const session = await table.start(request(['echo', 'first']));
    session.out.conversation.readers.claim('r', 0);
    await over(session);
    for (let count = 0; count <= MAX_LOADED; count += 1) await done(table, 'echo x');
    await until('the oldest is unloaded', () => table.get(session.id) !== session);
    const found = kept(table, session.id);
    expect(table.loadedSessions).toBeLessThanOrEqual(MAX_LOADED);
    expect(textOf(found.out)).toBe('first\n');
    expect(found.out.epoch).toBe(session.out.epoch);
    expect(found.out.conversation.readers.cursor('r')).toBe(0);
    const outcome = await read(found.out);
    expect([outcome.reason, outcome.output]).toEqual(['dead', { start: 0, end: 6 }]);
  });

  test('without a journal is in memory, and nothing is written but the next id', async () => {
    const folder = await scratch();
    const table = await openTable(folder, { hasJournal: false });
    const id = await done(table, 'echo x');
    expect(textOf(table.get(id)?.out)).toBe('x\n');
    expect(readdirSync(join(folder, 'sessions'))).toEqual(['next']);
    await table.delete(kept(table, id));
    expect(table.all).toEqual([]);
  });
});

test('S10 · a clock that jumps cleans nothing of an earlier daemon away at once', async () => {
  const folder = await scratch();
  const first = await openTable(folder);
  const id = await done(first, 'echo x');
  await first[Symbol.asyncDispose]();
  const path = join(folder, 'sessions', id, 'session.json');
  const record = JSON.parse(readFileSync(path, 'utf8')) as SessionRecord;
  writeFileSync(path, JSON.stringify({ ...record, startedMs: 1, exitedMs: 2 }));
  const second = await openTable(folder);
  const expiresAt = Date.parse(second.get(id)?.details.expiresAt ?? '');
  expect(expiresAt).toBeGreaterThan(Date.now() + 300_000);
});
