/**
 * What output may do to a terminal, and no more (I17): rules say what passes, everything else is left out. Strings (titles, the
 * clipboard, DCS) never pass. A sequence may be cut between two pieces.
 *
 * Source: ECMA-48 for the shape of sequences. One that is longer than any that passes is left out up to its end.
 */

export interface FilterRules {
  /** Longest sequence that passes, in characters behind CSI or ESC. */
  readonly maxSequenceChars: number;
  /** C0 controls that pass. */
  readonly controls: string;
  readonly isHidden: (character: string) => boolean;
  /** What becomes of a control sequence: parameters, intermediates and the final byte in, what is written out. */
  readonly toCsi: (sequence: string) => string;
  /** And of intermediates and the final byte behind ESC. */
  readonly toEscape: (sequence: string) => string;
}

const PASSING_CSI = /^[\d;]{0,9}[ABCGHKMr]$/;
const HIDDEN = /[\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/u;

/**
 * What a recording may do: what ours do (vt52ToAnsi.ts), whoever made it. Printing characters, CR, LF, BS, IND, RI, CUU, CUD,
 * CUF, CHA, CUP, EL, DL and DECSTBM pass; colours, answers, modes and whatever else there is are left out.
 */
const RECORDING: FilterRules = {
  // DECSTBM with two numbers of four digits.
  maxSequenceChars: 16,
  controls: '\r\n\b',
  isHidden: (character) => HIDDEN.test(character),
  toCsi: (sequence) => (PASSING_CSI.test(sequence) ? `\x1b[${sequence}` : ''),
  toEscape: (sequence) => (sequence === 'D' || sequence === 'M' ? `\x1b${sequence}` : ''),
};

type State = 'text' | 'escape' | 'escapeRest' | 'sequence' | 'string' | 'stringEscape';

export class OutputFilter {
  readonly #rules: FilterRules;
  #state: State = 'text';
  #sequence = '';

  constructor(rules: FilterRules = RECORDING) {
    this.#rules = rules;
  }

  push(text: string): string {
    let out = '';
    for (const character of text) out += this.#take(character);
    return out;
  }

  #take(character: string): string {
    const code = character.codePointAt(0) ?? 0;
    // CAN and SUB end whatever it is.
    if (code === 0x18 || code === 0x1a) return this.#to('text');
    switch (this.#state) {
      case 'text':
        return this.#inText(character, code);
      case 'escape':
        return this.#behindEscape(character, code);
      case 'escapeRest':
        return this.#behindEscape(character, code);
      case 'sequence':
        return this.#inSequence(character, code);
      case 'string':
        if (code === 0x07 || code === 0x9c) return this.#to('text');
        return code === 0x1b ? this.#to('stringEscape') : '';
      case 'stringEscape':
        if (character === '\\') return this.#to('text');
        this.#state = 'escape';
        return this.#behindEscape(character, code);
      default:
        return this.#state satisfies never;
    }
  }

  #inText(character: string, code: number): string {
    if (code === 0x1b) return this.#to('escape');
    if (this.#rules.controls.includes(character)) return character;
    if (code === 0x9b) return this.#to('sequence');
    if (code === 0x90 || code === 0x98 || (code >= 0x9d && code <= 0x9f)) return this.#to('string');
    return code < 0x20 || (code >= 0x7f && code <= 0x9f) || this.#rules.isHidden(character) ? '' : character;
  }

  #behindEscape(character: string, code: number): string {
    if (code === 0x1b) return this.#to('escape');
    if (this.#state === 'escape') {
      if (character === '[') return this.#to('sequence');
      if ('P]X^_'.includes(character)) return this.#to('string');
    }
    this.#collect(character);
    if (code >= 0x20 && code <= 0x2f) this.#state = 'escapeRest';
    else return this.#finish(this.#rules.toEscape);
    return '';
  }

  #inSequence(character: string, code: number): string {
    if (code === 0x1b) return this.#to('escape');
    this.#collect(character);
    return code < 0x40 || code > 0x7e ? '' : this.#finish(this.#rules.toCsi);
  }

  /** One character more than passes shows that it is too long. */
  #collect(character: string): void {
    if (this.#sequence.length <= this.#rules.maxSequenceChars) this.#sequence += character;
  }

  #finish(toOutput: (sequence: string) => string): string {
    const sequence = this.#sequence;
    this.#to('text');
    return sequence.length > this.#rules.maxSequenceChars ? '' : toOutput(sequence);
  }

  #to(state: State): '' {
    this.#state = state;
    this.#sequence = '';
    return '';
  }
}
