/**
 * Recordings, ours and others': asciicast v2 (times from the beginning) and v3 (times from the event before), line by line.
 * Source: https://docs.asciinema.org/manual/asciicast/v3/ and v2.
 */
import * as z from 'zod';
import { UsageError } from '../command.ts';

/** Longest line of a recording, in characters: ours have 16 kB of output at most, escaped. */
export const MAX_LINE_CHARS = 4_194_304;
/** Largest terminal that is believed. */
const MAX_SIDE = 10_000;

const side = z.int().min(1).max(MAX_SIDE);
const headerSchema = z.union([
  z.object({ version: z.literal(3), term: z.object({ cols: side, rows: side }) }),
  z
    .object({ version: z.literal(2), width: side, height: side })
    .transform(({ width, height }) => ({ version: 2 as const, term: { cols: width, rows: height } })),
]);
const eventSchema = z.tuple([z.number().min(0), z.string(), z.string()]);

export interface RecordingHeader {
  readonly version: 2 | 3;
  readonly term: { readonly cols: number; readonly rows: number };
}

export interface RecordingEvent {
  /** Seconds since the event before. */
  readonly interval: number;
  readonly code: string;
  readonly data: string;
}

export type RecordingPart =
  | { readonly kind: 'header'; readonly header: RecordingHeader }
  | ({ readonly kind: 'event' } & RecordingEvent);

/** The header, then the events. Throws a usage error at the first line that is none. */
export async function* readAsciicast(
  chunks: AsyncIterable<string | Uint8Array>,
): AsyncGenerator<RecordingPart> {
  let header: RecordingHeader | undefined;
  let number = 0;
  let lastSeconds = 0;
  for await (const line of linesOf(chunks)) {
    number += 1;
    // v3 has comments.
    if (line.trim() === '' || (header !== undefined && line.startsWith('#'))) continue;
    const value = parseLine(line, number);
    if (header === undefined) {
      const parsed = headerSchema.safeParse(value);
      if (!parsed.success)
        throw new UsageError('this is no recording: its first line is no header of asciicast v2 or v3');
      header = parsed.data;
      yield { kind: 'header', header };
      continue;
    }
    const parsed = eventSchema.safeParse(value);
    if (!parsed.success)
      throw new UsageError(`line ${number} of the recording is no event: [seconds, code, data]`);
    const [seconds, code, data] = parsed.data;
    const interval = header.version === 3 ? seconds : Math.max(seconds - lastSeconds, 0);
    lastSeconds = seconds;
    yield { kind: 'event', interval, code, data };
  }
  if (header === undefined) throw new UsageError('this is no recording: there is nothing in it');
}

function parseLine(line: string, number: number): unknown {
  try {
    return JSON.parse(line);
  } catch {
    throw new UsageError(`line ${number} of the recording is no JSON`);
  }
}

async function* linesOf(chunks: AsyncIterable<string | Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let rest = '';
  for await (const chunk of chunks) {
    const lines = (
      rest + (typeof chunk === 'string' ? chunk : decoder.decode(chunk, { stream: true }))
    ).split('\n');
    rest = lines.pop() ?? '';
    yield* lines;
    if (rest.length > MAX_LINE_CHARS)
      throw new UsageError(`a line of the recording has more than ${MAX_LINE_CHARS} characters`);
  }
  if (rest !== '') yield rest;
}
