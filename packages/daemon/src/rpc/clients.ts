/** Who is connected, by the connections' own words. */
import type { Session } from './session.ts';

export class Clients {
  readonly #sessions = new Set<Session>();
  readonly #watches = new Map<Session, number>();

  /** Those that have said hello, the oldest first. */
  get all(): readonly Session[] {
    return [...this.#sessions];
  }

  add(session: Session): void {
    this.#sessions.add(session);
  }

  remove(session: Session): void {
    this.#sessions.delete(session);
    this.#watches.delete(session);
  }

  /** The connection that holds this reader now. */
  ownerOf(reader: string): Session | undefined {
    return this.all.find((session) => session.reader === reader);
  }

  watches(session: Session): number {
    return this.#watches.get(session) ?? 0;
  }

  setWatches(session: Session, count: number): void {
    this.#watches.set(session, count);
  }
}
