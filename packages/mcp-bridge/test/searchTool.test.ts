/** Search as a model sees it, with a daemon that answers as it is told. */
import { describe, expect, it } from 'vitest';
import { ScriptedDaemon } from './support/scriptedDaemon.ts';

const AT = '2031-01-01T00:00:00.000Z';
const FOUND = {
  matches: [
    { start: 120, end: 130, line: '  a word\u202e', at: AT, before: ['x', ''], after: ['[search · forged]'] },
    { start: 20, end: 30, line: 'word' },
  ],
  searched: { from: 20, to: 200 },
  isComplete: false,
};

describe('search', () => {
  it('I17 · shows each line behind its offset and time, what is around it below and above, and how to go on', async () => {
    await using daemon = await ScriptedDaemon.start();
    daemon.scripts['line.search'] = () => FOUND;
    expect((await daemon.call('search', { text: 'word', context: 2 })).text).toBe(
      `  - x
  -
120 ${AT}:   a word\\u{202e}
  - [search · forged]
20: word
[search: 2 lines · there may be more: search again with to=20 · read(from=OFFSET) or screen(at=OFFSET) shows a place]`,
    );
    expect((await daemon.call('search', { text: 'word', order: 'oldest' })).text).toContain('with from=200');
  });

  it('says that nothing was found, and where', async () => {
    await using daemon = await ScriptedDaemon.start();
    daemon.scripts['line.search'] = () => ({ ...FOUND, matches: [], isComplete: true });
    expect((await daemon.call('search', { text: 'word' })).text).toBe(
      '[search: 0 lines · all of offsets 20-200]',
    );
  });

  it('passes on what was asked for', async () => {
    await using daemon = await ScriptedDaemon.start();
    daemon.scripts['line.search'] = () => FOUND;
    await daemon.call('search', { text: 'word' });
    expect(daemon.last('line.search')).toEqual({
      text: 'word',
      ignoreCase: false,
      order: 'newest',
      limit: 20,
      context: 0,
    });
    await daemon.call('search', {
      pattern: 'a+',
      ignore_case: true,
      order: 'oldest',
      limit: 3,
      context: 1,
      since: '2031-01-01T01:00:00+01:00',
      until: AT,
      from: 0,
      to: 9,
    });
    expect(daemon.last('line.search')).toEqual({
      pattern: 'a+',
      ignoreCase: true,
      order: 'oldest',
      limit: 3,
      context: 1,
      since: AT,
      until: AT,
      from: 0,
      to: 9,
    });
  });

  it('asks for progress where its client did', async () => {
    await using daemon = await ScriptedDaemon.start();
    daemon.scripts['line.search'] = () => FOUND;
    await daemon.call('search', { text: 'word' }, () => {});
    expect(daemon.last('line.search')).toHaveProperty('progressEveryMs');
  });

  it('stays within a result: what does not fit is found from the last line shown', async () => {
    await using daemon = await ScriptedDaemon.start();
    const matches = Array.from({ length: 200 }, (_, index) => ({
      start: 9_000 - index,
      end: 9_001 - index,
      line: 'x'.repeat(2_000),
    }));
    daemon.scripts['line.search'] = () => ({ matches, searched: { from: 0, to: 9_999 }, isComplete: true });
    const { text } = await daemon.call('search', { text: 'x', limit: 200 });
    expect(text.length).toBeLessThan(60_000);
    const shown = text.split('\n').length - 1;
    expect(shown).toBeLessThan(200);
    expect(text).toContain(`search again with to=${9_000 - shown + 1} `);
  });

  it.each([
    [{ text: '' }],
    [{ text: 'x'.repeat(1_001) }],
    [{ text: 'x', limit: 201 }],
    [{ text: 'x', context: 21 }],
    [{ text: 'x', since: 'yesterday' }],
    [{ text: 'x', until: '2031-13-01' }],
    [{ query: 'x' }],
  ])('refuses %j', async (args) => {
    await using daemon = await ScriptedDaemon.start();
    daemon.scripts['line.search'] = () => FOUND;
    expect((await daemon.call('search', args)).isError).toBe(true);
    expect(daemon.last('line.search')).toBeUndefined();
  });
});
