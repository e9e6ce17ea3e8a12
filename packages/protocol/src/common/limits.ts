/** Numbers of the contract that programs need before, or without, its schemas: building those costs a start 9 ms. */

/** Longest wait a caller may ask for, in ms: one day. Far below 2^31 - 1, above which setTimeout fires at once. */
export const MAX_WAIT_MS = 86_400_000;
/** Characters of output in one answer, by default. */
export const DEFAULT_MAX_CHARS = 20_000;
/** Hard ceiling of characters in one answer; more is read with the next call. */
export const MAX_MAX_CHARS = 1_000_000;
/** Longest input of one send in characters; a longer text belongs into several sends. */
export const MAX_INPUT_CHARS = 200_000;
/** Longest reader name, in characters. */
export const MAX_READER_NAME_CHARS = 64;
