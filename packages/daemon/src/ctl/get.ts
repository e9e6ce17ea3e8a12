/** `get ITSFILE [LOCALFILE]`: reads a text file of ITS. */
import { writeFile } from 'node:fs/promises';
import type { Command } from './command.ts';
import { EXIT } from './exitCodes.ts';
import { count } from './render.ts';
import { toInput } from './toInput.ts';

export const getCommand: Command = {
  name: 'get',
  summary: 'Read a text file of ITS, exactly; DDT must be waiting for a command',
  positionals: [{ name: 'itsfile', isRequired: true }, { name: 'localfile' }],
  options: {},
  examples: [
    ["get 'rms;hello text'", 'to standard output, control characters made visible'],
    ["get 'sys;system mail' mail.txt", 'into a file, as it is; a file of that name is replaced'],
  ],
  async run(args, { daemon, signal }) {
    const [file = '', localFile = '-'] = args.positionals;
    const input = toInput('line.getFile', { file });
    await using client = await daemon.connect();
    const result = await client.request('line.getFile', input, { signal });
    const size = `${result.file}: ${count(result.lines, 'line')}, ${count(result.chars, 'character')}`;
    if (localFile === '-') return { wire: result, output: result.text, notes: [size], exitCode: EXIT.ok };
    await save(localFile, result.text);
    return { wire: result, output: '', notes: [`${size}, written to ${localFile}`], exitCode: EXIT.ok };
  },
};

async function save(path: string, text: string): Promise<void> {
  try {
    await writeFile(path, text);
  } catch (error) {
    throw new Error(`cannot write ${path}: ${error instanceof Error ? error.message : String(error)}`, {
      cause: error,
    });
  }
}
