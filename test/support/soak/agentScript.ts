/**
 * An agent at a line that others use: random commands through a bridge of its own, which now and then is killed. It keeps
 * account of what it sent, by what the results say.
 */
import { expandEscapes } from '@pidp10/protocol/escapes';
import { connectClient, type ERAS, type ToolAnswer, type ToolClient } from '../bridgeClient.ts';
import type { Sandbox } from '../sandbox.ts';
import type { Chance } from './chance.ts';
import type { Figures } from './figures.ts';
import type { Ledger, Sending } from './ledger.ts';

/** The slowest the line takes input here, in ms a byte, its echo and a loaded machine included. */
const MS_PER_BYTE = 30;
const FILLER = 'the quick brown fox jumps over a lazy dog ';
/**
 * The longest lease of a dialogue, in ms: the floor of a bridge that was killed in one is held for so long, since the next
 * bridge may be there, under a second name, before the daemon has seen the end of the first.
 */
export const MAX_DIALOGUE_LEASE_MS = 20_000;
/** How long a command has for its answer. */
const TIMEOUT_MS = 3_000;

export interface AgentOptions {
  readonly name: string;
  readonly era: (typeof ERAS)[number];
  readonly sandbox: Sandbox;
  readonly port: number;
  readonly chance: Chance;
  readonly ledger: Ledger;
  readonly figures: Figures;
}

type Act =
  | 'command'
  | 'series'
  | 'long'
  | 'pages'
  | 'sleep'
  | 'read'
  | 'look'
  | 'say'
  | 'urgent'
  | 'dialogue'
  | 'force'
  | 'cancel'
  | 'die';

const ACTS: readonly (readonly [weight: number, act: Act])[] = [
  [30, 'command'],
  [10, 'series'],
  [12, 'long'],
  [4, 'pages'],
  [4, 'sleep'],
  [14, 'read'],
  [5, 'look'],
  [2, 'say'],
  [5, 'urgent'],
  [6, 'dialogue'],
  [5, 'force'],
  [4, 'cancel'],
  [3, 'die'],
];

export class AgentScript {
  readonly #options: AgentOptions;
  /** Pids of all its bridges so far. */
  readonly pids: number[] = [];
  #client: ToolClient;
  #serial = 0;

  private constructor(options: AgentOptions, client: ToolClient) {
    this.#options = options;
    this.#client = client;
    this.pids.push(client.pid);
  }

  static async start(options: AgentOptions): Promise<AgentScript> {
    return new AgentScript(options, await connect(options));
  }

  /** As the record names it. */
  get author(): string {
    return `pidp10-mcp (${this.#options.name})`;
  }

  async run(isOver: () => boolean): Promise<void> {
    const { chance } = this.#options;
    while (!isOver()) await this.#act(chance.weighted(ACTS));
    await this.#client.call('floor', { action: 'release' });
  }

  async close(): Promise<void> {
    await this.#client.close();
  }

