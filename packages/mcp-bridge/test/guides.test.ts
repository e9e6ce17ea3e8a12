import { expandEscapes } from '@pidp10/protocol/escapes';
import { describe, expect, it } from 'vitest';
import { GUIDES } from '../src/guides.ts';
import { PROMPTS } from '../src/prompts.ts';

describe.each(PROMPTS)('$name', ({ name, group }) => {
  const text = GUIDES[name];

  it('quotes only input that is valid; programs take no escapes', () => {
    const inputs = [...text.matchAll(/"([^"\n]*~[^"\n]*)"/g)].map(([, input = '']) => input);
    const kinds = inputs.map((input) => expandEscapes(input, { bits: 7, raw: false }).kind);
    expect(kinds).toEqual(group === 'commands' ? [] : inputs.map(() => 'bytes'));
  });

  it('names only tools of its group', () => {
    const called = [...text.matchAll(/\b([a-z_]+)\((?=[a-z_]+=)/g)].map(([, tool = '']) => tool);
    const tools =
      group === 'commands' ? ['start_command', 'send_input', 'send_signal'] : ['open', 'send', 'put_file'];
    for (const tool of called) expect(tools).toContain(tool);
  });

  it('is short', () => {
    expect(text.length).toBeLessThan(3_500);
  });
});
