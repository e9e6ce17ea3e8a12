/** `search TEXT`: finds lines in everything that is kept; as grep, exit code 1 when there is none. */
import type { MethodResult } from '@pidp10/protocol/methods';
import type { Command } from './command.ts';
import { EXIT } from './exitCodes.ts';
import { count } from './render.ts';
import { SESSION_OPTION, searchIn, toSubject } from './subject.ts';
import { toInput } from './toInput.ts';
import { toTime } from './toTime.ts';

type Match = MethodResult<'line.search'>['matches'][number];

/** Longest search: a GB that nobody has in memory takes minutes. */
const PATIENCE_MS = 3_600_000;

export const searchCommand: Command = {
  name: 'search',
  summary: 'Find lines in everything that is kept, the newest first; exit code 1 when there is none',
  positionals: [{ name: 'text', isRequired: true, isRest: true }],
  options: {
    ...SESSION_OPTION,
    pattern: { type: 'boolean', describe: 'TEXT is a pattern (RE2 syntax), found within one line' },
    'ignore-case': { type: 'boolean', alias: 'i', describe: 'Capital and small letters are the same' },
    context: { type: 'number', alias: 'C', describe: 'Show so many lines before and behind each match' },
    oldest: { type: 'boolean', describe: 'The oldest first' },
    limit: { type: 'number', describe: 'Matches at most (default 20)' },
    from: {
      type: 'number',
      describe: 'Begin at this offset of the output (default: as far back as is kept)',
    },
    to: { type: 'number', describe: 'End at this offset (default: now)' },
    since: {
      type: 'string',
      describe: 'Output that came then or later: 2031-01-01, 2031-01-01T09:30, 90m, 2d',
    },
    before: { type: 'string', describe: 'Output that came before then' },
  },
  examples: [
    ['search hactrn', 'the newest lines with that word, each behind its offset'],
    ["search --pattern -i -C 2 '^:?midas .*foo'", 'with two lines around each'],
    ['search --since 2d --json error', 'of the last two days, for a program'],
    ['search -s build error', 'in the output of a command'],
  ],
  async run(args, { daemon, signal }) {
    const sought = args.positionals.join(' ');
    const input = toInput(
      'line.search',
      {
        ...(args.flag('pattern') ? { pattern: sought } : { text: sought }),
        ignoreCase: args.flag('ignore-case'),
        context: args.number('context'),
        order: args.flag('oldest') ? ('oldest' as const) : undefined,
        limit: args.number('limit'),
        from: args.number('from'),
        to: args.number('to'),
        since: toTime(args.text('since'), '--since'),
        until: toTime(args.text('before'), '--before'),
      },
      { text: 'TEXT', pattern: 'TEXT', until: '--before' },
    );
    await using client = await daemon.connect({ isReader: false });
    const result = await searchIn(client, toSubject(args), input, { signal, waitMs: PATIENCE_MS });
    const { matches, isComplete } = result;
    const exitCode = signal.aborted ? EXIT.interrupted : matches.length === 0 ? EXIT.error : EXIT.ok;
    return {
      wire: result,
      output: renderMatches(matches, (args.number('context') ?? 0) > 0),
      notes: isComplete ? [] : [toRest(result, args.flag('oldest'))],
      exitCode,
    };
  },
};

/** Each line behind the offset at which it begins; with context in groups, the lines around it with `-`, as grep has them. */
function renderMatches(matches: readonly Match[], isGrouped: boolean): string {
  return matches.map(toGroup).join(isGrouped ? '--\n' : '');
}

function toGroup({ start, at, line, before = [], after = [] }: Match): string {
  const place = `${at === undefined ? '' : `${at}  `}${String(start).padStart(8)}`;
  const around = (text: string) => `${' '.repeat(place.length)}- ${text}`.trimEnd();
  return `${[...before.map(around), `${place}: ${line}`, ...after.map(around)].join('\n')}\n`;
}

function toRest({ matches, searched }: MethodResult<'line.search'>, isOldest: boolean): string {
  const option = isOldest ? `--from ${searched.to}` : `--to ${searched.from}`;
  return `${count(matches.length, 'line')} shown, and there may be more: go on with ${option}`;
}
