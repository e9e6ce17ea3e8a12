/**
 * Tells the bytes that show a character from those that only move or colour: C0 controls, and escape sequences of a VT52 and
 * of an ANSI terminal (ECMA-48) alike. The contents of control strings (a window title) count as shown.
 */

const ESC = 0x1b;
const DEL = 0x7f;
const BLANK = 0x20;
const CSI = 0x5b;
const VT52_ADDRESS = 0x59;

export type PrintableState = 'ground' | 'escape' | 'parameters' | 'intermediate' | 'row' | 'column';

/** Whether `byte` shows something, and the state for the byte behind it. */
export function nextPrintable(
  state: PrintableState,
  byte: number,
): { readonly isShown: boolean; readonly state: PrintableState } {
  if (byte === ESC) return { isShown: false, state: 'escape' };
  // Controls act inside a sequence as they do outside (ECMA-48); of a VT52's address they are no part either.
  if (byte < BLANK || byte === DEL) return { isShown: false, state };
  switch (state) {
    case 'ground':
      return { isShown: true, state };
    case 'escape':
      return { isShown: false, state: afterEscape(byte) };
    case 'parameters':
      return { isShown: false, state: byte >= 0x40 && byte < DEL ? 'ground' : state };
    case 'intermediate':
      return { isShown: false, state: byte >= 0x30 ? 'ground' : state };
    case 'row':
      return { isShown: false, state: 'column' };
    case 'column':
      return { isShown: false, state: 'ground' };
    default:
      return state satisfies never;
  }
}

function afterEscape(byte: number): PrintableState {
  if (byte === CSI) return 'parameters';
  if (byte === VT52_ADDRESS) return 'row';
  return byte < 0x30 ? 'intermediate' : 'ground';
}
