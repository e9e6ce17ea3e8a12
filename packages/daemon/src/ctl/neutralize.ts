/**
 * The one border between what a far end can say and the user's terminal (I17). A terminal obeys control characters: it
 * would set its title, fill the clipboard, type answers. What can act or hide becomes visible text instead.
 */

/** Controls (C0, DEL, C1), formatting (bidi, zero width, tags), line separators, half characters, invisible ones. */
const UNSAFE = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/gu;

/** For text output: TAB and LF stay, ESC becomes `^[`, U+202E becomes `<U+202E>`. */
export function neutralize(text: string): string {
  return text.replace(UNSAFE, (character) => {
    if (character === '\n' || character === '\t') return character;
    const code = character.codePointAt(0) ?? 0;
    if (code < 0x20 || code === 0x7f) return `^${String.fromCharCode(code ^ 0x40)}`;
    return `<U+${code.toString(16).toUpperCase().padStart(4, '0')}>`;
  });
}

/** One line of JSON in which the same characters stand as \u escapes: a parser gets them, a terminal does not. */
export function toJsonText(value: unknown): string {
  return JSON.stringify(value).replace(UNSAFE, (character) =>
    character
      .split('')
      .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
      .join(''),
  );
}
