/**
 * Several commands in one send. ITS throws typed-ahead lines away at an error, and a pager eats their first key
 * (docs/its-line.md 14), so each line goes when the one before has been answered; text behind ^Z goes when DDT is there.
 */

const CALL = 0x1a;
const CR = 0x0d;

/** The pieces of an input that must each be answered before the next goes; joined they are the input. */
export function splitCommands(input: Uint8Array): readonly Uint8Array[] {
  const pieces: Uint8Array[] = [];
  let from = 0;
  for (let at = 0; at < input.length; at += 1) {
    const isLast = at === input.length - 1;
    const endsLine = input[at] === CR;
    // `~z` alone is ^Z CR as ever: the CR does no harm and goes along.
    const callsDdt = input[at] === CALL && !(input[at + 1] === CR && at + 2 === input.length);
    if (isLast || !(endsLine || callsDdt)) continue;
    pieces.push(input.subarray(from, at + 1));
    from = at + 1;
  }
  pieces.push(input.subarray(from));
  return pieces;
}
