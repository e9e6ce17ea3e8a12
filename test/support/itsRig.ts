/** A daemon on a fake ITS line with somebody logged in, and what tests of such a line ask again and again. */
import type { Fakeline } from '@pidp10/fakeline';
import { LineRig, type RigOptions } from './lineRig.ts';

/** Opened and logged in as RMS. */
export async function startLoggedIn(line: Fakeline, options: Partial<RigOptions> = {}): Promise<LineRig> {
  const rig = await LineRig.start({ port: line.port, ...options });
  await rig.open({ login: 'rms' });
  return rig;
}

/** What the line has got behind the first `from` bytes. */
export function typedSince(line: Fakeline, from: number): string {
  return line.receivedBytes().subarray(from).toString('latin1');
}

/** Lines of some length, numbered, about so many characters in all. */
export function proseOf(chars: number, longestLine = 110): string {
  const words = 'the quick brown fox jumps over a lazy dog while nobody reads what it types ';
  const lines: string[] = [];
  for (let length = 0; length < chars; ) {
    const line = `L${lines.length} ${words.repeat(2)}`.slice(
      0,
      10 + ((lines.length * 37) % (longestLine - 10)),
    );
    lines.push(line.trimEnd());
    length += line.length + 1;
  }
  return `${lines.join('\n')}\n`;
}
