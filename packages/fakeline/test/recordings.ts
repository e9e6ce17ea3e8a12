/** Playing a recording's client against a fakeline, to compare what both lines sent. */

import { fileURLToPath } from 'node:url';
import type { Fakeline, TraceEntry } from '../src/index.ts';
import { type FakelineOptions, readTrace, startFakeline } from '../src/index.ts';
import { TestClient } from './client.ts';

export interface Step {
  readonly sent: string;
  readonly received: string;
}

export function readRecording(name: string): readonly TraceEntry[] {
  return readTrace(fileURLToPath(new URL(`fixtures/${name}.jsonl`, import.meta.url)));
}

/** What the client sent and what came until it sent again. The first step sends nothing. */
export function toSteps(entries: readonly TraceEntry[]): readonly Step[] {
  const steps: { sent: string; received: string }[] = [{ sent: '', received: '' }];
  for (const entry of entries) {
    const text = entry.bytes.toString('latin1');
    const last = steps.at(-1);
    if (entry.dir === 'out' && last !== undefined && last.received === '') last.sent += text;
    else if (entry.dir === 'out') steps.push({ sent: text, received: '' });
    else if (entry.dir === 'in' && last !== undefined) last.received += text;
  }
  return steps;
}

/** The lines of a paged text in a recording: the pager and the screen control taken away. */
export function pagedLines(entries: readonly TraceEntry[], from: string): readonly string[] {
  const all = entries.filter((entry) => entry.dir === 'in').map((entry) => entry.bytes.toString('latin1'));
  const text = all.join('');
  const begin = text.indexOf(from);
  const end = text.indexOf('\x1bK\x1bK*', begin);
  return text
    .slice(begin, end)
    .replaceAll('\x1bK--More-- (Space=yes, Rubout=no) \x1bH', '')
    .replaceAll('\x1bK', '')
    .replaceAll('\x1bC', '\t')
    .replace(/\r\n$/, '')
    .split('\r\n');
}

export interface Played {
  readonly expected: readonly Step[];
  readonly found: readonly Step[];
}

export interface PlayOptions {
  readonly line?: FakelineOptions;
  /** Steps to play; default all. */
  readonly steps?: number;
  /** Where the fake is known to differ: the recorded text into the fake's. */
  readonly adjust?: (text: string) => string;
  /** What time it is at first; default the recordings' first day. */
  readonly from?: Date;
  /** What was done on the line before the recording began. */
  readonly before?: (line: Fakeline) => Promise<void>;
  /** What happens unasked: as soon as the client's text ends so, in this order. */
  readonly unasked?: readonly Unasked[];
}

interface Unasked {
  readonly after: string;
  readonly act: (line: Fakeline) => void;
}

/** The recordings' clients, one after the other, against one new fakeline whose clock is what the recordings say. */
export async function play(names: readonly string[], options: PlayOptions = {}): Promise<Played> {
  const adjust = options.adjust ?? ((text: string) => text);
  let now = options.from ?? new Date(2026, 10, 30, 19, 49, 48);
  await using line = await startFakeline({ ...options.line, bootedAt: now, clock: () => now });
  const found: Step[] = [];
  const expected: Step[] = [];
  const unasked = [...(options.unasked ?? [])];
  await options.before?.(line);
  const earlier = line.connectionCount;
  for (const [i, name] of names.entries()) {
    const client = await TestClient.open(line.port);
    const begin = expected.length;
    for (const step of toSteps(readRecording(name)).slice(0, options.steps)) {
      const wanted = { sent: step.sent, received: adjust(step.received) };
      expected.push(wanted);
      now = timeIn(wanted.received) ?? now;
      const from = client.received.length;
      const sentBytes = line.receivedBytes().length + wanted.sent.length;
      client.send(wanted.sent);
      await line.waitFor(() => line.receivedBytes().length >= sentBytes, { what: 'the bytes of the step' });
      const until = (): boolean => {
        const [next] = unasked;
        if (next !== undefined && client.text.endsWith(next.after)) {
          unasked.shift();
          next.act(line);
        }
        return client.received.length >= from + wanted.received.length;
      };
      // A step that falls short is shown by the comparison, with everything before it.
      await client.until(until, 'as much as was recorded').catch(() => {});
      found.push({ sent: wanted.sent, received: client.text.slice(from) });
      if (found.at(-1)?.received !== wanted.received) return { expected, found };
    }
    await client[Symbol.asyncDispose]();
    const isOver = (): boolean =>
      line.events.filter((event) => event.kind === 'closed').length === earlier + i + 1;
    await line.waitFor(isOver, { what: 'the end of the connection' });
    // And nothing besides: everything this connection was sent.
    const own = expected.slice(begin).map((step) => step.received);
    expected.push({ sent: 'in all', received: own.join('') });
    found.push({ sent: 'in all', received: line.sentBytes(earlier + i + 1).toString('latin1') });
  }
  return { expected, found };
}

function timeIn(text: string): Date | undefined {
  const match = /(?:The time is|Free\.|Peek 632 {3}11\/30\/2026|AT) (\d\d):(\d\d):(\d\d)/.exec(text);
  if (match === null) return undefined;
  const [hours, minutes, seconds] = match.slice(1).map(Number);
  return new Date(2026, 10, 30, hours, minutes, seconds);
}
