/** Rows of a screen for the wire. */
import type { ScreenSnapshot } from '../core/screen.ts';

/** Rows, from 0, that bytes behind `since` changed. */
export function changedRows(screen: ScreenSnapshot, since: number): number[] {
  return screen.changedAt.flatMap((at, row) => (at > since ? [row] : []));
}
