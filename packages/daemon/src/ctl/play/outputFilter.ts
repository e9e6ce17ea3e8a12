/**
 * What a recording may do to a terminal: what ours do (vt52ToAnsi.ts), and no more, whoever made it (I17). Printing
 * characters, CR, LF, BS, IND, RI, CUU, CUD, CUF, CHA, CUP, EL, DL and DECSTBM pass; colours, titles, answers, modes and
 * whatever else there is are left out. A sequence may be cut between two events.
 *
 * Source: ECMA-48 for the shape of sequences. One that is longer than any of ours is left out up to its end.
 */

/** Longest sequence that passes: DECSTBM with two numbers of four digits. */
const MAX_SEQUENCE_CHARS = 16;
const PASSING_CSI = /^[\d;]{0,9}[ABCGHKMr]$/;
const HIDDEN = /[\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/u;

type State = 'text' | 'escape' | 'escapeRest' | 'sequence' | 'string' | 'stringEscape';

export class OutputFilter {
  #state: State = 'text';
  #sequence = '';

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
        return code >= 0x20 && code <= 0x2f ? '' : this.#to('text');
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
    if (character === '\r' || character === '\n' || character === '\b') return character;
    if (code === 0x9b) return this.#to('sequence');
    if (code === 0x90 || code === 0x98 || (code >= 0x9d && code <= 0x9f)) return this.#to('string');
    return code < 0x20 || (code >= 0x7f && code <= 0x9f) || HIDDEN.test(character) ? '' : character;
  }

  #behindEscape(character: string, code: number): string {
    if (code === 0x1b) return '';
    if (character === '[') return this.#to('sequence');
    if ('P]X^_'.includes(character)) return this.#to('string');
    if (code >= 0x20 && code <= 0x2f) return this.#to('escapeRest');
    this.#to('text');
    return character === 'D' || character === 'M' ? `\x1b${character}` : '';
  }

  #inSequence(character: string, code: number): string {
    if (code === 0x1b) return this.#to('escape');
    if (this.#sequence.length < MAX_SEQUENCE_CHARS) this.#sequence += character;
    if (code < 0x40 || code > 0x7e) return '';
    const sequence = this.#sequence;
    this.#to('text');
    return PASSING_CSI.test(sequence) ? `\x1b[${sequence}` : '';
  }

  #to(state: State): '' {
    this.#state = state;
    this.#sequence = '';
    return '';
  }
}
