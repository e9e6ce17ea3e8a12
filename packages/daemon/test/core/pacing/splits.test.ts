/** I3 at the pacer: how the bytes of a moment were split changes neither what is typed then nor what is told. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { cut, cuts } from '../bytes.ts';
import { LineRun, type RunOptions } from '../lineRun.ts';

const RUNS = process.env['PIDP10_SOAK'] === '1' ? 10_000 : 300;
const TYPED = 'the quick brown fox jumps over a lazy dog\r';

/** Echo of what is typed, pieces of it, what resembles it, bells, other output. */
const heard = fc
  .array(
    fc.oneof(
      fc.tuple(fc.nat({ max: 80 }), fc.nat({ max: 40 })).map(([at, chars]) => {
        const echo = TYPED.repeat(4).replaceAll('\r', '\r\n\x1bK');
        return echo.slice(at, at + chars);
      }),
      fc.constantFrom('the ', 't', 'X', '\x07', '\r\n', '\x1bH\x1bJ', 'a lazy dog', '*', ' '),
    ),
    { maxLength: 5 },
  )
  .map((pieces) => pieces.join(''));
const moment = fc.record({ heard, cuts, waitMs: fc.constantFrom(1, 20, 150, 2_000) });
const schedule = fc.record({
  sends: fc.array(fc.constantFrom(TYPED.repeat(4), TYPED, 'the ', '\x01', 'the quick brown fox '), {
    minLength: 1,
    maxLength: 3,
  }),
  moments: fc.array(moment, { minLength: 1, maxLength: 6 }),
});

function play(
  { sends, moments }: { sends: readonly string[]; moments: readonly { heard: string; waitMs: number }[] },
  options: (at: number) => RunOptions['split'],
): unknown {
  let at = 0;
  const run = new LineRun({ split: (bytes) => options(at)?.(bytes) ?? [bytes] }).opened();
  for (const [index, input] of sends.entries()) run.send(`s${index}`, input, { timeoutMs: 50_000 }).after(1);
  for (const { heard: text, waitMs } of moments) {
    run.hear(text).after(waitMs);
    at += 1;
  }
  const { conversation } = run.channel;
  const { pacer } = conversation.typist;
  return [run.typed, [...run.endings], conversation.echo, pacer.deadlineMs(), pacer.endsInEcho];
}

test('any split of what comes at a moment, with input waiting for room, ends the same', () => {
  fc.assert(
    fc.property(schedule, (given) => {
      const whole = play(given, () => undefined);
      expect(play(given, (at) => (bytes) => cut(bytes, given.moments[at]?.cuts ?? []))).toEqual(whole);
    }),
    { numRuns: RUNS },
  );
});
