/** `pidp10ctl doctor` and `bugreport` against a real daemon and a fake line. */
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { chmodSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { startFakeline } from '@pidp10/fakeline';
import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import { LineRig } from '../support/lineRig.ts';
import { BIN, Sandbox } from '../support/sandbox.ts';

const resultSchema = z.object({
  checks: z.array(
    z.object({
      id: z.string(),
      verdict: z.enum(['ok', 'warn', 'fail']),
      text: z.string(),
      remedy: z.string().optional(),
    }),
  ),
  notes: z.array(z.string()),
});

type Result = z.infer<typeof resultSchema> & { readonly code: number | null };

async function doctor(sandbox: Sandbox, args: readonly string[]): Promise<Result> {
  const program = sandbox.run(BIN.ctl, {
    args: ['doctor', '--json', '--pidp10-dir', sandbox.folder, ...args],
  });
  const { code } = await program.exited;
  return { ...resultSchema.parse(JSON.parse(program.stdout)), code };
}

const of = ({ checks }: Result, id: string) => checks.find((check) => check.id === id);
const at = (port: number) => ['--host', '127.0.0.1', '--port', String(port)];

describe('doctor and the journal', () => {
  test('S06 · ENOTDIR: the path that keeps output from being kept is named, with and without a daemon', async () => {
    await using line = await startFakeline();
    await using sandbox = await Sandbox.create();
    const path = join(sandbox.stateDir, 'journal');
    await mkdir(sandbox.stateDir, { mode: 0o700 });
    await writeFile(path, 'not a folder', { mode: 0o600 });
    const named = { verdict: 'fail', text: `${path} is no folder but a file` };
    expect(of(await doctor(sandbox, at(line.port)), 'journal-folder')).toMatchObject(named);
    await sandbox.daemon();
    const result = await doctor(sandbox, at(line.port));
    expect(of(result, 'journal-folder')).toMatchObject(named);
    expect(of(result, 'journal')).toMatchObject({ verdict: 'warn' });
    expect(result.code).not.toBe(0);
  });
});

describe('doctor and the line', () => {
  test('I1: without --connect nothing is opened', async () => {
    await using line = await startFakeline();
    await using sandbox = await Sandbox.create();
    const result = await doctor(sandbox, at(line.port));
    expect(of(result, 'connect')).toBeUndefined();
    expect(of(result, 'port')?.verdict).toBe('ok');
    expect(of(result, 'listener')).toMatchObject({ verdict: 'ok' });
    expect(line.connectionCount).toBe(0);
  });

  test('L20: --connect reads the greeting, types nothing and resets', async () => {
    await using line = await startFakeline();
    await using sandbox = await Sandbox.create();
    const result = await doctor(sandbox, [...at(line.port), '--connect']);
    expect(of(result, 'connect')).toMatchObject({ verdict: 'ok', text: expect.stringContaining('(telnet)') });
    await line.waitFor((events) => events.some(({ kind }) => kind === 'closed'), { what: 'the end' });
    expect(line.events.find(({ kind }) => kind === 'closed')?.how).toBe('reset');
    expect(line.receivedBytes()).toHaveLength(0);
    expect(line.connectionCount).toBe(1);
  });

  test("I1: --connect never makes a second connection to the daemon's open line", async () => {
    await using line = await startFakeline();
    await using rig = await LineRig.start({ port: line.port });
    await rig.open();
    const result = await doctor(rig.sandbox, ['--connect']);
    expect(of(result, 'connect')).toMatchObject({
      verdict: 'warn',
      text: "not tried: the daemon's line is open",
    });
    expect(of(result, 'port')).toMatchObject({
      verdict: 'ok',
      text: expect.stringContaining('held by the daemon'),
    });
    expect(of(result, 'line')?.verdict).toBe('ok');
    expect(of(result, 'socket')).toMatchObject({ verdict: 'ok', text: expect.stringContaining('mode 600') });
    expect(result.checks.filter(({ verdict }) => verdict === 'fail')).toEqual([]);
    expect(result.code).toBe(0);
    expect(line.connectionCount).toBe(1);
  });

  test('L23: somebody else on this machine is named, and not disturbed', async () => {
    await using line = await startFakeline();
    await using sandbox = await Sandbox.create();
    const holder = connect(line.port, '127.0.0.1');
    await once(holder, 'data');
    const result = await doctor(sandbox, [...at(line.port), '--connect']);
    expect(of(result, 'port')).toMatchObject({
      verdict: 'warn',
      text: expect.stringContaining(`pid ${process.pid} `),
    });
    expect(of(result, 'connect')?.text).toContain('not tried');
    expect(line.connectionCount).toBe(1);
    holder.resetAndDestroy();
  });

  test('a simulator that does not run is a failure, with exit code 1', async () => {
    const line = await startFakeline();
    const { port } = line;
    await line[Symbol.asyncDispose]();
    await using sandbox = await Sandbox.create();
    const result = await doctor(sandbox, [...at(port), '--connect']);
    expect(of(result, 'listener')?.verdict).toBe('fail');
    expect(of(result, 'connect')).toMatchObject({
      verdict: 'fail',
      text: expect.stringContaining('ECONNREFUSED'),
    });
    expect(result.code).toBe(1);
  });

  test('the start file of the simulator tells what the port is', async () => {
    await using line = await startFakeline();
    await using sandbox = await Sandbox.create();
    await mkdir(join(sandbox.folder, 'systems', 'its'), { recursive: true });
    const path = join(sandbox.folder, 'systems', 'its', 'boot.pidp');
    await writeFile(path, `at -u mty line=7,${line.port};notelnet speed=50000\n`);
    expect(of(await doctor(sandbox, at(line.port)), 'simh')).toMatchObject({
      verdict: 'warn',
      text: `${path}: port ${line.port} is line 7 of the MTY, notelnet: it greets with nothing`,
    });
  });
});

describe('doctor and the machine', () => {
  test('S09: a state folder that others can write to is a failure', async () => {
    await using sandbox = await Sandbox.create();
    await mkdir(sandbox.stateDir);
    chmodSync(sandbox.stateDir, 0o777);
    const result = await doctor(sandbox, []);
    expect(of(result, 'state-mode')).toMatchObject({
      verdict: 'fail',
      remedy: `chmod 700 ${sandbox.stateDir}`,
    });
    expect(result.code).toBe(1);
  });

  test('U06: a unit whose node is gone is found, and written again by --repair', async () => {
    await using sandbox = await Sandbox.create();
    const install = sandbox.run(BIN.ctl, { args: ['service', 'install', '--port', '10017'] });
    expect((await install.exited).code).toBe(0);
    const unit = join(sandbox.folder, 'xdg-config', 'systemd', 'user', 'pidp10d.service');
    const record = join(sandbox.folder, '.local', 'share', 'pidp10d', 'installed.json');
    // As an installation of before left it: another Node's path, and its checksum in the record.
    const sha = (text: string) => createHash('sha256').update(text).digest('hex');
    const now = readFileSync(unit, 'utf8');
    const old = now.replace(/^ExecStart=\S+/m, 'ExecStart=/gone/node');
    writeFileSync(unit, old);
    writeFileSync(record, readFileSync(record, 'utf8').replace(sha(now), sha(old)));
    const found = await doctor(sandbox, []);
    expect(of(found, 'unit')).toMatchObject({ verdict: 'fail', text: expect.stringContaining('/gone/node') });
    expect(readFileSync(unit, 'utf8')).toBe(old);
    const repaired = await doctor(sandbox, ['--repair']);
    expect(of(repaired, 'unit')?.verdict).toBe('ok');
    expect(repaired.notes).toContain(`wrote ${unit}`);
    expect(readFileSync(unit, 'utf8')).toBe(now);
  });
});

describe('bugreport', () => {
  test('C03: its owner alone can read it, it holds no secret and nothing of the line', async () => {
    await using line = await startFakeline();
    await using rig = await LineRig.start({ port: line.port });
    await rig.open({ login: 'rms' });
    await writeFile(join(rig.sandbox.stateDir, 'config.json'), '{"web": {"token": "canary-1"}, "port": 1}');
    await writeFile(join(rig.sandbox.stateDir, 'line.log'), '{"msg":"x","token":"canary-2"}\n');
    const file = join(rig.sandbox.folder, 'report.json');
    const run = (...args: string[]) =>
      rig.sandbox.run(BIN.ctl, { args: ['bugreport', ...args], env: { PIDP10_API_TOKEN: 'canary-3' } });
    const program = run('-o', file);
    expect((await program.exited).code).toBe(0);
    expect(program.stdout).toBe(`${file}\n`);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    const text = readFileSync(file, 'utf8');
    expect(text).not.toContain('canary');
    expect(text).not.toContain('Connected to the');
    expect(JSON.parse(text)).toMatchObject({
      config: { web: { token: '***' }, port: 1 },
      daemon: { pid: rig.daemon.pid },
      log: ['{"msg":"x","token":"***"}'],
      checks: expect.arrayContaining([expect.objectContaining({ id: 'node' })]),
    });
    // It stays as it is, whoever asks again.
    expect((await run('-o', file).exited).code).toBe(1);
    expect(readFileSync(file, 'utf8')).toBe(text);
    const full = join(rig.sandbox.folder, 'full.json');
    await run('-o', full, '--with-scrollback').exited;
    expect(readFileSync(full, 'utf8')).toContain('Connected to the');
  });

  test('works without a daemon, and its file has a name of its own', async () => {
    await using sandbox = await Sandbox.create();
    const program = sandbox.run(BIN.ctl, { args: ['bugreport'] });
    expect((await program.exited).code).toBe(0);
    expect(
      readdirSync(sandbox.folder).filter((name) => /^pidp10-bugreport-[\dTZ-]+\.json$/.test(name)),
    ).toHaveLength(1);
  });
});
