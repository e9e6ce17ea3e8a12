/**
 * Escape text: what people and models write to type control characters (the notation of pidp10-mcp).
 *
 *     text    = { escape | character } [ "~-" ]
 *     escape  = "~z" 1A | "~e" 1B | "~c" 03 | "~g" 07 | "~d" 7F (rubout) | "~s" 13 | "~o" 0F
 *             | "~r" 0D | "~n" 0A | "~t" 09 | "~~" 7E | "~x" hex hex
 *     "~-"    only at the very end: no CR is appended
 *
 * Unless raw, LF and CR LF written in the text become CR (`~n` does not), and one CR is appended when the text ends
 * neither in `~-` nor in a line end of its own: "x" and "x\n" are both one line, hence one Enter.
 * Pure: it knows nothing of lines, telnet or pacing.
 */

const LETTERS: Readonly<Record<string, number>> = {
  z: 0x1a,
  e: 0x1b,
  c: 0x03,
  g: 0x07,
  d: 0x7f,
  s: 0x13,
  o: 0x0f,
  r: 0x0d,
  n: 0x0a,
  t: 0x09,
  '~': 0x7e,
};

const TILDE = 0x7e;
const CR = 0x0d;
const LF = 0x0a;
/** TOP-minus of an ITS keyboard: begins commands to the system's terminal driver, such as com links. */
const TERMINAL_ESCAPE = 0x1f;

const ALLOWED =
  'Allowed are ~z ~e ~c ~g ~d ~s ~o ~r ~n ~t, ~xNN with two hex digits, ~~ for a tilde, and ~- at the very end.';

export interface EscapeOptions {
  /** Bits of a byte that the line carries. With 7, `~x80` to `~xFF` are refused. */
  readonly bits: 7 | 8;
  /** The expanded bytes as they are: LF stays, nothing is appended. */
  readonly raw: boolean;
}

export type Expansion =
  | {
      readonly kind: 'bytes';
      readonly bytes: Uint8Array;
      /** No CR was to be appended: `~-`, or raw. */
      readonly noReturn: boolean;
    }
  | {
      readonly kind: 'refused';
      readonly error: 'bad_escape' | 'input_not_seven_bit';
      /** 0-based index into the text. All before it is ASCII, so that it counts bytes, characters and UTF-16 alike. */
      readonly position: number;
      /** A sentence that names position and cause. */
      readonly message: string;
    };

/** Expands the whole text or refuses the whole text: nothing is ever sent of an input with a fault in it. */
export function expandEscapes(text: string, options: EscapeOptions): Expansion {
  const bytes: number[] = [];
  let endsLine = false;
  let noReturn = options.raw;
  let at = 0;
  while (at < text.length) {
    if (text.startsWith('~-', at) && at + 2 === text.length) {
      noReturn = true;
      break;
    }
    const step = text[at] === '~' ? readEscape(text, at, options.bits) : readCharacter(text, at, options);
    if (step.kind === 'refused') return step;
    bytes.push(step.byte);
    endsLine = step.endsLine;
    at += step.length;
  }
  if (!noReturn && !endsLine) bytes.push(CR);
  return { kind: 'bytes', bytes: Uint8Array.from(bytes), noReturn };
}

type Refusal = Extract<Expansion, { kind: 'refused' }>;

interface Step {
  readonly kind: 'step';
  readonly byte: number;
  /** Characters consumed. */
  readonly length: number;
  /** A line end written as such. `~r` is a byte that somebody asked for, not the end of his line. */
  readonly endsLine: boolean;
}

function readEscape(text: string, at: number, bits: 7 | 8): Step | Refusal {
  const letter = text[at + 1];
  if (letter === undefined) return badEscape(at, `Unfinished escape ~ at position ${at}.`);
  if (letter === '-') return badEscape(at, `~- at position ${at} is not at the very end.`);
  if (letter === 'x') {
    const digits = text.slice(at + 2, at + 4);
    if (!/^[0-9A-Fa-f]{2}$/.test(digits)) {
      return badEscape(
        at,
        `Unfinished escape ${show(`~x${digits}`)} at position ${at}: two hex digits must follow.`,
      );
    }
    const byte = Number.parseInt(digits, 16);
    if (byte > 0x7f && bits === 7) {
      const message = `~x${digits} at position ${at} does not fit a 7-bit line.`;
      return { kind: 'refused', error: 'input_not_seven_bit', position: at, message };
    }
    return { kind: 'step', byte, length: 4, endsLine: false };
  }
  const byte = Object.hasOwn(LETTERS, letter) ? LETTERS[letter] : undefined;
  if (byte === undefined) {
    const written = String.fromCodePoint(text.codePointAt(at + 1) ?? 0);
    return badEscape(at, `Unknown escape ${show(`~${written}`)} at position ${at}.`);
  }
  return { kind: 'step', byte, length: 2, endsLine: false };
}

