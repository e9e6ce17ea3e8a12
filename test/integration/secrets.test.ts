/**
 * Secrets that people give past everybody else (I19): typed where nobody sees them, masked where they are seen all the same, and
 * found nowhere afterwards.
 */
import { randomBytes } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { inspect } from 'node:util';
import { startFakeline } from '@pidp10/fakeline';
import type { MethodInput, MethodResult } from '@pidp10/protocol/methods';
import type { DaemonClient } from '@pidp10/protocol/node/daemonClient';
import { describe, expect, test } from 'vitest';
import { startLoggedIn } from '../support/itsRig.ts';
import { LineRig } from '../support/lineRig.ts';
import { eventually } from '../support/processes.ts';
import { RawClient } from '../support/rawClient.ts';
import { BIN, type Sandbox } from '../support/sandbox.ts';
import { nameOfError, PATIENCE_MS, SessionRig } from './sessionRig.ts';

const IS_SOAK = process.env['PIDP10_SOAK'] === '1';
const CANARIES = IS_SOAK ? 10_000 : 40;
const SECRET = 'Xyzzy-plugh-42';
const STARS = '*'.repeat(SECRET.length);

type Asked = MethodResult<'secret.request'>;
type Ending = MethodResult<'secret.wait'>;

/** Programs that ask, and what they do with the answer. */
const ASKS = {
  silently: 'stty -echo; printf "Password: "; read x; stty echo; echo; echo "len ${#x}"',
  aloud: 'printf "Password: "; read x; echo "it was $x"',
  coloured: `printf "Password: "; read x; printf '%s' "$x" | sed 's/./&\\x1b[1;32m/g'; echo`,
  split: `printf "Password: "; read x; for i in $(printf '%s' "$x" | fold -w 3); do printf '%s' "$i"; sleep 0.05; done; echo`,
  wrapped: `printf "Password: "; read x; printf '%s' "$x" | fold -w 7; echo`,
  unasked: 'read x; echo "it was $x"; read y',
} as const;

async function ask(client: DaemonClient, input: Partial<MethodInput<'secret.request'>>): Promise<Asked> {
  return await client.request('secret.request', { message: 'the password of rms', ...input });
}

function give(asked: Asked, value: string, headers: Record<string, string> = {}): Promise<Response> {
  return fetch(asked.url, {
    method: 'POST',
    headers: { origin: new URL(asked.url).origin, ...headers },
    body: new URLSearchParams({ secret: value }),
  });
}

async function ended(client: DaemonClient, { secret }: Asked): Promise<Ending> {
  return await client.request('secret.wait', { secret, returnAfterMs: PATIENCE_MS });
}

/** All that the session's stream kept. */
async function everything(client: DaemonClient, session: string): Promise<string> {
  const { output } = await client.request('session.read', {
    session,
    from: 0,
    timeoutMs: 0,
    tidy: false,
    stripAnsi: false,
  });
  return output.text;
}

