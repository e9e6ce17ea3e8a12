/**
 * The one border between what others can say and a web page (I17): markup is quoted, and what could hide or turn text around
 * becomes visible (A02).
 */

/** Controls (C0, DEL, C1), formatting (bidi, zero width, tags), line separators, half characters, invisible ones. */
const UNSAFE = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/gu;
const QUOTED: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** For the contents of an element and for quoted attributes; line ends stay. */
export function toHtmlText(text: string): string {
  return text.replace(UNSAFE, toVisible).replace(/[&<>"']/g, (character) => QUOTED[character] ?? character);
}

function toVisible(character: string): string {
  if (character === '\n') return character;
  const code = character.codePointAt(0) ?? 0;
  if (code < 0x20 || code === 0x7f) return `^${String.fromCharCode(code ^ 0x40)}`;
  return `<U+${code.toString(16).toUpperCase().padStart(4, '0')}>`;
}
