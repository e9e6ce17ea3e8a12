/** `history`: what was typed, by whom, and what came back; marks, messages, what befell line and floor. */
import type { MethodResult } from '@pidp10/protocol/methods';
import type { Command } from './command.ts';
import { EXIT } from './exitCodes.ts';
import { describeAuthor } from './floorText.ts';
import { count } from './render.ts';
import { SESSION_OPTION } from './subject.ts';
import { toInput } from './toInput.ts';

type Entry = MethodResult<'line.history'>['entries'][number];

export const historyCommand: Command = {
  name: 'history',
  summary: 'Show what was typed and by whom, marks, messages, and what befell line and floor',
  positionals: [],
  options: {
    ...SESSION_OPTION,
    from: {
      type: 'number',
      describe: 'Begin at this offset of the output (default: as far back as is kept)',
    },
    to: { type: 'number', describe: 'End at this offset (default: now)' },
    limit: { type: 'number', describe: 'The newest so many entries (default 100)' },
    'output-chars': { type: 'number', describe: 'So many characters of what came back after each input' },
  },
  examples: [
    ['history --limit 20', 'the last 20 entries'],
    ['history --output-chars 200', 'and the beginning of each answer'],
    ['history -s py', 'what was typed into a program'],
  ],
  async run(args, { daemon, signal }) {
    const input = toInput('line.history', {
      from: args.number('from'),
      to: args.number('to'),
      limit: args.number('limit'),
      outputChars: args.number('output-chars'),
    });
    await using client = await daemon.connect({ isReader: false });
    const session = args.text('session');
    const result =
      session === undefined
        ? await client.request('line.history', input, { signal })
        : await client.request('session.history', { ...input, session }, { signal });
    const notes = result.truncated ? ['there is or was more before that'] : [];
    return { wire: result, output: renderHistory(result.entries), notes, exitCode: EXIT.ok };
  },
};

export function renderHistory(entries: readonly Entry[]): string {
  return entries.map((entry) => `${toHead(entry)}\n${toBlock(entry.output)}`).join('');
}

function toHead(entry: Entry): string {
  return `${entry.at}  ${String(entry.offset).padStart(8)}  ${toWhat(entry)}`;
}

function toWhat({ kind, input, text = '', author }: Entry): string {
  const who = author === undefined ? 'somebody' : describeAuthor(author);
  switch (kind) {
    case 'input':
      return input === undefined ? `${who} typed` : describeInput(input);
    case 'mark':
      return `${who} notes: ${text}`;
    case 'said':
      return `${who} says: ${text}`;
    case 'state':
    case 'outage':
    case 'floor':
      return text;
    default:
      return kind satisfies never;
  }
}

/** As it was typed, with `~` escapes; of a secret only its length is known. */
export function describeInput({
  author,
  text,
  bytes,
  masked,
  isAnswer,
}: NonNullable<Entry['input']>): string {
  const what = masked || text === undefined ? `${count(bytes, 'byte')}, not shown` : text;
  return `${describeAuthor(author)} ${isAnswer === true ? 'had a pager answered' : 'typed'}: ${what}`;
}

function toBlock(output: string | undefined): string {
  if (output === undefined || output.trim() === '') return '';
  return `${output
    .trimEnd()
    .split('\n')
    .map((line) => `    ${line}`.trimEnd())
    .join('\n')}\n`;
}