describe('a secret for a command', () => {
  test('C01 · C02 · is typed while echo is off, from the page; who asked gets the outcome and not the secret', async () => {
    await using rig = await SessionRig.start();
    const session = await rig.run(['sh', '-c', ASKS.silently], { pty: true });
    await rig.until(session, 'Password: ');
    const asked = await ask(rig.client, { session });
    const page = await (await fetch(asked.url)).text();
    expect(page).toContain('<dd>test</dd>');
    expect(page).toContain('the password of rms');
    expect(page).toContain('<code>Password: </code>');
    expect((await give(asked, SECRET)).status).toBe(200);
    const ending = await ended(rig.client, asked);
    expect(ending).toMatchObject({ state: 'sent', outcome: { session } });
    expect(ending.outcome?.output.text).toContain(`len ${SECRET.length}`);
    expect(ending.masked).toBeUndefined();
    expect(JSON.stringify(ending)).not.toContain(SECRET);
    await expect(give(asked, SECRET)).rejects.toThrow('fetch failed');
  });

  test.each([
    ['whole', 'aloud'],
    ['coloured', 'coloured'],
    ['in pieces', 'split'],
    ['over several lines', 'wrapped'],
  ] as const)(
    'C01 · echoed all the same, %s, it is masked everywhere and its asker told',
    async (_how, how) => {
      await using rig = await SessionRig.start();
      const told: unknown[] = [];
      const watcher = await rig.sandbox.connect({
        access: 'read',
        onNotification: (...news) => told.push(news),
      });
      const session = await rig.run(['sh', '-c', `${ASKS[how]}; read y`], { pty: true });
      for (const form of ['text', 'bytes'] as const)
        await watcher.request('session.watch', { session, form });
      await rig.until(session, 'Password: ');
      const asked = await ask(rig.client, { session });
      await give(asked, SECRET);
      const ending = await ended(rig.client, asked);
      expect(ending.state).toBe('sent');
      expect(ending.masked).toBeGreaterThanOrEqual(2 * SECRET.length);
      expect(ending.hint).toContain('echoed all the same');
      const screen = await rig.client.request('session.screen', { session });
      const seen = [ending, told, screen.rows.join(''), await everything(rig.client, session)];
      expect(undressed(JSON.stringify(seen))).not.toContain(SECRET);
      expect(undressed(everythingBelow(rig.sandbox))).not.toContain(SECRET);
      expect(JSON.stringify(screen.rows)).toContain(STARS.slice(0, 7));
      await rig.client.request('session.stop', { session, graceMs: 0 });
      await watcher.close();
    },
  );

  test('C01 · on pipes it is masked on stderr, too', async () => {
    await using rig = await SessionRig.start();
    const session = await rig.run(['sh', '-c', 'read x; echo "wrong: $x" >&2'], { splitStderr: true });
    const asked = await ask(rig.client, { session });
    await give(asked, SECRET);
    expect((await ended(rig.client, asked)).state).toBe('sent');
    expect(await rig.all(session, 'err')).toBe(`wrong: ${STARS}\n`);
  });

  test('C01 · is refused while it would be shown and nobody asks for it; nothing is sent', async () => {
    await using rig = await SessionRig.start();
    const session = await rig.run(['sh', '-c', ASKS.unasked], { pty: true });
    const asked = await ask(rig.client, { session });
    const answer = await give(asked, SECRET);
    expect(answer.status).toBe(409);
    expect(await answer.text()).toContain('would be shown');
    const ending = await ended(rig.client, asked);
    expect(ending.state).toBe('refused');
    expect(ending.why).toContain('Nothing was sent');
    expect(await everything(rig.client, session)).toBe('');
    await rig.client.request('session.stop', { session, graceMs: 0 });
  });

  test('the prompt that is awaited must stand as the last words', async () => {
    await using rig = await SessionRig.start();
    const script = 'printf "PIN> "; read x; echo; echo ok; read y';
    const session = await rig.run(['sh', '-c', script], { pty: true });
    await rig.until(session, 'PIN> ');
    const wrong = await ask(rig.client, { session, expect: 'Key> ' });
    await give(wrong, SECRET);
    expect((await ended(rig.client, wrong)).state).toBe('refused');
    const right = await ask(rig.client, { session, expect: 'PIN> $' });
    await give(right, SECRET);
    expect((await ended(rig.client, right)).state).toBe('sent');
    await rig.client.request('session.stop', { session, graceMs: 0 });
  });

  test('I6 · nobody gives it: it expires, or is cancelled, or its asker leaves; then the page is gone', async () => {
    await using rig = await SessionRig.start();
    const session = await rig.run(['cat']);
    const late = await ask(rig.client, { session, timeoutMs: 1_000 });
    expect(await ended(rig.client, late)).toMatchObject({ state: 'expired' });
    await expect(give(late, SECRET)).rejects.toThrow('fetch failed');
    const given = rig.client.request('secret.give', { secret: late.secret, value: SECRET });
    expect(await nameOfError(given)).toBe('secret_over');
    const unwanted = await ask(rig.client, { session });
    expect(
      await rig.client.request('secret.wait', { secret: unwanted.secret, returnAfterMs: 1 }),
    ).toMatchObject({
      state: 'pending',
    });
    await rig.client.request('secret.cancel', { secret: unwanted.secret });
    expect(await ended(rig.client, unwanted)).toMatchObject({ state: 'cancelled' });
    const other = await rig.sandbox.connect();
    await ask(other, { session });
    await other.close();
    await eventually(
      'it is cancelled',
      async () => (await rig.client.request('secret.list', {})).secrets.length === 0,
    );
    await rig.client.request('session.stop', { session, graceMs: 0 });
  });

  test('I6 · eight are asked for at a time, and others learn nothing of what became of them', async () => {
    await using rig = await SessionRig.start();
    const session = await rig.run(['cat']);
    for (let count = 0; count < 8; count += 1) await ask(rig.client, { session });
    expect(await nameOfError(ask(rig.client, { session }))).toBe('too_many_secrets');
    const spy = await rig.sandbox.connect({ access: 'read' });
    const { secrets } = await spy.request('secret.list', {});
    expect(secrets).toHaveLength(8);
    const [first] = secrets;
    expect(first).toMatchObject({ client: 'test', session, message: 'the password of rms', lastLine: '' });
    expect(JSON.stringify(secrets)).not.toContain('http');
    const secret = first?.secret ?? '';
    expect(await nameOfError(spy.request('secret.give', { secret, value: SECRET }))).toBe('read_only');
    const other = await rig.sandbox.connect();
    expect(await nameOfError(other.request('secret.wait', { secret }))).toBe('secret_unknown');
    await Promise.all([spy.close(), other.close()]);
    await rig.client.request('session.stop', { session, graceMs: 0 });
  });

  test('C02 · pidp10ctl reads it from a terminal without echo, and leaves that as it was', async () => {
    await using rig = await SessionRig.start();
    const session = await rig.run(['sh', '-c', ASKS.silently], { pty: true });
    await rig.until(session, 'Password: ');
    const asked = await ask(rig.client, { session });
    const ctl = `${process.execPath} ${BIN.ctl} secret`;
    const { env } = rig.sandbox;
    const script = `stty -a >before; ${ctl}; ${ctl} ${asked.secret} </dev/null; echo "code $?"; stty -a >after; cmp before after && echo same`;
    const person = await rig.run(['sh', '-c', script], { pty: true, cwd: rig.sandbox.folder, env });
    const shown = await rig.until(person, 'none\\): ');
    expect(shown.output.text).toContain('asked by    test');
    expect(shown.output.text).toContain('they say    the password of rms');
    // With a slip that is corrected, and a start that is thrown away.
    await rig.client.request('session.send', {
      session: person,
      input: `no\u0015${SECRET}x\u007f`,
      timeoutMs: 0,
    });
    expect(await rig.all(person)).toMatch(/it was typed\n(?:.*\n)*code 0\nsame\n$/);
    const ending = await ended(rig.client, asked);
    expect(ending.outcome?.output.text).toContain(`len ${SECRET.length}`);
    expect(await everything(rig.client, person)).not.toContain('plugh');
  });
});

