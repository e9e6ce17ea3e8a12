/** `pidp10ctl status --watch` with the real programs. */
import { startFakeline } from '@pidp10/fakeline';
import { expect, test } from 'vitest';
import { LineRig } from '../support/lineRig.ts';
import { BIN } from '../support/sandbox.ts';

test('C7 · status --watch shows it again and again, with the journal, until ^C', async () => {
  await using line = await startFakeline();
  await using rig = await LineRig.start({ port: line.port });
  await rig.open();
  const ctl = rig.sandbox.run(BIN.ctl, { args: ['status', '--watch'] });
  await ctl.until('two looks', ({ stdout }) => stdout.split('\njournal ').length > 2);
  expect(ctl.stdout).toMatch(/^line {4}open.*\n/);
  expect(ctl.stdout).toMatch(/\njournal ok; \d+ bytes in \d+ files?, kept from offset 0\n/);
  ctl.kill('SIGINT');
  expect(await ctl.exited).toEqual({ code: 130, signal: null });
});
