/** One connection as the handlers see it. */
import type { RequestContext } from '@pidp10/protocol/incomingRequests';

export interface Session {
  /** Unique among connections; also the key of the private cursor of a client without a reader. */
  readonly id: string;
  client: { readonly name: string; readonly version: string } | undefined;
  /** Key of its place in the readers: a claimed name, or its id. Undefined before hello. */
  reader: string | undefined;
  isNamed: boolean;
  commit: 'manual' | 'auto';
}

export function createSession(id: string): Session {
  return { id, client: undefined, reader: undefined, isNamed: false, commit: 'auto' };
}

/** A request on its way through a handler. */
export interface Call extends RequestContext {
  readonly session: Session;
}
