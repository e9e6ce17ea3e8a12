/**
 * The demonstration (`pnpm start`): a fake line, a daemon and a bridge as real processes in a private folder, driven by a
 * real MCP client through a typical session. The bridge is killed in the middle; the next one goes on where it was.
 * With PIDP10_HOST (and PIDP10_PORT) the line is that emulator's. `--stay` leaves daemon and fake line running.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { DaemonClient } from '@pidp10/protocol/node/daemonClient';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const BIN = {
  fakeline: join(ROOT, 'packages/fakeline/bin/fakeline.js'),
  daemon: join(ROOT, 'packages/daemon/bin/pidp10d.js'),
  ctl: join(ROOT, 'packages/daemon/bin/pidp10ctl.js'),
  bridge: join(ROOT, 'packages/mcp-bridge/bin/pidp10-mcp.js'),
};
const DEFAULT_PORT = '10018';
/** Time for a program to start, in ms. */
const START_PATIENCE_MS = 10_000;
/** Time for everything, in ms; a real emulator with pages to turn takes a minute at most. */
const TOTAL_PATIENCE_MS = 180_000;
/** Time for a program to end after SIGTERM, in ms, before SIGKILL. */
const END_PATIENCE_MS = 3_000;

const args = process.argv.slice(2).filter((arg) => arg !== '--');
const mayStay = args.includes('--stay');
const unknown = args.find((arg) => arg !== '--stay');
if (unknown !== undefined) {
  console.error(`demo: unknown argument ${unknown}; there is --stay`);
  process.exit(2);
}

/** What is to be ended, the newest first: `[name, end]`. */
const running = [];
/** Closing a line logs nobody out, and an emulator is somebody's. */
let mustLogOut = false;
const folder = mkdtempSync(join(tmpdir(), 'pidp10-demo-'));
const socket = join(folder, 'line.sock');
const env = {
  PATH: process.env.PATH ?? '',
  HOME: folder,
  PIDP10D_SOCKET: socket,
  PIDP10_STATE_DIR: folder,
};

const interrupted = new Promise((_, reject) => {
  for (const signal of ['SIGINT', 'SIGTERM'])
    process.once(signal, () => reject(new Error(`${signal} received`)));
});
const tooLate = sleep(TOTAL_PATIENCE_MS, undefined, { ref: false }).then(() => {
  throw new Error(`not done after ${TOTAL_PATIENCE_MS / 1000} s`);
});

try {
  await Promise.race([demonstrate(), interrupted, tooLate]);
  process.exitCode = 0;
} catch (error) {
  console.error(`\ndemo: failed: ${error instanceof Error ? error.message : String(error)}`);
  process.exitCode = 1;
}
const stays = mayStay && process.exitCode === 0;
if (!stays) await cleanUp();
// A client's leftover handle must not keep a finished demonstration alive.
process.exit();

async function demonstrate() {
  const line = await startLine();
  title(`A daemon holds ${line.name} at ${line.host}:${line.port}`);
  const daemon = await startProgram('pidp10d', BIN.daemon, {
    args: ['--host', line.host, '--port', line.port],
    ready: /"msg":"serving"/,
  });
  say(`pidp10d, pid ${daemon.pid}, socket ${socket}`);

  title('An agent reaches it through a bridge (an MCP server on stdio)');
  const first = await startBridge();
  await call(first, 'open', {});
  const banner = await call(first, 'send', { input: '~z' });
  // ^Z to a DDT that is there already is answered with two question marks and no banner.
  if (line.isReal && /^\s*(\^Z)?\?\?/.test(banner)) {
    throw new Error('the line holds an earlier session, perhaps with somebody logged in; it was left alone');
  }
  mustLogOut = line.isReal;
  await call(first, 'send', { input: `:login ${process.env.PIDP10_USER || 'rms'}` });
  await call(first, 'send', { input: `:listf ${process.env.PIDP10_LISTF_DIR || 'sys'}` });

  title('The bridge is killed while a command runs');
  await loseAnswer(first);

  title('A new bridge of the same agent goes on where the old one was');
  const second = await startBridge();
  await call(second, 'read', {});
  await call(second, 'send', { input: 'foo~ej' });
  await call(second, 'peek', { last_n_chars: 80 });
  await call(second, 'status', {});
  if (line.isReal) await call(second, 'send', { input: ':logout' });
  mustLogOut = false;
  await end(second);

  title('People use the same line from the shell');
  await ctl(['status']);
  if (mayStay) {
    explainStay(line, daemon);
  } else {
    await ctl(['shutdown']);
  }
  explainReal();
}

/** The emulator that was named, or a fake line. */
async function startLine() {
  const { PIDP10_HOST: host, PIDP10_PORT: port } = process.env;
  if (host) return { isReal: true, name: 'the line of an emulator', host, port: port || DEFAULT_PORT };
  const { pid, log } = await startProgram('fakeline', BIN.fakeline, {
    args: ['--port', '0'],
    ready: /line 9 on .+:\d+\n/,
  });
  const [, address, free] = /on (.+):(\d+)/.exec(readFileSync(log, 'utf8')) ?? [];
  return { isReal: false, name: 'a fake line', host: address, port: free, pid };
}