describe('a secret for the line', () => {
  test('C04 · I19 · PWORD gets it; the record has its length, and nobody else has more', async () => {
    await using line = await startFakeline();
    await using rig = await startLoggedIn(line, { args: ['--log-level', 'trace'] });
    const told: unknown[] = [];
    const watcher = await rig.sandbox.connect({
      access: 'read',
      onNotification: (...news) => told.push(news),
    });
    await watcher.request('line.watch', { form: 'bytes' });
    await rig.send(':pword', { expect: 'Password: $' });
    const asked = await ask(rig.client, {});
    const from = line.receivedBytes().length;
    await give(asked, SECRET);
    const ending = await ended(rig.client, asked);
    expect(ending).toMatchObject({ state: 'sent', outcome: { sent: SECRET.length + 1 } });
    expect(ending.outcome?.output.text).toContain('OK');
    expect(line.receivedBytes().subarray(from).toString('latin1')).toBe(`${SECRET}\r`);
    const { entries } = await rig.client.request('line.history', { outputChars: 1_000 });
    expect(entries.filter(({ input }) => input?.masked === true).map(({ input }) => input?.bytes)).toEqual([
      SECRET.length + 1,
    ]);
    const status = await rig.client.request('line.status', {});
    const all =
      JSON.stringify([told, entries, status, ending]) + rig.daemon.stderr + everythingBelow(rig.sandbox);
    expect(all).not.toContain('plugh');
    await watcher.close();
  });

  test('C01 · DDT, which shows what is typed, does not get it', async () => {
    await using line = await startFakeline();
    await using rig = await startLoggedIn(line);
    await rig.send(':pword', { expect: 'Password: $' });
    await rig.send('first', { timeoutMs: 5_000 });
    const asked = await ask(rig.client, {});
    const from = line.receivedBytes().length;
    expect((await give(asked, SECRET)).status).toBe(409);
    expect((await ended(rig.client, asked)).state).toBe('refused');
    expect(line.receivedBytes().length).toBe(from);
  });

  test('what the line cannot carry is asked for again; a closed line is not asked for', async () => {
    await using line = await startFakeline();
    await using rig = await startLoggedIn(line);
    const asked = await ask(rig.client, {});
    const answer = await give(asked, 'plügh');
    expect(answer.status).toBe(400);
    expect(await answer.text()).toContain('plain ASCII');
    await rig.client.request('secret.cancel', { secret: asked.secret });
    await rig.client.request('line.close', {});
    expect(await nameOfError(ask(rig.client, {}))).toBe('line_not_open');
  });

  test('C01 · I19 · an echo is masked over an upgrade of the daemon', async () => {
    await using far = await startFakeline();
    await using rig = await LineRig.start({ port: far.port });
    await rig.open();
    far.send('Password: ');
    await rig.client.request('line.read', { expect: 'Password: ', timeoutMs: PATIENCE_MS });
    const asked = await ask(rig.client, {});
    await give(asked, SECRET);
    await ended(rig.client, asked);
    const { pid } = await rig.client.request('daemon.upgrade', {});
    rig.sandbox.adopt(pid);
    const client = await rig.sandbox.connect();
    far.send(`\r\nno such user: ${SECRET}\r\n`);
    const peek = async () => (await client.request('line.peek', { chars: 1_000 })).output.text;
    await eventually('the echo is there', async () => (await peek()).includes('no such user: '));
    await eventually('all of it', async () => /user: .{14}/.test(await peek()));
    expect(await peek()).toContain(`no such user: ${STARS}`);
    await client.close();
  });
});

