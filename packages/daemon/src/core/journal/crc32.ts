/** CRC-32 of ISO 3309 (the one of zip, gzip and PNG): finds every torn line and every flipped byte of the journal's index. */

const POLYNOMIAL = 0xedb88320;
const TABLE: Uint32Array = Uint32Array.from({ length: 256 }, (_, index) => {
  let value = index;
  for (let bit = 0; bit < 8; bit++) value = (value & 1) === 1 ? (value >>> 1) ^ POLYNOMIAL : value >>> 1;
  return value;
});

/** Of a text with one byte a character (U+0000 to U+00FF); 0 to 2^32 - 1. */
export function crc32(text: string): number {
  let crc = 0xffffffff;
  for (let index = 0; index < text.length; index++) {
    crc = (crc >>> 8) ^ (TABLE[(crc ^ text.charCodeAt(index)) & 0xff] ?? 0);
  }
  return (crc ^ 0xffffffff) >>> 0;
}
