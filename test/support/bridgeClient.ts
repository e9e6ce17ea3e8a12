/**
 * Drives a real bridge: with bare lines where the case is about lines, processes and signals, with the two real SDK clients
 * where it is about MCP.
 */
import { readFileSync } from 'node:fs';
import { Client as ModernClient } from '@modelcontextprotocol/client';
import { StdioClientTransport as ModernTransport } from '@modelcontextprotocol/client/stdio';
import { Client as LegacyClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport as LegacyTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { DaemonClient } from '@pidp10/protocol/node/daemonClient';
import * as z from 'zod';
import { BIN, type Program, type RunOptions, type Sandbox } from './sandbox.ts';

/** Protocol revision that bare clients speak. */
export const LEGACY_REVISION = '2025-11-25';

const span = z.object({ start: z.int(), end: z.int() });
const toolResult = z.looseObject({
  content: z.array(z.looseObject({ type: z.literal('text'), text: z.string() })),
  isError: z.boolean().optional(),
  _meta: z
    .looseObject({ 'pidp10/outcome': z.looseObject({ ...span.shape, before: span.optional() }).optional() })
    .optional(),
});

type Facts = NonNullable<NonNullable<z.output<typeof toolResult>['_meta']>['pidp10/outcome']>;

/** A tool's result, taken apart. */
export class ToolAnswer {
  readonly blocks: readonly string[];
  readonly isError: boolean;
  readonly facts: Facts | undefined;

  constructor(result: unknown) {
    const { content, isError, _meta } = toolResult.parse(result);
    this.blocks = content.map((block) => block.text);
    this.isError = isError ?? false;
    this.facts = _meta?.['pidp10/outcome'];
  }

  /** All blocks, one after the other. */
  get text(): string {
    return this.blocks.join('\n');
  }

  /** The last line, which is ours. */
  get trailer(): string {
    return this.blocks.at(-1) ?? '';
  }

  /** All but the trailer. */
  get output(): string {
    return this.blocks.slice(0, -1).join('\n');
  }

  /** Offsets of what the answer holds, older first; empty ones left out. */
  get spans(): readonly (readonly [start: number, end: number])[] {
    return [this.facts?.before, this.facts]
      .map((each) => [each?.start ?? 0, each?.end ?? 0] as const)
      .filter(([start, end]) => end > start);
  }

  /** First word of the trailer: why the call ended. */
  get reason(): string | undefined {
    return /^\[([a-z_]+)/.exec(this.trailer)?.[1];
  }
}

export interface ToolClient extends AsyncDisposable {
  readonly pid: number;
  readonly instructions: string | undefined;
  listTools(): Promise<readonly ListedTool[]>;
  call(name: string, args?: Record<string, unknown>, options?: CallOptions): Promise<ToolAnswer>;
  close(): Promise<void>;
}

export interface CallOptions {
  readonly signal?: AbortSignal;
  readonly onProgress?: (progress: number) => void;
}

export interface ListedTool {
  readonly name: string;
  readonly description?: string | undefined;
  readonly inputSchema: unknown;
}

export const ERAS = ['2025-11-25', '2026-07-28'] as const;

/** A real SDK client of the era, with its own bridge. */
export async function connectClient(
  era: (typeof ERAS)[number],
  sandbox: Sandbox,
  options: Pick<RunOptions, 'args' | 'env'> & { readonly name?: string } = {},
): Promise<ToolClient> {
  const { args = [], env = {}, name = 'tester' } = options;
  const command = process.execPath;
  const server = {
    command,
    args: [BIN.bridge, ...args],
    env: { ...sandbox.env, ...env },
    cwd: sandbox.folder,
  };
  const identity = { name, version: '0' };
  const timeout = 120_000;
  if (era === '2025-11-25') {
    const transport = new LegacyTransport(server);
    const client = new LegacyClient(identity);
    await client.connect(transport);
    return {
      pid: transport.pid ?? 0,
      instructions: client.getInstructions(),
      listTools: async () => (await client.listTools()).tools,
      call: async (tool, input = {}, { signal, onProgress } = {}) =>
        new ToolAnswer(
          await client.callTool({ name: tool, arguments: input }, undefined, {
            timeout,
            ...(signal && { signal }),
            ...(onProgress && { onprogress: ({ progress }) => onProgress(progress) }),
          }),
        ),
      close: () => client.close(),
      [Symbol.asyncDispose]: () => client.close(),
    };
  }
  const transport = new ModernTransport(server);
  const client = new ModernClient(identity, { versionNegotiation: { mode: { pin: era } } });
  await client.connect(transport);
  return {
    pid: transport.pid ?? 0,
    instructions: client.getInstructions(),
    listTools: async () => (await client.listTools()).tools,
    call: async (tool, input = {}, { signal, onProgress } = {}) =>
      new ToolAnswer(
        await client.callTool(
          { name: tool, arguments: input },
          {
            timeout,
            ...(signal && { signal }),
            ...(onProgress && { onprogress: ({ progress }) => onProgress(progress) }),
          },
        ),
      ),
    close: () => client.close(),
    [Symbol.asyncDispose]: () => client.close(),
  };
}

const frame = z.looseObject({
  jsonrpc: z.literal('2.0'),
  id: z.union([z.string(), z.number(), z.null()]).optional(),
  method: z.string().optional(),
  params: z.looseObject({}).optional(),
  result: z.unknown().optional(),
  error: z.looseObject({ code: z.int(), message: z.string() }).optional(),
});

export type RawFrame = z.output<typeof frame>;

/** A bridge fed line by line; every line that it writes is checked to be one JSON-RPC message. */
export class RawBridge {
  readonly program: Program;
  #nextId = 1;

  constructor(program: Program) {
    this.program = program;
    // Any number of answers may be waited for at once.
    for (const stream of [program.child.stdout, program.child.stderr]) stream.setMaxListeners(0);
  }

  /** Starts a bridge and introduces the client. */
  static async start(sandbox: Sandbox, options: RunOptions = {}): Promise<RawBridge> {
    const bridge = new RawBridge(sandbox.run(BIN.bridge, options));
    await bridge.initialize();
    return bridge;
  }

  async initialize(): Promise<RawFrame> {
    const clientInfo = { name: 'raw', version: '0' };
    const answer = await this.request('initialize', {
      protocolVersion: LEGACY_REVISION,
      capabilities: {},
      clientInfo,
    });
    this.writeFrame({ method: 'notifications/initialized' });
    return answer;
  }

  /** All frames so far, in order. Throws if a line is anything else, or holds half a character. */
  get frames(): RawFrame[] {
    const lines = this.program.stdout.split('\n').slice(0, -1);
    return lines.map((line) => {
      if (line.endsWith('\r')) throw new Error(`CR at the end of ${line}`);
      const value: unknown = JSON.parse(line);
      assertWellFormed(value);
      return frame.parse(value);
    });
  }

  write(text: string | Uint8Array): void {
    this.program.child.stdin.write(text);
  }

  writeFrame(message: Record<string, unknown>): void {
    this.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  }

  /** Sends a request and does not wait. */
  begin(method: string, params: Record<string, unknown> = {}): number {
    const id = this.#nextId++;
    this.writeFrame({ id, method, params });
    return id;
  }

  beginCall(name: string, args: Record<string, unknown> = {}, progressToken?: string): number {
    const _meta = progressToken === undefined ? {} : { _meta: { progressToken } };
    return this.begin('tools/call', { name, arguments: args, ..._meta });
  }

  cancel(requestId: string | number): void {
    this.writeFrame({ method: 'notifications/cancelled', params: { requestId } });
  }

  find(id: string | number): RawFrame | undefined {
    return this.frames.find((each) => each.id === id && each.method === undefined);
  }

  async answer(id: string | number): Promise<RawFrame> {
    await this.program.until(
      `answer to ${id}`,
      () => this.program.stdout.includes('\n') && this.find(id) !== undefined,
    );
    const found = this.find(id);
    if (found === undefined) throw new Error(`no answer to ${id}`);
    return found;
  }

  async toolAnswer(id: string | number): Promise<ToolAnswer> {
    return new ToolAnswer((await this.answer(id)).result);
  }

  request(method: string, params: Record<string, unknown> = {}): Promise<RawFrame> {
    return this.answer(this.begin(method, params));
  }

  call(name: string, args: Record<string, unknown> = {}): Promise<ToolAnswer> {
    return this.toolAnswer(this.beginCall(name, args));
  }
}

/** Half a character makes every later request of a conversation fail. */
export function assertWellFormed(value: unknown): void {
  if (typeof value === 'string' && /\p{Cs}/u.test(value))
    throw new Error(`half a character in ${JSON.stringify(value)}`);
  if (typeof value !== 'object' || value === null) return;
  for (const [key, field] of Object.entries(value)) {
    assertWellFormed(key);
    assertWellFormed(field);
  }
}

/** Ends the sandbox's daemon, whoever started it, when the test is over. */
export function endDaemonAfter(sandbox: Sandbox): AsyncDisposable {
  return {
    [Symbol.asyncDispose]: async () => {
      const client = await DaemonClient.connectWithoutHello({ socket: sandbox.socket() }).catch(
        () => undefined,
      );
      await client?.request('daemon.shutdown', {}).catch(() => undefined);
      await client?.closed;
    },
  };
}

/** Highest memory of a process so far, in bytes. */
export function peakMemory(pid: number): number {
  return Number(/VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) * 1024;
}

/** Gone, or a zombie that nobody fetches. */
export function isGone(pid: number): boolean {
  try {
    return /\) Z /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch {
    return true;
  }
}
