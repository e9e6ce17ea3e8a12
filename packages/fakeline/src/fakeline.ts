/** The composition root: a multiplexer with a guest behind it, and what a test or a demo can do to them. */

import { Chatter } from './chatter.ts';
import { defaultCommandHelp } from './ddtCommands.ts';
import { EventLog, type LineEvent, type WaitOptions } from './events.ts';
import type { Faults } from './faults.ts';
import { defaultFiles, type FileSpec, FileSystem } from './files.ts';
import { Guest } from './guest.ts';
import type { SentMessage } from './guestOptions.ts';
import { Mux } from './mux.ts';
import type { NoticeName } from './notices.ts';

export interface FakelineOptions {
  /** Default 127.0.0.1. */
  readonly host?: string;
  /** Default 0: any free port. */
  readonly port?: number;
  /** From connect to greeting or refusal; default 20, on a real simulator up to 1000. */
  readonly pollMs?: number;
  /** From ^Z to the banner; default 20, on a real ITS 340 to 1220. */
  readonly ctrlZMs?: number;
  /** Characters per second taken from TCP; default no limit, real 60. */
  readonly inputCps?: number;
  /** Output in bits per second, ten bits a character; default no limit. */
  readonly baud?: number;
  /** A line without telnet (port 10016): no greeting, every byte is input. */
  readonly noTelnet?: boolean;
  /** Default: a few small ones and INFO;PAGES TEXT of four pages. */
  readonly files?: readonly FileSpec[];
  /** Exact lines of :LISTF by directory, behind the first one. */
  readonly listings?: Readonly<Record<string, readonly string[]>>;
  /** The text of `:?`. */
  readonly commandHelp?: string;
  /** Terminal type of the line; default vt52. */
  readonly terminalType?: string;
  /** The system has just come up: the first client is told so, behind the greeting (recording 01). Default false. */
  readonly bootMessage?: boolean;
  /** Letters are echoed in upper case. Default false. */
  readonly upperCaseEcho?: boolean;
  /** A message of another user about every so many ms while somebody is on the line; default none. */
  readonly messagesEveryMs?: number;
  /** Programs (not DDT) stop reading about every so many characters, for `stallMs`; default never. */
  readonly stallEvery?: number;
  /** Default 1000. */
  readonly stallMs?: number;
  /** True: what comes in a stall is echoed at once, up to the 65 that are kept. Default: when it is read. */
  readonly stallEchoes?: boolean;
  /** For whatever is random; default 1. */
  readonly seed?: number;
  /** PEEK paints again by itself; default 20000, as on a real ITS. */
  readonly peekMs?: number;
  /** Jobs of others in PEEK; more than 14 fill a screen and PEEK says `--More--`. Default 0. */
  readonly peekJobs?: number;
  /** MIDAS is silent so long between its passes; default 0, ITS itself took 9200. */
  readonly midasMs?: number;
  /** What MIDAS prints for a file, by `DIR;NAME1`, in parts; between two of them it reads a line. */
  readonly midasListings?: Readonly<Record<string, readonly string[]>>;
  /** What ITS takes for the time; default the machine's local time. */
  readonly clock?: () => Date;
  /** For the uptime in :TIME; default the start of the fakeline. */
  readonly bootedAt?: Date;
  /** Called with every event as it happens. */
  readonly onEvent?: (event: LineEvent) => void;
}

export interface Fakeline extends AsyncDisposable {
  readonly host: string;
  readonly port: number;
  /** In order; the oldest are dropped beyond 200,000. */
  readonly events: readonly LineEvent[];
  /** Accepted so far. */
  readonly connectionCount: number;
  readonly openConnections: number;
  readonly faults: Faults;
  receivedBytes(connection?: number): Buffer;
  sentBytes(connection?: number): Buffer;
  /** Raw output to the holder, now; held for the next one when nobody is connected. Text is Latin-1. */
  send(bytes: Uint8Array | string): void;
  /** A `:SEND` of another user, as ITS prints it. */
  message(from: string, text: string): void;
  /** The system says something unasked. `minutes`: until it goes down, default 5. */
  notice(name: NoticeName, minutes?: number): void;
  /** What was sent with :SEND from this line, in order. */
  readonly sentMessages: readonly SentMessage[];
  waitFor(predicate: (events: readonly LineEvent[]) => boolean, options: WaitOptions): Promise<void>;
  /** Ends the holder's connection; nothing happens when there is none. */
  dropConnection(how: 'fin' | 'reset'): void;
  /** The simulator's sentence, then FIN. */
  disconnectBySimulator(): void;
  /** Connects are refused by the kernel; open connections stay. */
  stopListening(): void;
  /** On the same port. */
  listenAgain(): Promise<void>;
  /** Idempotent. Leaves no socket and no timer; whoever waits is rejected. */
  close(): Promise<void>;
}

