/** What the handlers need of command sessions: each one's streams as channels, its process, and the table of all. */
import type { SessionFacts } from '@pidp10/protocol/sessionSchemas';
import type { Readers } from '../core/readers.ts';
import type { Member } from '../core/sessionState.ts';
import type { ChannelService } from './channelService.ts';

export interface SessionRequest {
  readonly command: string;
  readonly args: readonly string[];
  /** Absolute path; undefined: the home folder. */
  readonly cwd: string | undefined;
  readonly env: Readonly<Record<string, string>>;
  readonly name: string | undefined;
  readonly isPty: boolean;
  readonly size: TerminalSize;
  readonly splitStderr: boolean;
  readonly timeLimitMs: number | undefined;
  /** Name of the client that starts it. */
  readonly client: string;
}

export interface TerminalSize {
  readonly rows: number;
  readonly columns: number;
}

/** What stays known of a session, besides its facts; times as ISO 8601. */
export interface SessionDetails {
  readonly command: string;
  readonly args: readonly string[];
  readonly cwd: string;
  /** Of the leader, until it was reaped. */
  readonly pid: number | undefined;
  /** Of its terminal. */
  readonly size: TerminalSize | undefined;
  readonly splitStderr: boolean;
  readonly startedAt: string;
  readonly startedBy: string;
  readonly exitedAt: string | undefined;
  readonly stopCause: 'asked' | 'timeout' | 'shutdown' | undefined;
  /** When it is cleaned away. */
  readonly expiresAt: string | undefined;
}

export interface SessionScreen {
  readonly rows: readonly string[];
  readonly cursor: { readonly row: number; readonly column: number };
  readonly isAlternate: boolean;
  readonly size: TerminalSize;
  /** Offset of `out` that the screen shows. */
  readonly offset: number;
}

/** Where a stream stands, for one reader. */
export interface StreamPlace {
  readonly end: number;
  /** First byte that can be read. */
  readonly oldest: number;
  /** Bytes behind the reader's cursor. */
  readonly unread: number;
}

export interface SessionService {
  readonly id: string;
  readonly facts: SessionFacts;
  readonly details: SessionDetails;
  /**
   * Streams; input goes with `out`, which also has the floor and the record. Where the program is gone they are read from
   * files first, which takes a while: what is asked of all sessions asks `inMemory`, `place` and `changeKept` instead.
   */
  readonly out: ChannelService;
  readonly err: ChannelService | undefined;
  /** Its streams, as far as they are in memory, `out` first. */
  readonly inMemory: readonly ChannelService[];
  /** Undefined for an `err` that is not apart. */
  place(stream: 'out' | 'err', reader: string): StreamPlace | undefined;
  /** Changes the places of readers of streams that are not in memory. */
  changeKept(change: (readers: Readers) => void): void;
  /** Whether the terminal would take `bytes` whole; on pipes always. */
  checkInput(
    bytes: Uint8Array,
  ): Promise<
    | { readonly kind: 'fits' }
    | { readonly kind: 'lineTooLong'; readonly lineBytes: number; readonly limitBytes: number }
  >;
  /** Whether its terminal shows what is typed; on pipes nobody does, and it is `off`. */
  echoState(): Promise<'on' | 'off' | 'unknown'>;
  /** Throws a RangeError for a name that the system does not know. */
  signal(
    name: string,
    target: 'group' | 'leader' | 'foreground',
  ): { readonly kind: 'sent' | 'gone' } | { readonly kind: 'refused'; readonly code: string };
  resize(size: TerminalSize): void;
  /** Resolves with who outlived it, when everybody is gone or it was given up. A second call joins, and may shorten the grace. */
  stop(graceMs: number): Promise<readonly Member[]>;
  /** Resolves when the program has exited, or all its output has come; also when `signal` is aborted. */
  whenOver(what: 'exit' | 'end', signal: AbortSignal): Promise<void>;
  /** Who is alive of it, the leader first. */
  processes(): readonly Member[];
  /** Undefined on pipes. */
  screen(): Promise<SessionScreen | undefined>;
}

export interface SessionTable {
  /** Who may start commands. */
  readonly policy: 'off' | 'local' | 'all';
  /** In order of their start. */
  readonly all: readonly SessionService[];
  /** Processes of an earlier daemon's sessions that are alive still. */
  leftovers(): readonly (Member & { readonly session: string })[];
  /** By id, or by name. */
  get(key: string): SessionService | undefined;
  /** Throws an RpcError: `start_failed`, `command_refused`, `commands_off`, `pty_unavailable` … Then nothing is left of it. */
  start(request: SessionRequest): Promise<SessionService>;
  /** Removes an exited session and its files. */
  delete(session: SessionService): Promise<void>;
  /** Tells of every session that comes or goes, of changes of state, and of news on its streams. */
  subscribe(listener: (session: SessionService) => void): Disposable;
}
