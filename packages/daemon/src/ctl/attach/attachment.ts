/** What attaching needs, and how it can end. */
import type { SessionFacts } from '@pidp10/protocol/sessionSchemas';
import type { DaemonAccess } from '../daemonAccess.ts';
import type { AttachTarget } from './target.ts';
import type { SignalSource, TtyInput, TtyOutput } from './tty.ts';

export type AttachEnd =
  | { readonly kind: 'detached' | 'interrupted' | 'hung_up' }
  | { readonly kind: 'signal'; readonly signal: NodeJS.Signals }
  /** The program is over; without facts its session was deleted. */
  | { readonly kind: 'exited'; readonly facts: SessionFacts | undefined }
  /** The daemon is gone and did not come back, or refuses. */
  | { readonly kind: 'failed'; readonly error: unknown };

export interface AttachOptions {
  readonly daemon: DaemonAccess;
  readonly target: AttachTarget;
  readonly input: TtyInput;
  readonly output: TtyOutput;
  readonly signals: SignalSource;
  readonly access: 'full' | 'read';
  readonly escapeKey: number;
  /** Ends it: ^C from outside, since the key goes to what is attached to. */
  readonly signal: AbortSignal;
}
