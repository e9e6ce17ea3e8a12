import { expect, it } from 'vitest';
import { parseGroups } from '../src/groups.ts';
import { readSettings } from '../src/settings.ts';

it.each([
  ['line,commands', ['line', 'commands']],
  ['commands, line', ['line', 'commands']],
  ['line', ['line']],
  ['commands', ['commands']],
])('%j is %j', (text, groups) => {
  expect([...parseGroups(text)]).toEqual(groups);
});

it.each([[''], ['lines'], ['line,'], ['line;commands']])(
  '%j is refused, and what there is is named',
  (text) => {
    expect(() => parseGroups(text)).toThrow(/caps.*line, commands/);
  },
);

it('both are there by default; the flag wins over PIDP10_CAPS', () => {
  expect([...readSettings({}, {}).groups]).toEqual(['line', 'commands']);
  expect([...readSettings({}, { PIDP10_CAPS: '' }).groups]).toEqual(['line', 'commands']);
  expect([...readSettings({}, { PIDP10_CAPS: 'commands' }).groups]).toEqual(['commands']);
  expect([...readSettings({ caps: 'line' }, { PIDP10_CAPS: 'commands' }).groups]).toEqual(['line']);
  expect(() => readSettings({ caps: 'x' }, {})).toThrow(/"x"/);
});
