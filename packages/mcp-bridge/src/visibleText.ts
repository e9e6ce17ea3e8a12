/**
 * The one escaping function between a terminal and a tool result (I17). What a model reads must be what a person would see:
 * control characters become their pictures, invisible and direction-changing characters their numbers, halves of
 * characters U+FFFD (one of them in a result makes every later request of a conversation fail).
 */

/** Everything but newline and tab that is a control, a format character, half a character or a hidden selector. */
const HIDDEN = /(?![\n\t])[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Zl}\p{Zp}\p{Variation_Selector}]/gu;

const PICTURES = 0x2400;
const RUBOUT = 0x7f;
const RUBOUT_PICTURE = '\u2421';

export function toVisible(text: string): string {
  return text.replace(HIDDEN, (character) => {
    const code = character.codePointAt(0) ?? 0;
    if (code < 0x20) return String.fromCharCode(PICTURES + code);
    if (code === RUBOUT) return RUBOUT_PICTURE;
    if (code >= 0xd800 && code <= 0xdfff) return '\ufffd';
    return `\\u{${code.toString(16)}}`;
  });
}

/** The same for our own sentences, which may quote the far end: one line, and no longer than `maxChars`. */
export function toVisibleLine(text: string, maxChars: number): string {
  const line = toVisible(text.replace(/\s+/g, ' ').trim());
  return line.length <= maxChars ? line : `${toVisible(line.slice(0, maxChars - 1))}…`;
}

/** `38,000` */
export function toCount(count: number): string {
  return String(count).replace(/\B(?=(?:\d{3})+$)/g, ',');
}

/** `":vk" CR` as a person would write it: `:vk`. Input of more parts stays as the daemon describes it. */
export function toPlainInput(described: string): string {
  return /^"([^"]*)"(?: CR)?$/.exec(described)?.[1] ?? described.replace(/ CR$/, '');
}
