/** The demonstration is the first thing that anybody runs: it works, it fails clearly, and it leaves nothing behind. */
import { mkdir, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { Sandbox } from '../support/sandbox.ts';

const DEMO = fileURLToPath(new URL('../../scripts/demo.mjs', import.meta.url));

async function runDemo(sandbox: Sandbox, env: Readonly<Record<string, string>> = {}) {
  const TMPDIR = join(sandbox.folder, 't');
  await mkdir(TMPDIR);
  const program = sandbox.run(DEMO, { env: { TMPDIR, ...env } });
  const { code } = await program.exited;
  return { code, stdout: program.stdout, stderr: program.stderr, left: await readdir(TMPDIR) };
}

describe('the demonstration', () => {
  test('M17: shows a session in which the bridge is killed and the next one goes on; leaves nothing', async () => {
    await using sandbox = await Sandbox.create();
    const { code, stdout, stderr, left } = await runDemo(sandbox);
    expect({ code, stderr, left }).toEqual({ code: 0, stderr: '', left: [] });
    expect(stdout).toMatch(/> open\(\)[^]*Connected to the KA-10[^]*> send\(input: "~z"\)[^]*Happy hacking!/);
    expect(stdout).toMatch(/killed pid (\d+)[^]*> read\(\)[^]*The time is/);
    expect(stdout).toMatch(/\$ pidp10ctl status[^]*claude mcp add pidp10 -- node /);
    const [pid] = /(?<=pidp10d, pid )\d+/.exec(stdout) ?? [];
    expect(() => process.kill(Number(pid), 0)).toThrow('ESRCH');
  });

  test('says what failed, exits 1, and leaves nothing', async () => {
    await using sandbox = await Sandbox.create();
    const { code, stderr, left } = await runDemo(sandbox, { PIDP10_HOST: '127.0.0.1', PIDP10_PORT: '1' });
    expect({ code, left }).toEqual({ code: 1, left: [] });
    expect(stderr).toMatch(/demo: failed: .*connect_refused/);
  });
});
