/**
 * What goes into the core and what comes out of it. Inputs carry facts, effects carry orders; the driver translates
 * between these and sockets, promises and one timer.
 */
import type { FloorAnswer, FloorMessage, FloorRequest, Holder } from './floor.ts';
import type { Codec } from './telnet.ts';
import type { Author, Entry } from './timeline.ts';

/** Names of the wire's error table that the core of a line or of a session can give. */
export type LineErrorName =
  | 'line_busy'
  | 'line_all_busy'
  | 'line_not_available'
  | 'line_no_answer'
  | 'line_rejected'
  | 'line_closed_silent'
  | 'line_reset'
  | 'no_greeting'
  | 'connect_refused'
  | 'connect_timeout'
  | 'host_unknown'
  | 'connect_failed'
  | 'line_not_open'
  | 'line_open_elsewhere'
  | 'open_aborted'
  | 'input_queue_full'
  | 'floor_held'
  | 'floor_lost'
  | 'offset_out_of_range'
  | 'session_exited'
  | 'input_closed';

export interface CoreError {
  readonly name: LineErrorName;
  /** What was attempted, on what, what was found: one sentence. */
  readonly detail: string;
  readonly data?: Readonly<Record<string, unknown>>;
}

/** How long a wait goes on and what ends it; all times in ms. */
export interface Expectation {
  /** RE2 pattern, compiled by the channel; the caller has checked that it compiles. */
  readonly pattern?: string;
  readonly timeoutMs: number;
  readonly quietMs: number;
  readonly settleMs: number;
  /** Longest time behind a match that the answer goes on, however much comes; default: as long as it comes. */
  readonly settleLimitMs?: number;
  readonly returnAfterMs?: number;
  readonly autoMore: boolean;
  /** Pages that are turned for this wait. */
  readonly maxPages: number;
  /** `prompt`: silence is no end, only a pattern, a known ending or the timeout is. */
  readonly until?: 'prompt';
  /** Characters of output that end the wait. */
  readonly maxChars: number;
}

export type Reason =
  | 'matched'
  | 'prompt'
  | 'quiet'
  | 'timeout'
  | 'more_limit'
  | 'pager'
  | 'question'
  | 'limit'
  | 'still_waiting'
  | 'dead'
  | 'cancelled'
  | 'preempted'
  | 'interrupted';

/** A span of one stream: bytes `[start, end)`. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** How a wait ended, in offsets; text is made of it when it is handed out. */
export interface Settlement {
  readonly reason: Reason;
  readonly before?: Span;
  readonly output: Span;
  readonly echoEnd?: number;
  /** The echo is all that was typed, so that it may be left out. */
  readonly isEchoExact: boolean;
  readonly match?: Span;
  readonly accepted?: number;
  readonly sent?: number;
  /** Characters of the input whose echo came. */
  readonly echoed?: number;
  /** Input was certainly lost: characters before the one that was. */
  readonly overflow?: number;
  readonly pages: number;
  /** A program painted the screen meanwhile: the text is fragments, the screen says more. */
  readonly isPainting: boolean;
  /** Who took the floor, or sent the urgent key, that ended it. */
  readonly by?: Author;
}

export interface LineFacts {
  readonly state: 'closed' | 'connecting' | 'open' | 'dead';
  readonly phase?: 'tcp' | 'greeting';
  readonly reason?: string;
  readonly detail?: string;
  readonly host?: string;
  readonly port?: number;
  readonly codec: Codec;
}

export type ChannelInput =
  | ({ readonly kind: 'open'; readonly waitId: string; readonly reader: string } & OpenRequest)
  | { readonly kind: 'close' }
  /** Ends a telnet command that somebody's stray 0xFF began. */
  | { readonly kind: 'unstick' }
  /** What connecting has tried so far, for people. */
  | { readonly kind: 'tried'; readonly detail: string }
  | { readonly kind: 'connected' }
  | { readonly kind: 'data'; readonly bytes: Uint8Array }
  /** The far end finished its side (FIN). */
  | { readonly kind: 'ended' }
  | { readonly kind: 'failed'; readonly failure: ConnectionFailure; readonly detail: string }
  /** The socket took `bytes` more data bytes of what was written. */
  | { readonly kind: 'written'; readonly bytes: number }
  | ({ readonly kind: 'send' } & SendRequest)
  | ({ readonly kind: 'read' } & ReadRequest)
  | { readonly kind: 'cancel'; readonly waitId: string }
  | ({ readonly kind: 'floorRequest' } & FloorRequest)
  /** A call that was granted the floor is over. */
  | { readonly kind: 'floorDone'; readonly token: number }
  | { readonly kind: 'floorRelease'; readonly reader: string; readonly token?: number }
  /** Another process is about to go on with this channel. */
  | { readonly kind: 'suspend' }
  /** A client's connection is gone. */
  | { readonly kind: 'left'; readonly reader: string; readonly isNamed: boolean }
  | { readonly kind: 'mark' | 'say'; readonly author: Author; readonly text: string }
  | { readonly kind: 'tick' };

export interface OpenRequest {
  readonly host: string;
  readonly port: number;
  readonly timeoutMs: number;
}

export interface SendRequest {
  /** Goes before everything that waits, which is given up: a key that stops what runs. */
  readonly isUrgent?: boolean;
  /** Of the floor; without one, the floor must be free, unless the input is urgent. */
  readonly token?: number;
  readonly waitId: string;
  readonly reader: string;
  /** Name of the client, for the record; default: its reader's. */
  readonly client?: string;
  readonly bytes: Uint8Array;
  /** `false`: nothing shows what is typed, so that no output is taken for its echo. */
  readonly isEchoed?: boolean;
  /** Only its length goes on record. */
  readonly isSecret?: boolean;
  /** Nobody may see it in the output either, should it come back; nothing in the output is taken for its echo. */
  readonly isMasked?: boolean;
  /** The end of input is to be told behind it; only to a command. */
  readonly closesInput?: boolean;
  readonly expectation: Expectation;
}

export interface ReadRequest {
  readonly waitId: string;
  readonly reader: string;
  /** Read from here, and leave the reader's cursor alone. */
  readonly from?: number;
  readonly expectation: Expectation;
}

/** What can go wrong with a connection, told apart as far as the system tells. */
export type ConnectionFailure = 'refused' | 'timeout' | 'unknown_host' | 'reset' | 'other';

export type Effect =
  | { readonly kind: 'connect'; readonly host: string; readonly port: number }
  /** Ends the connection with RST, so that the simulator frees the line at once. */
  | { readonly kind: 'disconnect' }
  /** `dataBytes` of input, encoded for the socket; `written` returns their number when the socket has taken them. */
  | {
      readonly kind: 'write';
      readonly bytes: Uint8Array;
      readonly dataBytes: number;
      /** Telnet bytes, to go as they are. */
      readonly isCommand?: true;
    }
  /** Output that has come: data bytes from `offset` on. */
  | { readonly kind: 'append'; readonly offset: number; readonly bytes: Uint8Array }
  /** Something else has happened that is kept. */
  | { readonly kind: 'record'; readonly entry: Entry }
  | { readonly kind: 'floor'; readonly waitId: string; readonly answer: FloorAnswer }
  /** Somebody asks the holder for the floor. */
  | { readonly kind: 'asked'; readonly holder: Holder; readonly message: FloorMessage }
  | { readonly kind: 'settle'; readonly waitId: string; readonly settlement: Settlement }
  | { readonly kind: 'fail'; readonly waitId: string; readonly error: CoreError };
