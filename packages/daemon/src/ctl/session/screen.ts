/** `screen -s ID`: the screen of a program's terminal. */
import { type Answer, type Arguments, type Context, UsageError } from '../command.ts';
import { EXIT } from '../exitCodes.ts';
import { describeCursor } from '../render.ts';
import { toInput } from '../toInput.ts';
import { describeSession } from './facts.ts';

/** Throws usage errors. */
export async function showSessionScreen(
  session: string,
  args: Arguments,
  { daemon, signal }: Context,
): Promise<Answer> {
  const given = ['follow', 'changed-since', 'at'].find(
    (name) => args.flag(name) || args.number(name) !== undefined,
  );
  if (given !== undefined)
    throw new UsageError(`--${given} does not go with --session; attach --spy -s ${session} follows it`);
  const input = toInput('session.screen', { session });
  await using client = await daemon.connect({ isReader: false });
  const screen = await client.request('session.screen', input, { signal });
  const { rows, cursor, offset, isAlternate, size } = screen;
  return {
    wire: screen,
    output: rows.map((row) => `${row}\n`).join(''),
    notes: [
      `${describeCursor(cursor)}, offset ${offset}, ${size.rows} rows of ${size.columns} columns`,
      ...(isAlternate ? ['a program paints the whole screen'] : []),
      ...(screen.state === 'running' ? [] : [describeSession(screen)]),
    ],
    exitCode: EXIT.ok,
  };
}
