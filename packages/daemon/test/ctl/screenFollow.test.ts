import { describe, expect, test } from 'vitest';
import { Ctl, FACTS } from './runCtl.ts';

const SLICE = { start: 0, end: 0, text: '', truncated: false, lines: 0 };

function toScreen(text: string, fields: object = {}) {
  return {
    rows: [text],
    changed: [0],
    cursor: { row: 0, column: 0 },
    offset: 1,
    unknown: 0,
    ...FACTS,
    ...fields,
  };
}

/** A daemon whose screens come one after the other; after the last one `onEnd`. */
async function startScreens(screens: readonly object[], onEnd: () => void = () => {}): Promise<Ctl> {
  let next = 0;
  return await Ctl.start(({ method }) => {
    if (method === 'line.read') return { result: { reason: 'matched', output: SLICE, ...FACTS } };
    if (method !== 'line.screen') return undefined;
    const result = screens[Math.min(next, screens.length - 1)];
    next += 1;
    if (next >= screens.length) setImmediate(onEnd);
    return { result };
  });
}

describe('screen --follow', () => {
  test('I11: paints again on a change only, until ^C; exit code 130', async () => {
    const interrupt = new AbortController();
    const same = toScreen('one', { changed: [] });
    await using ctl = await startScreens([toScreen('one'), same, toScreen('two'), same], () =>
      interrupt.abort(),
    );
    expect(await ctl.run(['screen', '--follow'], { signal: interrupt.signal })).toBe(130);
    expect(ctl.stdout.match(/^(?:one|two)$/gm)).toEqual(['one', 'two']);
    expect(ctl.stderr).toBe('');
  });

  test('waits from the offset of the screen, answers no pager, and is no reader', async () => {
    const interrupt = new AbortController();
    const screens = [toScreen('one', { offset: 77 }), toScreen('two')];
    await using ctl = await startScreens(screens, () => interrupt.abort());
    await ctl.run(['screen', '--follow'], { signal: interrupt.signal });
    expect(ctl.paramsOf('line.read')[0]).toMatchObject({ from: 77, autoMore: false });
    expect(ctl.paramsOf('line.screen')[1]).toEqual({ changedSince: 77 });
    expect(ctl.paramsOf('hello')[0]).not.toHaveProperty('reader');
  });

  test('a cursor that moved is a change', async () => {
    const interrupt = new AbortController();
    const moved = toScreen('one', { changed: [], cursor: { row: 0, column: 2 } });
    await using ctl = await startScreens([toScreen('one'), moved], () => interrupt.abort());
    await ctl.run(['screen', '--follow'], { signal: interrupt.signal });
    expect(ctl.stdout).toContain('column 2');
  });

  test('ends with the line: exit code 4, and why', async () => {
    const dead = toScreen('last', { lineState: { state: 'dead', reason: 'reset', codec: 'telnet' } });
    await using ctl = await startScreens([toScreen('one'), dead]);
    expect(await ctl.run(['screen', '--follow'])).toBe(4);
    expect(ctl.stdout).toMatch(/last/);
    expect(ctl.stderr).toBe('pidp10ctl: the line is dead (reset)\n');
  });

  test('a daemon that goes away gives the terminal back first; exit code 5', async () => {
    await using ctl = await Ctl.start(({ method }, socket) => {
      if (method === 'line.read') socket.destroy();
      return method === 'line.screen' ? { result: toScreen('one') } : undefined;
    });
    expect(await ctl.run(['screen', '--follow'], { isTTY: true, rows: 24 })).toBe(5);
    expect(ctl.stdout.startsWith('\x1b[?1049h') && ctl.stdout.endsWith('\x1b[?1049l')).toBe(true);
  });
});