  async #act(act: Act): Promise<void> {
    const { chance, figures } = this.#options;
    figures.count(`x ${act}`);
    switch (act) {
      case 'command':
        return this.#send(this.#words(chance.between(0, 20)));
      case 'series':
        return this.#send([1, 2, 3].map(() => this.#words(chance.between(0, 10))).join('\n'));
      case 'long':
        return this.#send(this.#words(chance.between(100, 600)));
      case 'pages':
        return this.#send(':print info;pages text');
      case 'sleep':
        return this.#send(`:sleep ${chance.between(10, 60)}`);
      case 'read':
        return this.#read(chance.between(50, 800));
      case 'look':
        for (const tool of ['status', 'screen', 'history']) await this.#quick(tool);
        return;
      case 'say':
        return this.#quick('say', { text: this.#words(10) });
      case 'urgent':
        return this.#send('~g~-', { timeout_ms: 300 });
      case 'dialogue':
      case 'force':
        return this.#dialogue(act === 'force');
      case 'cancel':
        return this.#cancelled();
      case 'die':
        return this.#die();
      default:
        return act satisfies never;
    }
  }

  /** A line that is like no other. */
  #words(fillerChars: number): string {
    this.#serial += 1;
    const filler = FILLER.repeat(Math.ceil(fillerChars / FILLER.length)).slice(0, fillerChars);
    return `:${this.#options.name.charAt(0)}${this.#serial.toString(36)} ${filler}`.trimEnd();
  }

  async #send(input: string, args: Record<string, unknown> = {}): Promise<void> {
    const { chance, figures } = this.#options;
    const waitMs = chance.weighted([
      [1, 0],
      [3, chance.between(200, 3_000)],
      [3, 30_000],
    ]);
    const sending = this.#begin(input);
    const startMs = performance.now();
    const answer = await this.#client.call('send', {
      input,
      quiet_ms: chance.between(50, 400),
      timeout_ms: TIMEOUT_MS,
      ...(waitMs === 0 ? { floor: 'fail' } : { floor_wait_ms: waitMs }),
      ...args,
    });
    const tookMs = performance.now() - startMs;
    this.#note(sending, answer);
    const commands = input.split('\n').length;
    const isHeld = answer.text.startsWith('floor_held');
    const limitMs = isHeld ? waitMs : waitMs + commands * TIMEOUT_MS + sending.bytes.length * MS_PER_BYTE;
    figures.took(isHeld ? 'floor_held' : `send (${answer.reason ?? ''})`, tookMs, limitMs);
  }

  /** What the answer says of the input. */
  #note(sending: Sending, answer: ToolAnswer): void {
    const { figures } = this.#options;
    if (answer.isError) {
      const [name = ''] = answer.text.split(':', 1);
      figures.count(`sends refused with ${name}`);
      if (name !== 'floor_held' && name !== 'floor_lost')
        figures.faults.push(`${this.author}: ${answer.text}`);
      sending.most = 0;
      return;
    }
    const sent = answer.facts?.['sent'];
    figures.count(`sends ended with ${answer.reason ?? 'nothing'}`);
    if (typeof sent !== 'number')
      return void figures.faults.push(`not told what was sent: ${answer.trailer}`);
    sending.least = sent;
    // What is still under way goes out behind the answer.
    if (answer.reason !== 'still_waiting') sending.most = sent;
  }

  async #read(timeoutMs: number): Promise<void> {
    const startMs = performance.now();
    const { isError, text } = await this.#client.call('read', { timeout_ms: timeoutMs, quiet_ms: 100 });
    this.#options.figures.took('read', performance.now() - startMs, timeoutMs);
    if (isError) this.#options.figures.faults.push(`${this.author} read: ${text}`);
  }

  async #quick(tool: string, args: Record<string, unknown> = {}): Promise<void> {
    const startMs = performance.now();
    const { isError, text } = await this.#client.call(tool, args);
    this.#options.figures.took(tool, performance.now() - startMs, 0);
    if (isError) this.#options.figures.faults.push(`${this.author} ${tool}: ${text}`);
  }

  /** Takes the floor, types a few commands, and gives it back. */
  async #dialogue(isForced: boolean): Promise<void> {
    const { chance, figures } = this.#options;
    const waitMs = isForced ? 0 : chance.between(0, 5_000);
    const startMs = performance.now();
    const { isError, text } = await this.#client.call('floor', {
      action: 'take',
      message: 'a dialogue',
      wait_ms: waitMs,
      force: isForced,
      lease_ms: chance.between(1_000, MAX_DIALOGUE_LEASE_MS),
    });
    figures.took('floor take', performance.now() - startMs, waitMs);
    if (isError) {
      if (!text.startsWith('floor_held')) figures.faults.push(`${this.author} take: ${text}`);
      return;
    }
    // Whoever takes it by force begins a line of his own.
    if (isForced) await this.#send('~x04~-', { timeout_ms: 300 });
    for (let left = chance.between(0, 3); left > 0; left -= 1) await this.#send(this.#words(30));
    if (!chance.oneIn(4)) await this.#client.call('floor', { action: 'release' });
  }

  /** Gives a call up in its middle. */
  async #cancelled(): Promise<void> {
    const { chance } = this.#options;
    const input = this.#words(chance.between(10, 300));
    this.#begin(input);
    await this.#client
      .call('send', { input }, { signal: AbortSignal.timeout(chance.between(1, 1_000)) })
      .catch(() => undefined);
  }

  /** Its bridge is killed while it is at work, and another one takes its place. */
  async #die(): Promise<void> {
    const { chance } = this.#options;
    const input = this.#words(chance.between(10, 300));
    this.#begin(input);
    const call = this.#client.call('send', { input }).catch(() => undefined);
    await this.#client.call('read', { timeout_ms: chance.between(1, 300) }).catch(() => undefined);
    process.kill(this.#client.pid, 'SIGKILL');
    await call;
    await this.#client.close().catch(() => undefined);
    this.#client = await connect(this.#options);
    this.pids.push(this.#client.pid);
  }

  #begin(input: string): Sending {
    const expansion = expandEscapes(input, { bits: 7, raw: false });
    if (expansion.kind === 'refused') throw new Error(expansion.message);
    return this.#options.ledger.begin(this.author, expansion.bytes);
  }
}

function connect({ era, name, port, sandbox }: AgentOptions): Promise<ToolClient> {
  return connectClient(era, sandbox, { name, args: ['--host', '127.0.0.1', '--port', String(port)] });
}
