/** Shapes of whole text files that are put to ITS and got from it. */
import * as z from 'zod';
import { typing, waiting } from './schemas.ts';

/** A file name as DDT takes it: `dir;name1 name2`, `name1 name2`; nothing that ends the line or edits it. */
const itsFile = z
  .string()
  .regex(/^[!-~]+(?: [!-~]+)*$/, 'a file name in printing ASCII, such as rms;hello text')
  .max(60);
/** Characters of one file that is put: some minutes at the line's speed. */
export const MAX_FILE_CHARS = 100_000;

export const putFileParams = z.object({
  file: itsFile,
  text: z
    .string()
    .max(MAX_FILE_CHARS)
    .describe('ASCII, tabs and line ends; nothing else can be typed into a file.'),
  progressEveryMs: waiting.progressEveryMs,
  ...typing,
});
export const putFileResult = z.object({
  file: z.string().describe('As ITS names it.'),
  lines: z.int().min(0),
  chars: z.int().min(0),
  verified: z.boolean().describe('Read back and found the same.'),
});
export const getFileParams = z.object({
  file: itsFile,
  progressEveryMs: waiting.progressEveryMs,
  ...typing,
});
export const getFileResult = z.object({
  file: z.string(),
  text: z.string(),
  lines: z.int().min(0),
  chars: z.int().min(0),
});
