/** What a typed byte looks like when it comes back, as the text view tells it (measured, docs/its-line.md 4 and 13). */

const TAB = 0x09;
const LF = 0x0a;
const CR = 0x0d;
const ESC = 0x1b;
const DEL = 0x7f;

/** Itself; a line end for CR and LF; `$` for ESC; `^X` for a control character; of a rubout's BS SP BS the blank. */
export function echoOf(byte = 0): string {
  if (byte === CR || byte === LF) return '\n';
  if (byte === TAB) return '\t';
  if (byte === ESC) return '$';
  if (byte === DEL) return ' ';
  return byte < 0x20 ? `^${String.fromCharCode(byte + 0x40)}` : String.fromCharCode(byte);
}

/** Longest argument list that every engine takes. */
const APPLY_LIMIT = 8_192;
/** Below the blank. */
const CONTROLS = /[^ -\uffff]/g;

/** Echo of an input up to its first rubout or 8-bit byte: those come back in many ways, nothing behind can be told. */
export function sureEchoOf(input: Uint8Array): string {
  let length = 0;
  while (length < input.length && (input[length] ?? DEL) < DEL) length += 1;
  // A MiB of it is one step: characters are made by the thousand, and only the few controls one by one.
  let text = '';
  for (let from = 0; from < length; from += APPLY_LIMIT) {
    const codes = input.subarray(from, Math.min(from + APPLY_LIMIT, length));
    text += Reflect.apply(String.fromCharCode, undefined, codes) as string;
  }
  return text.replace(CONTROLS, (control) => echoOf(control.charCodeAt(0)));
}

/** Keys that a program may take without a character to be seen: control characters, rubout, 8-bit bytes. */
export function mayShowNothing(byte = 0): boolean {
  return byte < 0x20 || byte >= DEL;
}

/** How many echoes are complete with the first `chars` characters of all. */
export function wholeIn(echoes: readonly string[], chars: number): number {
  let [end, count] = [0, 0];
  for (const echo of echoes) {
    end += echo.length;
    if (end > chars) break;
    count += 1;
  }
  return count;
}

/**
 * Where in `echo` that ends which was heard, if it stands there from `at` on. `isPrinting`: line ends in it may be those of
 * messages.
 */
export function endAt(echo: string, at: number, heard: string, isPrinting: boolean): number | undefined {
  let end = at;
  for (const character of heard) {
    if (echo.charAt(end) === character) end += 1;
    else if (character !== '\n' || !isPrinting) return undefined;
  }
  return end;
}
