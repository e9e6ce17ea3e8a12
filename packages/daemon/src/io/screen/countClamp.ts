/**
 * Lets a terminal's output through with the counts of its control sequences clamped to the screen (X12), for an emulation that
 * would carry out a scroll by a thousand million lines one by one.
 *
 * What the screen shows stays the same: to insert, delete, scroll, tab or repeat more often than there are rows or columns
 * changes nothing more. Parameters are held back until their sequence is complete.
 */

/** Rows: IL, DL, SU, SD. */
const ROW_COUNTS = 'LMST';
/** Columns: ICH, DCH, ECH, CHT, CBT, REP. */
const COLUMN_COUNTS = '@PXIZb';
/** Everything else: modes and keys have five digits at most. */
const NUMBER_LIMIT = 65_535;
/** Parameter bytes that are held back; those behind them are dropped. */
const HELD_LIMIT = 256;

const ESC = 0x1b;
const OPENING_BRACKET = 0x5b;
/** CSI as one character, in UTF-8: emulations read that too. */
const CSI_LEAD = 0xc2;
const CSI_TAIL = 0x9b;

export interface CountClampSnapshot {
  readonly state: 'ground' | 'escape' | 'lead' | 'control';
  readonly held: string;
}

export class CountClamp {
  #state: CountClampSnapshot['state'];
  #held: string;

  constructor(snapshot: CountClampSnapshot = { state: 'ground', held: '' }) {
    this.#state = snapshot.state;
    this.#held = snapshot.held;
  }

  snapshot(): CountClampSnapshot {
    return { state: this.#state, held: this.#held };
  }

  /** What the emulation may see of `bytes` on a screen of that size. */
  pass(bytes: Uint8Array, rows: number, columns: number): Uint8Array {
    if (this.#state === 'ground' && !bytes.includes(ESC) && !bytes.includes(CSI_LEAD)) return bytes;
    const out: number[] = [];
    for (const byte of bytes) this.#take(byte, out, rows, columns);
    return Uint8Array.from(out);
  }

  #take(byte: number, out: number[], rows: number, columns: number): void {
    if (byte === ESC) this.#enter('escape');
    else if (this.#state === 'control') {
      this.#control(byte, out, rows, columns);
      return;
    } else if (this.#state === 'escape' && byte === OPENING_BRACKET) this.#enter('control');
    else if (this.#state === 'lead' && byte === CSI_TAIL) this.#enter('control');
    else if (byte === CSI_LEAD) this.#enter('lead');
    // Controls inside a sequence act at once and leave it as it was.
    else if (!(this.#state === 'escape' && byte < 0x20)) this.#enter('ground');
    out.push(byte);
  }

  #control(byte: number, out: number[], rows: number, columns: number): void {
    if (byte >= 0x20 && byte < 0x40) {
      if (this.#held.length < HELD_LIMIT) this.#held += String.fromCharCode(byte);
      return;
    }
    if (byte < 0x20 && byte !== 0x18 && byte !== 0x1a) {
      out.push(byte);
      return;
    }
    const final = String.fromCharCode(byte);
    const clamped = clamp(this.#held, final, rows, columns);
    for (let index = 0; index < clamped.length; index += 1) out.push(clamped.charCodeAt(index));
    out.push(byte);
    this.#enter('ground');
  }

  #enter(state: CountClampSnapshot['state']): void {
    this.#state = state;
    this.#held = '';
  }
}

function clamp(parameters: string, final: string, rows: number, columns: number): string {
  if (parameters === '') return parameters;
  let limit = NUMBER_LIMIT;
  if (ROW_COUNTS.includes(final)) limit = rows;
  if (COLUMN_COUNTS.includes(final)) limit = columns;
  return parameters.replace(/\d+/g, (digits) => String(Math.min(Number(digits), limit)));
}