describe('canaries', () => {
  test(`C03 · ${CANARIES} of them through every path, with errors forced: none is found anywhere`, async () => {
    await using rig = await SessionRig.start(['--log-level', 'trace']);
    const { client, sandbox } = rig;
    const told: string[] = [];
    const canaries: string[] = [];
    const results: string[] = [];
    const watcher = await sandbox.connect({
      access: 'read',
      onNotification: (...news) => void told.push(JSON.stringify(news)),
    });
    const note = async (work: Promise<unknown>): Promise<void> => {
      const found = await work.then(
        (value) => (value instanceof Response ? value.text() : JSON.stringify(value)),
        (error: unknown) => `${String(error)} ${JSON.stringify(error)} ${inspect((error as Error).cause)}`,
      );
      results.push(found);
    };
    const path = async (index: number): Promise<void> => {
      const canary = `Cnry${randomBytes(9).toString('hex')}`;
      canaries.push(canary);
      const kinds = Object.values(ASKS);
      const isPty = index % 3 !== 0;
      const session = await rig.run(['sh', '-c', kinds[index % kinds.length] ?? 'cat'], { pty: isPty });
      await watcher.request('session.watch', { session, form: index % 2 === 0 ? 'text' : 'bytes' });
      const asked = await ask(client, { session });
      if (index % kinds.length < 5) await rig.until(session, 'Password: ');
      if (index % 7 === 1) await client.request('session.stop', { session, graceMs: 0 });
      if (index % 7 === 2) await client.request('secret.cancel', { secret: asked.secret });
      if (index % 7 === 3) await note(give(asked, canary, { origin: 'http://evil.example' }));
      if (index % 7 === 4) {
        const secret = asked.secret;
        await note(client.request('secret.give', { secret, value: `${canary}\n` }));
        await note(client.request('secret.give', { secret: `${canary}!`, value: canary }));
        await note(client.request('secret.give', { secret, value: [canary] as unknown as string }));
        using raw = await RawClient.connect(sandbox.socket());
        raw.write(`{"jsonrpc":"2.0","id":1,"method":"secret.give","params":{"value":"${canary}"\n`);
        await note(raw.next());
      }
      await note(
        index % 2 === 0
          ? give(asked, canary)
          : client.request('secret.give', { secret: asked.secret, value: canary }),
      );
      await note(client.request('secret.wait', { secret: asked.secret, returnAfterMs: PATIENCE_MS }));
      await note(client.request('session.status', { session, args: true }));
      await note(client.request('session.history', { session, outputChars: 1_000 }));
      await note(everything(client, session));
      if (isPty) await note(client.request('session.screen', { session }));
      results.push(procOf(rig.daemon.pid));
      await client.request('session.delete', { session, stop: true });
    };
    for (let index = 0; index < CANARIES; index += 4) {
      await Promise.all([0, 1, 2, 3].map((more) => path(index + more)));
      if (index % 400 !== 0 && index + 4 < CANARIES) continue;
      const found = undressed([told, results, rig.daemon.stderr, everythingBelow(sandbox)].flat().join('\n'));
      for (const canary of canaries.splice(0)) expect(found).not.toContain(canary);
      told.length = 0;
      results.length = 0;
    }
    await watcher.close();
  });
});

/** Text without what colours and wraps it; escapes of JSON stand for themselves. */
function undressed(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: escape sequences are what this is about
  // oxlint-disable-next-line no-control-regex -- escape sequences are what this is about
  return text.replace(/(?:\x1b|\\u001b)\[[0-9;]*m|\\r|\\n|[\r\n]/g, '');
}

/** Every file below the sandbox, journals and index included. */
function everythingBelow(sandbox: Sandbox): string {
  const files = readdirSync(sandbox.folder, { recursive: true, withFileTypes: true });
  return files
    .filter((file) => file.isFile())
    .map((file) => readFileSync(join(file.parentPath, file.name), 'latin1'))
    .join('\n');
}

function procOf(pid: number): string {
  return ['cmdline', 'environ'].map((name) => readFileSync(`/proc/${pid}/${name}`, 'latin1')).join('\n');
}
