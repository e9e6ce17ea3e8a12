/**
 * ITS's own pager, for what programs print. Source: recording 07a, the only one that has it. It acts in the last line
 * once the screen was filled from its top; the first time round the bottom nothing stops. Space goes on and is gone;
 * any other key goes on too and stays, echoed, for whoever reads next (seen with `:`). Guesses: that the space is not
 * echoed, and that nothing stops while something is typed ahead.
 */

import { KEY, type ProgramContext } from './program.ts';
import { SCREEN_ROWS } from './terminal.ts';
import { Typeout } from './typeout.ts';

const MORE = '**MORE**';

/** Prints the text with `**MORE**` where the screen is full, then calls back. Returns what goes on after ^Z. */
export function typeOutWithMore(context: ProgramContext, text: string, onDone: () => void): () => void {
  const { terminal } = context;
  let wasAtTop = false;
  const typeout = new Typeout(context, text, {
    onDone,
    isFull: () => {
      wasAtTop ||= terminal.row === 0;
      const isAtBottom = terminal.row === SCREEN_ROWS - 1 && terminal.column === 0;
      return wasAtTop && isAtBottom && !context.hasTypedAhead;
    },
    onPage: () => {
      terminal.print(MORE);
      const goOn = (): void => {
        terminal.newline();
        typeout.resume();
      };
      context.wait({
        isEchoing: true,
        interrupt: (char) => {
          if (char !== KEY.space) return false;
          goOn();
          return true;
        },
        charTaken: goOn,
      });
    },
  });
  typeout.resume();
  return () => typeout.resume();
}
