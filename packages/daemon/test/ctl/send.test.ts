import { expect, test } from 'vitest';
import { Ctl } from './runCtl.ts';

test.each([
  [['send', 'x', '--paste', '--until-prompt', '--max-pages', '3', '--to-file', 'f'], 'line.send'],
  [['read', '--until-prompt', '--max-pages', '3', '--to-file', 'f'], 'line.read'],
])('options of the wait become parameters: %j', async (argv, method) => {
  await using ctl = await Ctl.start((message) =>
    message.method === method ? { error: { code: 1120, message: 'no' } } : undefined,
  );
  expect(await ctl.run(argv)).toBe(4);
  expect(ctl.paramsOf(method)).toEqual([
    expect.objectContaining({ until: 'prompt', maxPages: 3, toFile: 'f' }),
  ]);
});

test('I17: the word of a person, where the guard wants it', async () => {
  await using ctl = await Ctl.start(({ method }) =>
    method === 'line.send' ? { error: { code: 1138, message: 'not sent', data: {} } } : undefined,
  );
  expect(await ctl.run(['send', ':lock', '--confirm'])).toBe(1);
  expect(ctl.paramsOf('line.send')).toEqual([expect.objectContaining({ confirm: true })]);
});

test('what was not given is not asked for: the daemon knows the defaults', async () => {
  await using ctl = await Ctl.start(({ method }) =>
    method === 'hello' ? undefined : { error: { code: 1120, message: 'no' } },
  );
  await ctl.run(['send', 'x']);
  await ctl.run(['read', '--flush']);
  expect(ctl.paramsOf('line.send')).toEqual([
    { input: 'x', echo: 'strip', raw: false, paste: false, confirm: false, dryRun: false },
  ]);
  expect(ctl.paramsOf('line.read')).toEqual([{ flush: true }]);
});
