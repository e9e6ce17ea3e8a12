/** Cells of a screen's row, with what decides how they look. */
import type { IBufferCell, IBufferLine } from '@xterm/headless';

/** `palette`: 0 to 255; `rgb`: 24 bits. */
export interface Color {
  readonly kind: 'palette' | 'rgb';
  readonly value: number;
}

export interface Cell {
  /** The character with what is combined with it; a blank where nothing was printed. */
  readonly text: string;
  /** Columns, 1 or 2. */
  readonly width: number;
  readonly foreground?: Color;
  readonly background?: Color;
  readonly isBold?: true;
  readonly isDim?: true;
  readonly isItalic?: true;
  readonly isUnderlined?: true;
  readonly isInverse?: true;
  readonly isInvisible?: true;
}

/** Cells of a row; the second half of a wide character is none. */
export function cellsOf(line: IBufferLine | undefined): readonly Cell[] {
  const cells: Cell[] = [];
  for (let column = 0; column < (line?.length ?? 0); column += 1) {
    const cell = line?.getCell(column);
    if (cell !== undefined && cell.getWidth() > 0) cells.push(toCell(cell));
  }
  return cells;
}

function toCell(cell: IBufferCell): Cell {
  const foreground = toColor(cell.isFgRGB(), cell.isFgPalette(), cell.getFgColor());
  const background = toColor(cell.isBgRGB(), cell.isBgPalette(), cell.getBgColor());
  return {
    text: cell.getChars() || ' ',
    width: cell.getWidth(),
    ...(foreground === undefined ? {} : { foreground }),
    ...(background === undefined ? {} : { background }),
    ...(cell.isBold() === 0 ? {} : { isBold: true }),
    ...(cell.isDim() === 0 ? {} : { isDim: true }),
    ...(cell.isItalic() === 0 ? {} : { isItalic: true }),
    ...(cell.isUnderline() === 0 ? {} : { isUnderlined: true }),
    ...(cell.isInverse() === 0 ? {} : { isInverse: true }),
    ...(cell.isInvisible() === 0 ? {} : { isInvisible: true }),
  };
}

function toColor(isRgb: boolean, isPalette: boolean, value: number): Color | undefined {
  if (isRgb) return { kind: 'rgb', value };
  return isPalette ? { kind: 'palette', value } : undefined;
}