/** Starts a program of its own, which writes to a file: nothing ties it to us if it is to stay. */
async function startProgram(name, script, { args: given, ready }) {
  const log = join(folder, `${name}.out`);
  const fd = openSync(log, 'a', 0o600);
  const child = spawn(process.execPath, [script, ...given], {
    cwd: folder,
    env,
    detached: true,
    stdio: ['ignore', fd, fd],
  });
  closeSync(fd);
  running.unshift([name, () => endProcess(child)]);
  const text = () => readFileSync(log, 'utf8');
  for (let waitedMs = 0; !ready.test(text()); waitedMs += 20) {
    if (child.exitCode !== null || child.signalCode !== null || waitedMs > START_PATIENCE_MS) {
      throw new Error(`${name} did not start: ${text().trim() || 'it said nothing'}`);
    }
    await sleep(20);
  }
  return { pid: child.pid, log };
}

async function startBridge() {
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [BIN.bridge],
    env,
    cwd: folder,
    stderr: 'inherit',
  });
  const client = new Client({ name: 'demo', version: '1' });
  await client.connect(transport);
  const bridge = { client, pid: transport.pid };
  running.unshift(['bridge', () => client.close()]);
  say(`pidp10-mcp, pid ${bridge.pid}`);
  return bridge;
}

async function call({ client }, name, given) {
  const shown = Object.entries(given).map(([key, value]) => `${key}: ${JSON.stringify(value)}`);
  console.log(`\n  > ${name}(${shown.join(', ')})`);
  const { content, isError } = await client.callTool({ name, arguments: given });
  const text = content.map((block) => block.text ?? '').join('\n');
  quote(text);
  if (isError === true) throw new Error(`${name} answered with an error: ${text}`);
  return text;
}

/** Sends a command, waits until the daemon has its output, and kills the bridge before it could deliver it. */
async function loseAnswer({ client, pid }) {
  const watcher = await DaemonClient.connect({ socket, client: { name: 'demo watcher', version: '1' } });
  const heard = watcher.request('line.read', { timeoutMs: 10_000, quietMs: 500 });
  console.log('\n  > send(input: ":time", expect: "what never comes")');
  const given = { input: ':time', expect: 'what never comes', timeout_ms: 60_000 };
  const answer = client.callTool({ name: 'send', arguments: given }).then(
    () => 'answered',
    () => 'lost',
  );
  await heard;
  await watcher.close();
  process.kill(pid, 'SIGKILL');
  if ((await answer) !== 'lost') throw new Error('the killed bridge has answered');
  say(`killed pid ${pid}: no answer came; the output is with the daemon`);
}

/** Runs pidp10ctl and shows what it prints. */
async function ctl(given) {
  console.log(`\n  $ pidp10ctl ${given.join(' ')}`);
  const child = spawn(process.execPath, [BIN.ctl, ...given], {
    env,
    cwd: folder,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const texts = [child.stdout, child.stderr].map(async (stream) => {
    let text = '';
    for await (const chunk of stream.setEncoding('utf8')) text += chunk;
    return text;
  });
  const [code] = await once(child, 'exit');
  const [stdout, stderr] = await Promise.all(texts);
  quote(stdout);
  if (code !== 0) throw new Error(`pidp10ctl ${given.join(' ')} ended with ${code}: ${stderr}`);
}

async function end({ client }) {
  await client.close();
}

async function endProcess(child) {
  const isOver = () => child.exitCode !== null || child.signalCode !== null;
  if (isOver()) return;
  const exited = once(child, 'exit');
  child.kill('SIGTERM');
  await Promise.race([exited, sleep(END_PATIENCE_MS)]);
  if (!isOver()) child.kill('SIGKILL');
  await exited;
}

async function cleanUp() {
  const logOut = ['logout', () => ctl(['send', ':logout'])];
  for (const [name, stop] of mustLogOut ? [logOut, ...running] : running) {
    try {
      await stop();
    } catch (error) {
      console.error(`demo: ending ${name}: ${String(error)}`);
      process.exitCode = 1;
    }
  }
  rmSync(folder, { recursive: true, force: true });
}

function explainStay(line, daemon) {
  const ctlCommand = `node ${inShell(BIN.ctl)} --socket ${socket}`;
  title('Left running, as you asked');
  console.log(`
  look in      ${ctlCommand} status
  type         ${ctlCommand} send ':time'
  an agent     claude mcp add pidp10-demo -- node ${inShell(BIN.bridge)} --socket ${socket}
  stop         ${ctlCommand} shutdown; ${line.isReal ? '' : `kill ${line.pid}; `}rm -r ${folder}

  The daemon has pid ${daemon.pid}${line.isReal ? '' : `, the fake line ${line.pid}`}.`);
}

function explainReal() {
  title('Claude Code on a real PiDP-10');
  console.log(`
  claude mcp add pidp10 -- node ${inShell(BIN.bridge)} --host pidp10.local
  claude mcp get pidp10
  claude "Open the line of the PiDP-10, call up DDT and tell me who is logged in."
`);
}

function inShell(path) {
  return /[^\w./-]/.test(path) ? `'${path.replaceAll("'", `'\\''`)}'` : path;
}

function title(text) {
  console.log(`\n${text}\n${'-'.repeat(text.length)}`);
}

function say(text) {
  console.log(`  ${text}`);
}

function quote(text) {
  for (const line of text.trim().split('\n')) console.log(`    | ${line}`.trimEnd());
}
