import headless from '@xterm/headless';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { AsciicastWriter } from '../../../src/ctl/export/asciicast.ts';
import { readAsciicast } from '../../../src/ctl/play/asciicastReader.ts';
import { OutputFilter } from '../../../src/ctl/play/outputFilter.ts';
import type { LineEvent } from '../../../src/ctl/watcher.ts';
import { lineOutput } from '../../core/bytes.ts';
import { outputOf, RECORDING_NAMES } from '../../core/recordings.ts';
import { StubLine } from '../../rpc/stubLine.ts';

/** Output of a line from `from` on as a recording. */
async function recordingOf(line: StubLine, from: number): Promise<string> {
  const session = line.connect('me');
  const { safeEnd: end } = line.channel.conversation.scrollback;
  let text = '';
  const writer = new AsciicastWriter((part) => {
    text += part;
  });
  writer.begin(await line.call('line.watch', { from, until: end, form: 'ansi' }, session));
  await expect.poll(() => session.outlet.told.at(-1)?.name).toBe('line.watchEnded');
  for (const event of session.outlet.told) writer.take(event as unknown as LineEvent);
  writer.end(0);
  return text;
}

/** What a terminal shows when the recording was played to its end. */
async function played(recording: string) {
  const filter = new OutputFilter();
  let terminal: InstanceType<typeof headless.Terminal> | undefined;
  for await (const part of readAsciicast(chunksOf(recording))) {
    if (part.kind === 'header') {
      const { rows, cols } = part.header.term;
      terminal = new headless.Terminal({ rows, cols, allowProposedApi: true, scrollback: 0 });
      continue;
    }
    if (part.code === 'o') await new Promise<void>((done) => terminal?.write(filter.push(part.data), done));
  }
  const active = terminal?.buffer.active;
  const rows = Array.from({ length: terminal?.rows ?? 0 }, (_, row) =>
    (active?.getLine(row)?.translateToString(true) ?? '').trimEnd(),
  );
  terminal?.dispose();
  return { rows, row: active?.cursorY };
}

async function* chunksOf(text: string): AsyncGenerator<Uint8Array> {
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length; at += 1_000) yield bytes.subarray(at, at + 1_000);
}

/** What the recording shows when it is played, and what the line has. */
async function shown(
  line: StubLine,
  from: number,
): Promise<{ readonly played: unknown; readonly line: unknown }> {
  const { scrollback, transcript } = line.channel.conversation;
  const screen = transcript.screens.at(scrollback.safeEnd);
  const rows = screen.rows.map((each) => each.replace(/[^\x20-\x7e]/g, '-').trimEnd());
  return { played: await played(await recordingOf(line, from)), line: { rows, row: screen.row } };
}

test.each(RECORDING_NAMES)(
  'a recording of %s shows, when it is played, the screen that the line has',
  async (name) => {
    const line = new StubLine();
    line.hear(outputOf(name));
    const made = await shown(line, line.channel.conversation.scrollback.oldest);
    expect(made.played).toEqual(made.line);
  },
);

test('so does one of anything, from anywhere', async () => {
  await fc.assert(
    fc.asyncProperty(lineOutput, fc.nat(), async (bytes, place) => {
      const line = new StubLine();
      line.hear(bytes);
      line.pass(1_000);
      const made = await shown(line, place % (line.channel.conversation.scrollback.safeEnd + 1));
      expect(made.played).toEqual(made.line);
    }),
    { numRuns: 40 },
  );
});
