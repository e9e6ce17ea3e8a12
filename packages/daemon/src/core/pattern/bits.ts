/** Sets of small numbers as bits in 32-bit words. */

export function hasBit(set: Int32Array, position: number): boolean {
  return ((set[position >> 5] ?? 0) & (1 << (position & 31))) !== 0;
}

/** `from`: the word where the set starts in a table of sets. */
export function addBit(set: Int32Array, position: number, from = 0): void {
  const at = from + (position >> 5);
  set[at] = (set[at] ?? 0) | (1 << (position & 31));
}

export function addAll(set: Int32Array, more: Int32Array): void {
  for (let w = 0; w < set.length; w += 1) set[w] = (set[w] ?? 0) | (more[w] ?? 0);
}
