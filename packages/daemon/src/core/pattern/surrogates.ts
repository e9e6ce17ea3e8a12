/** UTF-16 in strings: a code point beyond U+FFFF is a high and a low surrogate. */

/** The code point that ends at `at`; a surrogate without its other half stands for itself. Undefined at the start. */
export function codePointBefore(text: string, at: number): number | undefined {
  if (at <= 0) return undefined;
  const last = text.charCodeAt(at - 1);
  const before = at >= 2 ? text.charCodeAt(at - 2) : 0;
  return isLowSurrogate(last) && isHighSurrogate(before) ? toCodePoint(before, last) : last;
}

export function isHighSurrogate(code: number): boolean {
  return code >= 0xd800 && code <= 0xdbff;
}

export function isLowSurrogate(code: number): boolean {
  return code >= 0xdc00 && code <= 0xdfff;
}

export function toCodePoint(high: number, low: number): number {
  return 0x10000 + ((high - 0xd800) << 10) + (low - 0xdc00);
}
