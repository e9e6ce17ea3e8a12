/**
 * The fake against the recordings of the real line, byte for byte. Not compared, because they cannot be equal: 14d (the
 * real DDT was still printing when the answers came; the fake's page is out at once), 05b, 06a, 10c, 10e, 10f, 14e
 * (floods: where they are cut is chance; la36 orders CR and LF differently from run to run), 10a (a reset at a moment
 * that was chance; what came of it in 10b is in mux.test.ts), 07g (MAIL, which was broken there). Programs are compared in
 * programs.recordings.test.ts.
 */

import { expect, test } from 'vitest';
import { pagedLines, play, readRecording, toSteps } from './recordings.ts';

const listing = readRecording('04a-login-listf');
const line = {
  // From recordings, because directories and help are content, not behaviour.
  listings: {
    RMS: pagedLines(listing, 'KA   RMS').slice(1),
    SYS: pagedLines(listing, 'KA   SYS').slice(1),
  },
  commandHelp: `${pagedLines(readRecording('05a-ddt-altmode'), 'This is the file').join('\n')}\n`,
};

test.each([
  ['02-text-before-ctrl-z'],
  ['03-ctrl-z-banner'],
  ['04a-login-listf'],
  ['04b-more-cmd'],
  ['04b-more-cr'],
  ['04b-more-ctrlg'],
  ['04b-more-ctrls'],
  ['04b-more-lf'],
  ['04b-more-rubout'],
  ['05a-ddt-altmode'],
  ['08a-logout-idle'],
  ['08b-drop-while-logged-in', '08c-reconnect-after-drop'],
  ['08d-detach'],
  ['12-idle-6min'],
  ['13b-bytes'],
  ['13c-one-ff'],
  ['13d-ff-then-reconnect', '13e-after-ff'],
  ['14-create-50-burst'],
  ['14-create-500-burst'],
  ['14c-two-commands-first-fails'],
  ['14h-ddt-long-line'],
  ['15a-ctrl-z-at-once'],
])('the line answers as recorded in %s %s', async (...names) => {
  const { expected, found } = await play(names, { line });
  expect(found).toEqual(expected);
});

test.each([
  '04b-more-cmd',
  '05a-ddt-altmode',
  '14c-two-commands-first-fails',
  '14g-emacs-start-typeahead',
  '14h-ddt-long-line',
])(
  'the line answers as recorded in %s also when it takes characters one by one and sends slowly',
  async (name) => {
    const { expected, found } = await play([name], { line: { ...line, inputCps: 1000, baud: 200_000 } });
    expect(found).toEqual(expected);
  },
);

test('04b-more-x: the same but for one character that the real DDT echoed before its error', async () => {
  const adjust = (text: string): string => text.replace(':v JOB? k', ': JOB? vk');
  const { expected, found } = await play(['04b-more-x'], { line, adjust });
  expect(found).toEqual(expected);
});

test('13a-bytes: the same up to ^_H, but for ^A, which means nothing to the fake', async () => {
  const adjust = (text: string): string => text.replace('}^A    JOB? B', '}^AB');
  const steps = toSteps(readRecording('13a-bytes')).findIndex((step) => step.sent === '\x1f');
  const { expected, found } = await play(['13a-bytes'], { line, steps, adjust });
  expect(steps).toBeGreaterThan(20);
  expect(found).toEqual(expected);
});
