/** One connection as the handlers see it. */
import type { RequestContext } from '@pidp10/protocol/incomingRequests';
import type { NotificationName, NotificationParams } from '@pidp10/protocol/methods';
import type { Author } from '../core/timeline.ts';

/** The way to the client for what it did not ask for call by call. */
export interface Outlet {
  /** Bytes that were given to the connection and that the client has not taken yet. */
  readonly unsentBytes: number;
  notify<N extends NotificationName>(name: N, params: NotificationParams<N>): void;
  /** Runs `callback` once, when the client has taken everything; never after the connection's end. */
  whenDrained(callback: () => void): void;
}

export interface Session {
  /** Unique among connections; also the key of the private cursor of a client without a reader. */
  readonly id: string;
  client: { readonly name: string; readonly version: string } | undefined;
  /** Key of its place in the readers: a claimed name, or its id. Undefined before hello. */
  reader: string | undefined;
  isNamed: boolean;
  commit: 'manual' | 'auto';
  /** `read`: a spy, who never types. */
  access: 'full' | 'read';
  /** Wall clock of its hello, in ms. */
  sinceMs: number;
  outlet: Outlet | undefined;
}

export function createSession(id: string): Session {
  return {
    id,
    client: undefined,
    reader: undefined,
    isNamed: false,
    commit: 'auto',
    access: 'full',
    sinceMs: 0,
    outlet: undefined,
  };
}

/** Who types or speaks through this connection. */
export function authorOf(session: Session): Author {
  return { client: session.client?.name ?? session.id, reader: session.reader ?? session.id };
}

/** A request on its way through a handler. */
export interface Call extends RequestContext {
  readonly session: Session;
}
