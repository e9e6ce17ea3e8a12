/**
 * Lines of the real simulator: Debian's pdp11 with its console on a TCP port, a loop of eleven words that echoes each
 * character, and a multiplexer on another port. Greeting, IAC handling, refusal and the end of a connection are simh's own.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { connect, createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { LineRig } from '../support/lineRig.ts';
import { eventually } from '../support/processes.ts';
import { Sandbox } from '../support/sandbox.ts';
import { needsTool } from '../support/tools.ts';

/**
 * Lets the DZ11 multiplexer scan its lines; then waits for a character of the console's keyboard and prints it, for ever.
 * Address and word, in octal.
 */
const PROGRAM = {
  766: '012737',
  770: '000040',
  772: '160100',
  774: '000240',
  776: '000240',
  1000: '105737',
  1002: '177560',
  1004: '100375',
  1006: '113700',
  1010: '177562',
  1012: '105737',
  1014: '177564',
  1016: '100375',
  1020: '110037',
  1022: '177566',
  1024: '000765',
} as const;
const LINES = 8;

/** The simulator polls its port in intervals of up to a second while nobody is connected. */
const OPEN = { timeoutMs: 15_000 } as const;

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  if (typeof address !== 'object' || address === null) throw new Error('no port');
  return address.port;
}

class Simulator implements AsyncDisposable {
  readonly port: number;
  /** Of the multiplexer, which is served while the console is connected. */
  readonly dzPort: number;
  readonly #child: ChildProcess;

  private constructor(ports: readonly [number, number], child: ChildProcess) {
    [this.port, this.dzPort] = ports;
    this.#child = child;
  }

  static async start(sandbox: Sandbox): Promise<Simulator> {
    const ports = [await freePort(), await freePort()] as const;
    const script = join(sandbox.folder, 'echo.ini');
    const commands = [
      `set console telnet=${ports[0]}`,
      'set tti 8b',
      'set tto 8b',
      `set dz lines=${LINES}`,
      `attach dz ${ports[1]}`,
      ...Object.entries(PROGRAM).map(([address, word]) => `dep ${address} ${word}`),
      'go 766',
      // A console that loses its connection stops the simulation; an operator would continue it each time.
      ...Array.from({ length: 50 }, () => 'cont'),
      '',
    ];
    await writeFile(script, commands.join('\n'));
    // An open pipe on its standard input would make it wait there for an operator.
    const child = spawn('pdp11', [script], { cwd: sandbox.folder, stdio: 'ignore' });
    return new Simulator(ports, child);
  }

  signal(name: NodeJS.Signals): void {
    this.#child.kill(name);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#child.exitCode !== null || this.#child.signalCode !== null) return;
    this.#child.kill('SIGKILL');
    await once(this.#child, 'exit');
  }
}

/** Opens as soon as the simulator listens; it takes a moment to start. */
async function openWhenListening(rig: LineRig): ReturnType<LineRig['open']> {
  let outcome: Awaited<ReturnType<LineRig['open']>> | undefined;
  await eventually('a line that opens', async () => {
    outcome = await rig.open(OPEN).catch(() => undefined);
    return outcome !== undefined;
  });
  if (outcome === undefined) throw new Error('not opened');
  return outcome;
}

describe('a line of the real simulator', needsTool('pdp11'), () => {
  test('greets, and echoes exactly the bytes that were sent, FF among them', async () => {
    await using scratch = await Sandbox.create();
    await using simulator = await Simulator.start(scratch);
    await using rig = await LineRig.start({ port: simulator.port, args: ['--bits', '8'] });
    const greeting = await openWhenListening(rig);
    expect(greeting.output.text).toMatch(/^\n\nConnected to the PDP-11 simulator\n\n$/);
    expect(greeting.lineState).toMatchObject({ state: 'open', codec: 'telnet' });
    const outcome = await rig.send('abc~~~g', { timeoutMs: 5_000, quietMs: 300 });
    // The CR comes back as a CR; nobody adds a line feed.
    expect(outcome).toMatchObject({ reason: 'quiet', accepted: 6, sent: 6, bells: 1 });
    expect(outcome.output.end - outcome.output.start).toBe(6);
    expect(outcome.output.text).toContain('abc~');
    const raw = await rig.send('~xFFz', { raw: true, timeoutMs: 5_000, quietMs: 300 });
    expect(raw.output.end - raw.output.start).toBe(2);
    expect(raw.output.text).toContain('z');
  });

  test('L02 · refuses a client when all lines are held, with its own text', async () => {
    await using scratch = await Sandbox.create();
    await using simulator = await Simulator.start(scratch);
    await using rig = await LineRig.start({ port: simulator.port });
    await openWhenListening(rig);
    const holders: Socket[] = [];
    for (let n = 0; n < LINES; n += 1) {
      const holder = connect(simulator.dzPort, '127.0.0.1');
      holders.push(holder);
      await once(holder, 'data');
    }
    await using other = await LineRig.start({ port: simulator.dzPort });
    const refused = await other.failure('line.open', OPEN);
    expect(refused).toMatchObject({
      name: 'line_all_busy',
      message: expect.stringContaining('"All connections busy"'),
    });
    for (const holder of holders) holder.destroy();
  });

  test('L20 · close frees the line for the next client', async () => {
    await using scratch = await Sandbox.create();
    await using simulator = await Simulator.start(scratch);
    await using rig = await LineRig.start({ port: simulator.port });
    await openWhenListening(rig);
    await rig.client.request('line.close', {});
    await using other = await LineRig.start({ port: simulator.port });
    await openWhenListening(other);
    expect((await other.send('xyz', { timeoutMs: 5_000, quietMs: 300 })).output.text).toContain('xyz');
  });

  test('a daemon killed with SIGKILL leaves a line that the next one opens', async () => {
    await using scratch = await Sandbox.create();
    await using simulator = await Simulator.start(scratch);
    await using rig = await LineRig.start({ port: simulator.port });
    await openWhenListening(rig);
    rig.daemon.kill('SIGKILL');
    await rig.daemon.exited;
    await rig.sandbox.daemon({ args: ['--host', '127.0.0.1', '--port', String(simulator.port)] });
    await using client = await rig.sandbox.connect();
    await eventually('a line that opens again', () =>
      client.request('line.open', OPEN).then(
        () => true,
        () => false,
      ),
    );
    expect((await client.request('line.status', {})).lineState.state).toBe('open');
  });

  test('L03 · a stopped simulator gives no greeting, and the same open goes on when it is continued', async () => {
    await using scratch = await Sandbox.create();
    await using simulator = await Simulator.start(scratch);
    await using rig = await LineRig.start({ port: simulator.port });
    await openWhenListening(rig);
    await rig.client.request('line.close', {});
    simulator.signal('SIGSTOP');
    expect(await rig.failure('line.open', { timeoutMs: 300 })).toMatchObject({ name: 'no_greeting' });
    simulator.signal('SIGCONT');
    expect((await rig.open(OPEN)).output.text).toContain('Connected to the PDP-11 simulator');
  });

  test('L17 · the end of the simulator is a death of the line with a reason, and its words are kept', async () => {
    await using scratch = await Sandbox.create();
    await using simulator = await Simulator.start(scratch);
    await using rig = await LineRig.start({ port: simulator.port });
    await openWhenListening(rig);
    simulator.signal('SIGTERM');
    const { reason } = await rig.untilState('dead');
    expect(['closed_by_simulator', 'closed_by_peer', 'reset']).toContain(reason);
  });
});
