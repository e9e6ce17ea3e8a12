/**
 * Where a followed screen is shown. A terminal gets its alternate screen, so that what stood there before comes back; a
 * pipe gets one screen below the other. Control functions: ECMA-48, and xterm's private modes 7 (wrap) and 1049.
 */
import type { MethodResult } from '@pidp10/protocol/methods';
import { describeActivity } from './activity.ts';
import type { Output } from './command.ts';
import { neutralize } from './neutralize.ts';
import { describeCursor } from './render.ts';

type ScreenResult = MethodResult<'line.screen'>;

const ENTER = '\x1b[?1049h\x1b[?7l\x1b[2J';
const LEAVE = '\x1b[?7h\x1b[?1049l';
const ERASE_REST_OF_ROW = '\x1b[K';
const REVERSE = '\x1b[7m';
const PLAIN = '\x1b[m';
/** Rows of a terminal that does not tell. */
const DEFAULT_ROWS = 24;

export interface ScreenView extends Disposable {
  readonly show: (screen: ScreenResult) => void;
}

/** Disposing leaves the terminal as it was. */
export function openScreenView(output: Output): ScreenView {
  if (output.isTTY !== true)
    return { show: (screen) => void output.write(toPlain(screen)), [Symbol.dispose]: () => {} };
  output.write(ENTER);
  return {
    show: (screen) => void output.write(toPainting(screen, output.rows ?? DEFAULT_ROWS)),
    [Symbol.dispose]: () => void output.write(LEAVE),
  };
}

function toPlain({ rows, cursor, offset }: ScreenResult): string {
  const text = rows.map((row) => `${neutralize(row)}\n`).join('');
  return `${text}--- ${describeCursor(cursor)}, offset ${offset}\n`;
}

/** One write for the whole screen, so that nothing flickers. A lower terminal shows the part with the cursor. */
export function toPainting({ rows, cursor, activity }: ScreenResult, height: number): string {
  const first = Math.max(0, Math.min(cursor.row, rows.length - 1) - height + 1);
  const shown = rows.slice(first, first + height);
  const painted = shown.map((row, index) => `${moveTo(index, 0)}${neutralize(row)}${ERASE_REST_OF_ROW}`);
  const status = `${moveTo(shown.length, 0)}${REVERSE}${neutralize(describeActivity(activity))}; ^C ends${PLAIN}${ERASE_REST_OF_ROW}`;
  return [
    ...painted,
    ...(height > shown.length ? [status] : []),
    moveTo(cursor.row - first, cursor.column),
  ].join('');
}

/** Both from 0. */
function moveTo(row: number, column: number): string {
  return `\x1b[${row + 1};${column + 1}H`;
}
