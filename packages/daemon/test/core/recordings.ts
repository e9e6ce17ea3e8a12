/** Recordings of a real ITS line (test/fixtures; docs/its-line.md cites their names). */
import { readdirSync, readFileSync } from 'node:fs';

const FIXTURES = new URL('../fixtures/', import.meta.url);

export interface RecordedEvent {
  readonly atMs: number;
  readonly dir: 'in' | 'out' | 'out-close' | 'out-rst' | 'eof' | 'rst';
  readonly bytes: Uint8Array;
}

interface Line {
  readonly t: number;
  readonly dir: RecordedEvent['dir'];
  readonly hex?: string;
}

export const RECORDING_NAMES: readonly string[] = readdirSync(FIXTURES)
  .filter((file) => file.endsWith('.jsonl'))
  .map((file) => file.replace('.jsonl', ''));

export function loadRecording(name: string): readonly RecordedEvent[] {
  const lines = readFileSync(new URL(`${name}.jsonl`, FIXTURES), 'utf8')
    .trimEnd()
    .split('\n');
  return lines.map((line) => {
    const { t, dir, hex = '' }: Line = JSON.parse(line);
    return { atMs: t * 1_000, dir, bytes: new Uint8Array(Buffer.from(hex, 'hex')) };
  });
}

/** All that the line sent. */
export function outputOf(name: string): Uint8Array {
  const heard = loadRecording(name).filter(({ dir }) => dir === 'in');
  return new Uint8Array(Buffer.concat(heard.map(({ bytes }) => bytes)));
}

export function goldenText(name: string): string {
  return readFileSync(new URL(`golden/${name}.txt`, FIXTURES), 'utf8');
}
