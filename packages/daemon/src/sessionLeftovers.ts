/** What sessions of earlier daemons have left alive. Nothing joins them any more: who has left nothing is not looked for again. */
import type { Member } from './core/sessionState.ts';
import { findLeftovers } from './io/leftovers.ts';
import type { SessionRecord } from './sessionRecord.ts';
import { markOf } from './sessionStart.ts';

export type Leftover = Member & { readonly session: string };

export class Leftovers {
  /** Lost sessions that may have left something alive; undefined: all may. */
  #suspects: Set<string> | undefined;

  /** Of the lost sessions of this boot, all of them each time. */
  find(lost: readonly SessionRecord[]): readonly Leftover[] {
    const suspects = lost.filter(({ id }) => this.#suspects?.has(id) ?? true);
    const found = findLeftovers(
      suspects.map(({ id, pid, startTime, mark }) => ({
        id,
        leader: pid === undefined || startTime === undefined ? undefined : { pid, startTime },
        mark: markOf(mark),
      })),
    );
    this.#suspects = new Set([...found].flatMap(([id, { length }]) => (length > 0 ? [id] : [])));
    return [...found].flatMap(([session, members]) =>
      members.map(({ pid, name }) => ({ session, pid, name })),
    );
  }

  /** There is no such session any more. */
  forget(id: string): void {
    this.#suspects?.delete(id);
  }
}
