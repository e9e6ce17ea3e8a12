/** What a terminal is attached to, the line or a command session, as far as the two differ. */
import type { ClientApi } from '@pidp10/protocol/clientApi';
import type { MethodInput, MethodName, MethodResult } from '@pidp10/protocol/methods';
import type { DaemonClient } from '@pidp10/protocol/node/daemonClient';
import type { SessionFacts } from '@pidp10/protocol/sessionSchemas';
import type { DaemonAccess } from '../daemonAccess.ts';
import type { Part, Size } from './frame.ts';
import type { KeyEvent } from './keys.ts';
import type { TtyModes } from './tty.ts';
import type { Floor, Sent, Typing, TypingHabits } from './typist.ts';

/** Makes a call and hands its result on; what goes wrong is somebody else's to say. */
export type Ask = <M extends MethodName>(
  method: M,
  input: MethodInput<M>,
  show: (result: MethodResult<M>) => void,
) => void;

/** The keyboard: bytes and the time in, events out. */
export interface KeyReader {
  readonly deadlineMs: number | undefined;
  push(bytes: Uint8Array, nowMs: number): readonly KeyEvent[];
  tick(nowMs: number): readonly KeyEvent[];
}

export interface LinkEvents {
  /** `paint` makes an empty terminal show the screen; `grid` is its size. */
  readonly onBegun: (begun: { readonly paint: string; readonly grid: Size; readonly floor: Floor }) => void;
  /** Follows the painting. */
  readonly onOutput: (text: string) => void;
  readonly onFloor: (floor: Floor) => void;
  /** A sentence for the status line. */
  readonly onSaid: (text: string) => void;
  /** A program is over, and all its output has come. */
  readonly onExit: (facts: SessionFacts | undefined) => void;
  /** The connection is lost; it is dialled anew. */
  readonly onLost: () => void;
  /** And this is another one. */
  readonly onBack: () => void;
  /** For good. */
  readonly onGone: (error: unknown) => void;
}

export interface OpenOptions {
  readonly daemon: DaemonAccess;
  /** `read`: a spy, whom the daemon lets type nothing. */
  readonly access: 'full' | 'read';
  /** Of the user's terminal, now. */
  readonly size: () => Size;
  readonly events: LinkEvents;
}

export interface AttachLink extends AsyncDisposable {
  /** Undefined while the daemon is away. */
  readonly client: DaemonClient | undefined;
  /** Begins a new watch, which paints the screen as it is now. Calls on the way to it are one. */
  watch(): void;
}

export interface AttachTarget {
  /** As in "back to the line". */
  readonly what: string;
  /** Its screen can be shown only by a terminal of the same size, for its bytes go there as they are. */
  readonly isExact: boolean;
  readonly modes: TtyModes;
  readonly habits: TypingHabits;
  /** Whose floor it is, for floor.*. */
  readonly floorOf: { readonly session?: string };
  /** Keys behind the escape sequence that it has none of. */
  readonly missingKeys: string;
  createKeys(escapeKey: number): KeyReader;
  /** Rejects as `DaemonAccess.connect` does. Nothing is watched yet. */
  open(options: OpenOptions): Promise<AttachLink>;
  /** Never rejects. */
  send(client: ClientApi, typing: Typing, token: number): Promise<Sent>;
  /** What is out of the ordinary with it, or empty. */
  describeTrouble(): string;
  askInfo(ask: Ask, show: (lines: readonly string[]) => void): void;
  /** What was said before, the newest so many characters or more. */
  askPast(ask: Ask, chars: number, show: (text: string) => void): void;
  askScreen(ask: Ask, show: (part: Part) => void): void;
}
