/** Which pasted text may be typed, and how what may not is called. A line has seven bits. */
import { neutralize } from '../neutralize.ts';

const decoder = new TextDecoder('utf-8');

/** Line ends become CR. What no keyboard types into a text is refused, and with it the whole. */
export function parsePaste(
  bytes: readonly number[],
): { readonly kind: 'paste'; readonly text: string } | { readonly kind: 'refused'; readonly why: string } {
  const text = decoder.decode(Uint8Array.from(bytes)).replaceAll(/\r\n|\n/g, '\r');
  const at = text.search(/[^\x20-\x7e\r\t]/);
  if (at < 0) return { kind: 'paste', text };
  const line = text.slice(0, at).split('\r').length;
  const found = neutralize(String.fromCodePoint(text.codePointAt(at) ?? 0));
  return { kind: 'refused', why: `line ${line} of the paste has ${found}; nothing of it was sent` };
}

/** For a character above 0x7F, by its bytes. */
export function describeCharacter(bytes: readonly number[]): string {
  return `${neutralize(decoder.decode(Uint8Array.from(bytes)))} cannot be sent on a 7-bit line`;
}
