/** `resize ID ROWS COLS`: another size of a program's terminal. */
import { type Command, UsageError } from '../command.ts';
import { EXIT } from '../exitCodes.ts';
import { toInput } from '../toInput.ts';
import { nameSession } from './facts.ts';

export const resizeCommand: Command = {
  name: 'resize',
  summary: "Change the size of a program's terminal; attach does that by itself",
  positionals: [
    { name: 'id', isRequired: true },
    { name: 'rows', isRequired: true },
    { name: 'cols', isRequired: true },
  ],
  options: {},
  examples: [['resize edit 40 132', 'the program is told']],
  async run(args, { daemon, signal }) {
    const [session = '', rows, cols] = args.positionals;
    const input = toInput(
      'session.resize',
      { session, rows: toNumber(rows, 'ROWS'), columns: toNumber(cols, 'COLS') },
      { session: 'ID', rows: 'ROWS', columns: 'COLS' },
    );
    await using client = await daemon.connect();
    const facts = await client.request('session.resize', input, { signal });
    const output = `${nameSession(facts)} has ${input.rows} rows and ${input.columns} columns\n`;
    return { wire: facts, output, notes: [], exitCode: EXIT.ok };
  },
};

function toNumber(text = '', what: string): number {
  if (/^\d{1,5}$/.test(text)) return Number(text);
  throw new UsageError(`${what} must be a number, found "${text}"`);
}
