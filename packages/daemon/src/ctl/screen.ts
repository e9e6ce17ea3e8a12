/** `screen`: the VT52 screen that the bytes of the line have painted. */
import type { MethodResult } from '@pidp10/protocol/methods';
import { describeActivity } from './activity.ts';
import { type Answer, type Command, UsageError } from './command.ts';
import { EXIT } from './exitCodes.ts';
import { describeCursor, describeLine, describeRows } from './render.ts';
import { followScreen } from './screenFollow.ts';
import { showSessionScreen } from './session/screen.ts';
import { SESSION_OPTION } from './subject.ts';
import { toInput } from './toInput.ts';

type ScreenResult = MethodResult<'line.screen'>;

export const screenCommand: Command = {
  name: 'screen',
  summary: 'Print the screen, row by row, and where the cursor is; no reader moves',
  positionals: [],
  options: {
    ...SESSION_OPTION,
    follow: { type: 'boolean', alias: 'f', describe: 'Paint it again whenever it changes, until ^C' },
    'changed-since': {
      type: 'number',
      describe: 'Only rows that changed behind this offset, each with its number',
    },
    at: { type: 'number', describe: 'The screen as it was at this offset' },
  },
  examples: [
    ['screen', 'what somebody at the terminal sees'],
    ['screen --follow', 'watch EMACS or PEEK'],
    ['screen -s edit', 'of a program that was run with --pty'],
    ['screen --changed-since 51200', "the rows that changed since an offset, such as the last answer's"],
  ],
  async run(args, context) {
    const session = args.text('session');
    if (session !== undefined) return await showSessionScreen(session, args, context);
    const { daemon, signal } = context;
    const input = toInput('line.screen', {
      changedSince: args.number('changed-since'),
      at: args.number('at'),
    });
    const isFollowing = args.flag('follow');
    if (isFollowing) refuseWith(['changed-since', 'at'].filter((name) => args.number(name) !== undefined));
    if (isFollowing && args.flag('json')) refuseWith(['json']);
    // Without a name of its own: whoever only looks is no reader, and takes nobody's place.
    await using client = await daemon.connect({ isReader: false });
    if (isFollowing) return await followScreen(client, context);
    const screen = await client.request('line.screen', input, { signal });
    return renderScreen(screen, input.changedSince !== undefined);
  },
};

function refuseWith(names: readonly string[]): void {
  if (names.length > 0)
    throw new UsageError(`--follow does not go with ${names.map((name) => `--${name}`).join(', ')}`);
}

/** `isPartial`: only the rows that changed, numbered. */
export function renderScreen(screen: ScreenResult, isPartial: boolean): Answer {
  const { rows, changed, cursor, offset, unknown, activity, lineState } = screen;
  const shown = isPartial
    ? changed.map(
        (row, index) =>
          `${String(row).padStart(2)}  ${rows[rows.length === changed.length ? index : row] ?? ''}`,
      )
    : rows;
  return {
    wire: screen,
    output: shown.map((row) => `${row}\n`).join(''),
    notes: [
      `${describeCursor(cursor)}, offset ${offset}`,
      ...(isPartial ? [`${describeRows(changed)} changed`] : []),
      ...(unknown === 0
        ? []
        : [`${unknown} escape sequences were not understood: is the terminal type vt52?`]),
      describeActivity(activity),
      ...(lineState.state === 'open' ? [] : [describeLine(lineState)]),
    ],
    exitCode: EXIT.ok,
  };
}
