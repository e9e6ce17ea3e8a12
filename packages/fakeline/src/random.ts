/** Chance that can be repeated: everything random on the line comes from a seed. */

/** A small seeded generator (Tommy Ettinger's mulberry32) of numbers from 0 up to 1. */
export function mulberry32(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = state;
    t = Math.imul(t ^ (t >>> 15), t | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** A distance from `mean / 2` to `3 * mean / 2`, at least 1. */
export function around(mean: number, random: () => number): number {
  return Math.max(1, Math.round(mean * (0.5 + random())));
}
