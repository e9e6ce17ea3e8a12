/** `put LOCALFILE ITSFILE`: types a text file into ITS. */
import { readFile } from 'node:fs/promises';
import { MAX_FILE_CHARS } from '@pidp10/protocol/fileSchemas';
import { type Command, UsageError } from './command.ts';
import { EXIT } from './exitCodes.ts';
import { showPutProgress } from './putProgress.ts';
import { count } from './render.ts';
import { toInput } from './toInput.ts';

export const putCommand: Command = {
  name: 'put',
  summary: 'Type a text file into ITS, read it back and compare; DDT must be waiting for a command',
  positionals: [
    { name: 'localfile', isRequired: true },
    { name: 'itsfile', isRequired: true },
  ],
  options: {},
  examples: [
    ["put hello.mid 'rms;hello >'", '> is the next version; 60 characters a second'],
    ["put - 'rms;notes text' < notes.txt", 'from standard input'],
  ],
  async run(args, { daemon, signal, readStdin, stderr }) {
    const [localFile = '', file = ''] = args.positionals;
    const read = localFile === '-' ? await readStdin(MAX_FILE_CHARS * 2) : await readText(localFile);
    const text = read.replaceAll('\r\n', '\n');
    const input = toInput('line.putFile', { file, text });
    await using client = await daemon.connect();
    const isShown = stderr.isTTY === true && !args.flag('json');
    using _progress = isShown ? showPutProgress(client, { chars: text.length, output: stderr }) : undefined;
    const result = await client.request('line.putFile', input, { signal });
    const { lines, chars, verified } = result;
    const size = `${result.file}: ${count(lines, 'line')}, ${count(chars, 'character')}`;
    if (verified)
      return { wire: result, output: `${size}, read back and the same\n`, notes: [], exitCode: EXIT.ok };
    const notes = ['it could not be read back: whether it arrived whole is not known'];
    return { wire: result, output: `${size}\n`, notes, exitCode: EXIT.error };
  },
};

/** Throws with the cause if there is no such text. */
async function readText(path: string): Promise<string> {
  let bytes: Uint8Array;
  try {
    bytes = await readFile(path);
  } catch (error) {
    throw new Error(`cannot read ${path}: ${error instanceof Error ? error.message : String(error)}`, {
      cause: error,
    });
  }
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch (error) {
    if (error instanceof TypeError)
      throw new UsageError(`${path} is no text: only ASCII can be typed into a file`);
    throw error;
  }
}
