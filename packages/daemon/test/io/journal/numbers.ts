/** Byte `offset` of a stream that numbers its bytes: no two places a page apart look alike. */
export function byteAt(offset: number): number {
  return (offset ^ ((offset >>> 8) * 31) ^ ((offset >>> 16) * 17)) & 0xff;
}

export function numbered(from: number, bytes: number): Uint8Array {
  return Uint8Array.from({ length: bytes }, (_, index) => byteAt(from + index));
}
