/** What a session's driver is given: at its birth, and when its process runs. */
import type { SessionChannelOptions, SessionRestore } from './core/sessionChannel.ts';
import type { SessionStream } from './core/sessionState.ts';
import type { OutputTurns } from './io/outputTurns.ts';
import type { ProcessHandle } from './io/process/processHandle.ts';
import type { ProcessTree } from './io/processTree.ts';
import type { SessionRecord } from './sessionRecord.ts';
import type { SessionTerminal } from './sessionTerminal.ts';
import type { StreamKeeper } from './streamDriver.ts';

export interface SessionDriverOptions extends Omit<SessionChannelOptions, 'isPty' | 'splitStderr'> {
  readonly record: SessionRecord;
  readonly filesDir: string;
  readonly keepers: Partial<Record<SessionStream, StreamKeeper>>;
  /** Of a program that is gone. */
  readonly snapshot?: SessionRestore | undefined;
  readonly turns: OutputTurns;
  /** What is known of the session is another than before. */
  readonly onRecord: (record: SessionRecord) => void;
  /** Something has happened that watchers of all sessions hear of. */
  readonly onNews: () => void;
  /** It has exited and all its output has come. */
  readonly onOver: () => void;
  /** When it is cleaned away, on the wall clock, in ms. */
  readonly expiresMs: () => number | undefined;
}

export interface RunningProcess {
  readonly handle: ProcessHandle;
  readonly tree: ProcessTree;
  readonly terminal: SessionTerminal | undefined;
}
