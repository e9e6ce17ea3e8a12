/** What attaching needs, and how it can end. */
import type { DaemonAccess } from '../daemonAccess.ts';
import type { SignalSource, TtyInput, TtyOutput } from './tty.ts';

export type AttachEnd =
  | { readonly kind: 'detached' | 'interrupted' | 'hung_up' }
  | { readonly kind: 'signal'; readonly signal: NodeJS.Signals }
  /** The daemon is gone and did not come back, or refuses. */
  | { readonly kind: 'failed'; readonly error: unknown };

export interface AttachOptions {
  readonly daemon: DaemonAccess;
  readonly input: TtyInput;
  readonly output: TtyOutput;
  readonly signals: SignalSource;
  readonly access: 'full' | 'read';
  readonly escapeKey: number;
  /** Ends it: ^C from outside, since the key is one for the line. */
  readonly signal: AbortSignal;
}
