/** The line's methods in this process: a channel with its real driver, in front of a fake ITS or of nothing. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Fakeline, type FakelineOptions, startFakeline } from '@pidp10/fakeline';
import { METHODS, type MethodName, type MethodResult } from '@pidp10/protocol/methods';
import { ChannelDriver } from '../../src/channelDriver.ts';
import { ChannelJournal } from '../../src/channelJournal.ts';
import { Transcript } from '../../src/core/transcript.ts';
import { monotonicMs } from '../../src/coreLoop.ts';
import { type Past, resume } from '../../src/resume.ts';
import { Clients } from '../../src/rpc/clients.ts';
import { createLineHandlers } from '../../src/rpc/lineHandlers.ts';
import { Mailboxes } from '../../src/rpc/mailboxes.ts';
import { type Call, createSession, type Session } from '../../src/rpc/session.ts';

type LineMethod = Extract<keyof ReturnType<typeof createLineHandlers>, MethodName>;

interface Kept {
  readonly journal?: ChannelJournal;
  readonly past?: Past;
}

/** A small ring, so that a screenful of pages is past already. */
const LINE = { telnet: 'auto', bits: 7, ringBytes: 65_536 } as const;

export class RpcLine implements AsyncDisposable {
  readonly driver: ChannelDriver;
  readonly fake: Fakeline;
  readonly folder: string;
  readonly #handlers: ReturnType<typeof createLineHandlers>;
  readonly #session: Session;
  readonly #kept: Kept;

  private constructor(fake: Fakeline, folder: string, kept: Kept = {}) {
    this.fake = fake;
    this.folder = folder;
    this.#kept = kept;
    this.driver = new ChannelDriver({ ...LINE, ...kept, filesDir: join(folder, 'files') });
    const defaults = { host: fake.host, port: fake.port, bits: 7 } as const;
    const mailboxes = new Mailboxes(this.driver, new Clients());
    this.#handlers = createLineHandlers(this.driver, defaults, mailboxes);
    this.#session = this.connect('me');
  }

  static async start(options: FakelineOptions = {}): Promise<RpcLine> {
    const folder = await mkdtemp(join(tmpdir(), 'pidp10d-rpc-'));
    return new RpcLine(await startFakeline({ pollMs: 5, ctrlZMs: 5, ...options }), folder);
  }

  /** A line that is open, with rms logged in. */
  static async loggedIn(options: FakelineOptions = {}): Promise<RpcLine> {
    const line = await RpcLine.start(options);
    await line.call('line.open', { login: 'rms' });
    return line;
  }

  /** A line whose journal is in `folder`, as a daemon that starts there has it. */
  static async kept(fake: Fakeline, folder: string): Promise<RpcLine> {
    const blank = new Transcript({ ...LINE, profile: 'its' });
    const options = { folder: join(folder, 'journal'), quotaBytes: 1e9, blank, onStorage: () => undefined };
    const { journal, recovered } = await ChannelJournal.open(options);
    const past = await resume(journal, recovered, { ringBytes: LINE.ringBytes, nowMs: monotonicMs() });
    return new RpcLine(fake, folder, { journal, past });
  }

  /** Ends as a daemon does that is told to, and leaves the fake ITS and the files. */
  async stop(): Promise<void> {
    this.driver[Symbol.dispose]();
    await this.#kept.journal?.[Symbol.asyncDispose]();
  }

  connect(reader: string): Session {
    const session = createSession(`#${reader}`);
    session.reader = this.driver.channel.conversation.readers.claim(
      reader,
      this.driver.channel.conversation.scrollback.end,
    );
    session.isNamed = true;
    return session;
  }

  async call<M extends LineMethod>(
    method: M,
    params: Readonly<Record<string, unknown>> = {},
    {
      session = this.#session,
      signal = new AbortController().signal,
    }: { session?: Session; signal?: AbortSignal } = {},
  ): Promise<MethodResult<M>> {
    const sent: (() => void)[] = [];
    const call: Call = {
      id: 1,
      signal,
      session,
      sendProgress: () => undefined,
      afterSend: (callback) => sent.push(callback),
    };
    const handler = this.#handlers[method] as (
      params: unknown,
      call: Call,
    ) => MethodResult<M> | Promise<MethodResult<M>>;
    const result = await handler(METHODS[method].params.parse(params), call);
    for (const callback of sent) callback();
    return METHODS[method].result.parse(result) as MethodResult<M>;
  }

  /** What a call throws: name and data of its error. */
  async refusal(method: LineMethod, params: Readonly<Record<string, unknown>> = {}): Promise<unknown> {
    try {
      await this.call(method, params);
    } catch (error) {
      return error;
    }
    throw new Error(`${method} was not refused`);
  }

  get received(): string {
    return this.fake.receivedBytes().toString('latin1');
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.driver[Symbol.dispose]();
    await this.fake.close();
    await rm(this.folder, { recursive: true, force: true });
  }
}