function readCharacter(text: string, at: number, { bits, raw }: EscapeOptions): Step | Refusal {
  const code = text.codePointAt(at) ?? 0;
  if (code > 0x7f) {
    const why =
      bits === 7 ? 'cannot be sent on a 7-bit line.' : 'has no byte of its own; write bytes as ~x80 to ~xFF.';
    const character = isSurrogate(code) ? 'Half a character' : `"${String.fromCodePoint(code)}"`;
    const message = `${character} (${toCodePointName(code)}) at position ${at} ${why}`;
    return { kind: 'refused', error: 'input_not_seven_bit', position: at, message };
  }
  if (code === TERMINAL_ESCAPE) {
    const message = `U+001F at position ${at} begins commands to the ITS terminal driver; write ~x1F if that is meant.`;
    return { kind: 'refused', error: 'input_not_seven_bit', position: at, message };
  }
  if (raw) return { kind: 'step', byte: code, length: 1, endsLine: false };
  if (code === CR) return { kind: 'step', byte: CR, length: text[at + 1] === '\n' ? 2 : 1, endsLine: true };
  if (code === LF) return { kind: 'step', byte: CR, length: 1, endsLine: true };
  return { kind: 'step', byte: code, length: 1, endsLine: false };
}

function badEscape(position: number, problem: string): Refusal {
  return { kind: 'refused', error: 'bad_escape', position, message: `${problem} ${ALLOWED}` };
}

/** Control characters and half characters in a message would be noise, or worse. */
function show(written: string): string {
  return Array.from(written, (character) => {
    const code = character.codePointAt(0) ?? 0;
    const isPlain = code >= 0x20 && code !== 0x7f && !(code >= 0x80 && code < 0xa0) && !isSurrogate(code);
    return isPlain ? character : `<${toCodePointName(code)}>`;
  }).join('');
}

function isSurrogate(code: number): boolean {
  return code >= 0xd800 && code <= 0xdfff;
}

function toCodePointName(code: number): string {
  return `U+${code.toString(16).toUpperCase().padStart(4, '0')}`;
}

/** The text that `expandEscapes` turns into exactly these bytes, raw or not. */
export function toEscapes(bytes: Uint8Array): string {
  const names = new Map(Object.entries(LETTERS).map(([letter, byte]) => [byte, `~${letter}`]));
  let text = '';
  for (const byte of bytes) {
    if (byte >= 0x20 && byte < TILDE) text += String.fromCharCode(byte);
    else text += names.get(byte) ?? `~x${byte.toString(16).toUpperCase().padStart(2, '0')}`;
  }
  return `${text}~-`;
}

/** For people: `^Z ":login rms" CR`. Printing text in quotes, control characters by name. */
export function describeBytes(bytes: Uint8Array): string {
  const parts: string[] = [];
  let text = '';
  const flush = () => {
    if (text !== '') parts.push(JSON.stringify(text));
    text = '';
  };
  for (const byte of bytes) {
    if (byte >= 0x20 && byte < 0x7f) {
      text += String.fromCharCode(byte);
      continue;
    }
    flush();
    parts.push(toByteName(byte));
  }
  flush();
  return parts.join(' ');
}

function toByteName(byte: number): string {
  switch (byte) {
    case CR:
      return 'CR';
    case LF:
      return 'LF';
    case 0x09:
      return 'TAB';
    case 0x1b:
      return 'ESC';
    case 0x7f:
      return 'RUBOUT';
    default:
      return byte < 0x20
        ? `^${String.fromCharCode(byte + 0x40)}`
        : `x${byte.toString(16).toUpperCase().padStart(2, '0')}`;
  }
}
