/** A recording that `export` wrote, in asciinema's own player in Chromium: it shows the screens that the grid says. */
import { type Fakeline, startFakeline } from '@pidp10/fakeline';
import { describe, expect, test } from 'vitest';
import { AsciinemaPlayer } from '../support/asciinemaPlayer.ts';
import { Chromium } from '../support/chromium.ts';
import { startLoggedIn } from '../support/itsRig.ts';
import type { LineRig } from '../support/lineRig.ts';
import { eventually } from '../support/processes.ts';
import { BIN } from '../support/sandbox.ts';
import { needsTool } from '../support/tools.ts';

const LINES = Array.from({ length: 60 }, (_, index) => `line ${index + 1} of the file`);
const FILES = [{ directory: 'RMS', name1: 'SOME', name2: 'TEXT', text: LINES.join('\n') }];

/** Longer than a row of either size. */
const LONG_LINE = 'a long line '.repeat(12);
/** A session of some seconds, played again, and a browser that starts on a machine with other work. */
const TIMEOUT_MS = 120_000;

/** What the grid said at a mark, and what the player is to show there. */
interface Moment {
  readonly mark: string;
  readonly offset: number;
  readonly shown: object;
}

/** The screen as it is now, under a mark of that name: a place in the recording to which the player goes. */
async function moment(rig: LineRig, mark: string): Promise<Moment> {
  const { offset } = await rig.client.request('line.mark', { text: mark });
  const markedAtMs = Date.now();
  // At the mark itself: without `at` a CR at the end of the output, behind which LF may come, has not moved the cursor yet.
  const { size, rows, cursor } = await rig.client.request('line.screen', { at: offset });
  // Times of the record are whole milliseconds: what is sent behind the mark is to have a later one.
  await eventually('the next millisecond', () => Date.now() > markedAtMs);
  return { mark, offset, shown: { size, rows, filled: [cursor] } };
}

/** An EMACS session: a file, a screen further on, typing in the middle of it, killing, and the repaint over a message. */
async function edit(rig: LineRig, line: Fakeline): Promise<readonly Moment[]> {
  const moments: Moment[] = [];
  const step = async (mark: string, ...inputs: readonly string[]): Promise<void> => {
    for (const input of inputs) await rig.send(input);
    moments.push(await moment(rig, mark));
  };
  await step('the file', ':emacs', '~x18~x06rms;some text');
  await step('the next screen', '~x16~-');
  await step('typed lines', '~x0E~x0EThis is new', 'and so is this, with a tab~tin it', LONG_LINE);
  await step('killed lines', '~x0B~x0B~x0B~-');
  line.message('FOO', 'hello');
  await step('a message');
  await step('the repaint', '~x0C~-');
  return moments;
}

/** Text of the recording, and its markers in their order. */
async function record(
  rig: LineRig,
  ...args: readonly string[]
): Promise<{ cast: string; markers: readonly string[] }> {
  const ctl = rig.sandbox.run(BIN.ctl, { args: ['export', '--format', 'asciicast', ...args] });
  expect(await ctl.exited).toEqual({ code: 0, signal: null });
  const [, ...events] = ctl.stdout.trimEnd().split('\n');
  const markers = events
    .map((line): unknown => JSON.parse(line))
    .flatMap((event) => (Array.isArray(event) && event[1] === 'm' ? [String(event[2])] : []));
  return { cast: ctl.stdout, markers };
}

/** What the player shows at the end of what `export` makes of the session, and then at each of the marks. */
async function played(rig: LineRig, moments: readonly Moment[], ...args: readonly string[]) {
  const { cast, markers } = await record(rig, ...args);
  await using chromium = Chromium.start(rig.sandbox);
  await using player = await AsciinemaPlayer.load(chromium, cast);
  const shown: (readonly [mark: string, shown: object])[] = [['the end', await player.playToEnd()]];
  for (const { mark } of moments) {
    const index = markers.findIndex((label) => label.endsWith(` notes: ${mark}`));
    shown.push([mark, await player.seekMarker(index)]);
  }
  return shown;
}

/** What it is to show: the end is where the last mark is. */
function wanted(moments: readonly Moment[]) {
  const all = moments.map(({ mark, shown }) => [mark, shown] as const);
  return [['the end', moments.at(-1)?.shown], ...all];
}

describe('asciinema’s player', needsTool('chromium'), () => {
  test(
    'shows at each mark of an EMACS session, and at its end, the screen and the cursor of line.screen',
    async () => {
      await using line = await startFakeline({ files: FILES });
      await using rig = await startLoggedIn(line);
      const moments = await edit(rig, line);
      expect(await played(rig, moments)).toEqual(wanted(moments));
    },
    TIMEOUT_MS,
  );

  test(
    'a recording that begins in the middle of EMACS begins with its screen, and goes on in DDT, of any size',
    async () => {
      await using line = await startFakeline({ files: FILES });
      await using rig = await startLoggedIn(line, { args: ['--screen', '30x100'] });
      const inEmacs = await edit(rig, line);
      const repainted = inEmacs.slice(-1);
      const from = repainted[0]?.offset ?? 0;
      await rig.send('~x18~c~-');
      const left = await moment(rig, 'left');
      await rig.send(':listf rms');
      const listed = await moment(rig, 'listed');
      const moments = [...repainted, left, listed];
      expect(await played(rig, moments, '--from', String(from))).toEqual(wanted(moments));
    },
    TIMEOUT_MS,
  );
});