/** Rejects when the port is taken or the terminal type unknown. */
export async function startFakeline(options: FakelineOptions = {}): Promise<Fakeline> {
  const host = options.host ?? '127.0.0.1';
  const log = new EventLog();
  log.onEvent = options.onEvent;
  const mux = new Mux(
    {
      host,
      port: options.port ?? 0,
      pollMs: options.pollMs ?? 20,
      inputCps: options.inputCps,
      baud: options.baud,
      noTelnet: options.noTelnet ?? false,
    },
    log,
  );
  const guest = startGuest(options, mux);
  await mux.listen();
  const { messagesEveryMs } = options;
  const chatter =
    messagesEveryMs === undefined ? undefined : new Chatter(guest, messagesEveryMs, options.seed ?? 1);
  const close = async (): Promise<void> => {
    chatter?.close();
    guest.close();
    await mux.close();
    log.close();
  };
  return {
    host,
    get port() {
      return mux.port;
    },
    events: log.events,
    get connectionCount() {
      return mux.connectionCount;
    },
    get openConnections() {
      return mux.openConnections;
    },
    faults: mux.faults,
    receivedBytes: (connection) => log.receivedBytes(connection),
    sentBytes: (connection) => log.sentBytes(connection),
    send: (bytes) =>
      mux.output.print(typeof bytes === 'string' ? bytes : Buffer.from(bytes).toString('latin1')),
    message: (from, text) => guest.message(from, text),
    notice: (name, minutes) => guest.notice(name, minutes),
    sentMessages: guest.sent,
    waitFor: (predicate, waitOptions) => log.waitFor(predicate, waitOptions),
    dropConnection: (how) => mux.holder?.drop(how),
    disconnectBySimulator: () => mux.disconnect(),
    stopListening: () => mux.stopListening(),
    listenAgain: () => mux.listen(),
    close,
    [Symbol.asyncDispose]: close,
  };
}

function startGuest(options: FakelineOptions, mux: Mux): Guest {
  const clock = options.clock ?? (() => new Date());
  const guest = new Guest(
    {
      print: (text) => {
        if (!mux.faults.has('silence')) mux.output.print(text);
      },
      discard: () => mux.output.discard(),
      whenRoom: (then) => mux.output.whenRoom(then),
      hasInputWaiting: () => mux.holder?.hasInputWaiting ?? false,
      hasEcho: () => !mux.faults.has('no-echo'),
    },
    {
      ctrlZMs: options.ctrlZMs ?? 20,
      files: new FileSystem(options.files ?? defaultFiles(), options.listings),
      clock,
      bootedAt: options.bootedAt ?? clock(),
      commandHelp: options.commandHelp ?? defaultCommandHelp(),
      hasUpperCaseEcho: options.upperCaseEcho ?? false,
      stallEvery: options.stallEvery,
      stallMs: options.stallMs ?? 1000,
      stallEchoes: options.stallEchoes ?? false,
      seed: options.seed ?? 1,
      peekMs: options.peekMs ?? 20_000,
      peekJobs: options.peekJobs ?? 0,
      midasMs: options.midasMs ?? 0,
      midasListings: options.midasListings ?? {},
    },
  );
  const type = options.terminalType ?? 'vt52';
  if (!guest.terminal.setType(type)) throw new Error(`fakeline knows no terminal type "${type}"`);
  mux.attach(guest);
  if (options.bootMessage === true) guest.announceBoot();
  return guest;
}
