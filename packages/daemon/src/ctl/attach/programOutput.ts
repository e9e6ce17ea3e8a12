/**
 * What a program's output may do to the terminal that is attached to it (I17): text, colours, motions, erasing, scrolling,
 * character sets, the bell, and those modes that PROGRAM_MODES (tty.ts) takes back. Left out are titles, the clipboard, graphics
 * and what else comes as a string; whatever a terminal would answer, because the daemon's emulation has answered already; and
 * what a window manager would do.
 *
 * The alternate screen is ours while we are attached: going to that of the program clears it; coming back from it needs the
 * screen that the daemon has.
 *
 * Source: xterm's ctlseqs; ECMA-48.
 */
import { type FilterRules, OutputFilter } from '../play/outputFilter.ts';

/** Colours of a run of cells in one sequence. */
const MAX_SEQUENCE_CHARS = 256;
/** BEL BS HT LF VT FF CR SO SI. */
const CONTROLS = '\x07\b\t\n\v\f\r\x0e\x0f';
/**
 * Without a prefix: `?`, `>`, `=` and `<` in front make most of them something else. Counts have four digits, so that nothing
 * is repeated for ever.
 */
const PASSING_CSI = /^[\d;:]*m$|^\d{0,4}(;\d{0,4})*[@A-MPSTXZ`abdefgrsu]$|^\d? q$|^!p$|^\?\d?[JK]$/;
/** IND, NEL, HTS, RI, save and restore, keypad; character sets; the alignment pattern. */
const PASSING_ESCAPE = /^[DEHM78=>]$|^[()*+][0AB]$|^#8$/;
const MODE = /^(\??)([\d;]+)([hl])$/;
const PRIVATE_MODES = new Set([1, 5, 6, 7, 12, 25, 45, 1000, 1002, 1003, 1004, 1005, 1006, 1015, 2004, 2026]);
const ALTERNATE_SCREEN = new Set([47, 1047, 1049]);
/** IRM. */
const INSERT_MODE = 4;
const ERASE_ALL = '\x1b[2J';
const SOFT_RESET = '\x1b[!p\x1b[m\x1b[2J\x1b[H';

export class ProgramOutput {
  readonly #decoder = new TextDecoder();
  readonly #filter: OutputFilter;
  #hasLeft = false;

  constructor() {
    const rules: FilterRules = {
      maxSequenceChars: MAX_SEQUENCE_CHARS,
      controls: CONTROLS,
      isHidden: () => false,
      toCsi: (sequence) => this.#toCsi(sequence),
      toEscape: (sequence) => {
        // RIS would leave the alternate screen.
        if (sequence === 'c') return SOFT_RESET;
        return PASSING_ESCAPE.test(sequence) ? `\x1b${sequence}` : '';
      },
    };
    this.#filter = new OutputFilter(rules);
  }

  /** `hasLeft`: the program has left the alternate screen, and what is behind it has to be painted. */
  push(bytes: Uint8Array): { readonly text: string; readonly hasLeft: boolean } {
    this.#hasLeft = false;
    const text = this.#filter.push(this.#decoder.decode(bytes, { stream: true }));
    return { text, hasLeft: this.#hasLeft };
  }

  #toCsi(sequence: string): string {
    const [, mark = '', numbers, final] = MODE.exec(sequence) ?? [];
    if (numbers === undefined) return PASSING_CSI.test(sequence) ? `\x1b[${sequence}` : '';
    const modes = numbers.split(';').map(Number);
    if (mark === '') return modes.includes(INSERT_MODE) ? `\x1b[${INSERT_MODE}${final}` : '';
    const passing = modes.filter((mode) => PRIVATE_MODES.has(mode));
    const isScreen = modes.some((mode) => ALTERNATE_SCREEN.has(mode));
    if (isScreen && final === 'l') this.#hasLeft = true;
    return [
      ...(isScreen && final === 'h' ? [ERASE_ALL] : []),
      ...(passing.length > 0 ? [`\x1b[?${passing.join(';')}${final}`] : []),
    ].join('');
  }
}
