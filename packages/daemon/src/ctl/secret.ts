/**
 * `secret [ID]`: what secrets are asked for, and the way to give one. It is read from the terminal, without echo: what stands in
 * arguments or in the environment, everybody on the machine can read.
 */
import type { MethodResult } from '@pidp10/protocol/methods';
import { type Answer, type Command, UsageError } from './command.ts';
import { EXIT } from './exitCodes.ts';
import { neutralize } from './neutralize.ts';
import { openTerminal, readSecret } from './secretTty.ts';

type Asked = MethodResult<'secret.list'>['secrets'][number];

export const secretCommand: Command = {
  name: 'secret',
  summary: 'Show which secrets are asked for; with ID, give that one: it is read without echo',
  positionals: [{ name: 'id' }],
  options: {},
  examples: [
    ['secret', 'who asks for what'],
    ['secret k1', 'type it: only the program that waits for it gets it'],
  ],
  async run(args, { daemon, signal, stderr }) {
    const [id] = args.positionals;
    await using client = await daemon.connect({ isReader: false });
    const list = await client.request('secret.list', {}, { signal });
    if (id === undefined) return toListAnswer(list);
    const asked = list.secrets.find(({ secret }) => secret === id);
    if (asked === undefined) {
      const notes = [`nobody asks for a secret ${id}; without an id, secret lists what is asked for`];
      return { wire: { state: 'unknown' }, output: '', notes, exitCode: EXIT.error };
    }
    const input = openTerminal();
    if (input === undefined) throw new UsageError('a secret is read from a terminal, and there is none');
    stderr.write(neutralize(describe(asked)));
    // Who sees the question may type: echo is off before that.
    const reading = readSecret({ input, signals: process, signal });
    stderr.write('Secret (not shown; ^C: none): ');
    const value = await reading;
    stderr.write('\n');
    if (value === undefined || value === '') {
      return {
        wire: { state: 'cancelled' },
        output: '',
        notes: ['nothing was sent'],
        exitCode: EXIT.interrupted,
      };
    }
    const given = await client.request('secret.give', { secret: id, value }, { signal });
    const notes = [given.state === 'sent' ? 'it was typed' : `not sent: ${given.why ?? 'it was refused'}`];
    return { wire: given, output: '', notes, exitCode: given.state === 'sent' ? EXIT.ok : EXIT.error };
  },
};

function toListAnswer(list: MethodResult<'secret.list'>): Answer {
  const { secrets } = list;
  return {
    wire: list,
    output: secrets.map((asked) => `${asked.secret}\n${describe(asked)}`).join(''),
    notes: secrets.length === 0 ? ['nobody asks for a secret'] : [],
    exitCode: EXIT.ok,
  };
}

/** Indented lines; nothing in it can look like a row of ours. */
function describe({ client, session, message, lastLine, expiresAt }: Asked): string {
  const place = session === undefined ? 'the line' : `session ${session}`;
  const rows = [
    ['asked by', client],
    ['typed into', place],
    ['stands last', lastLine],
    ['they say', message],
    ['until', expiresAt],
  ] as const;
  return rows.map(([name, text]) => `  ${name.padEnd(12)}${text.replaceAll('\n', ' / ')}\n`).join('');
}
