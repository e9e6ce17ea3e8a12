import { describe, expect, test } from 'vitest';
import { findEnding, isBanner } from '../../../src/core/its/ending.ts';
import { LineRun } from '../lineRun.ts';
import { loadRecording, RECORDING_NAMES } from '../recordings.ts';

const MORE = '--More-- (Space=yes, Rubout=no)';

/** Last words that occur in the recordings before a silence of 150 ms, one of each shape. */
describe('last words of a real line', () => {
  test.each<[words: string, ending: string | undefined]>([
    // DDT's prompt
    [':vk\n*', 'prompt'],
    ['The time is 19:51:25 EST.\n:KILL \n*', 'prompt'],
    [':KILL  MAIL$J\n*', 'prompt'],
    [' QUIT? :vk\n*', 'prompt'],
    ['Flushed\n*', 'prompt'],
    ['^S\n*', 'prompt'],
    // errors
    [':nosuch\nSYS: SYS3; TS NOSUCH - FILE NOT FOUND\n', 'error'],
    [':login foo\n\nKA: FOO; FOO MAIL - NON-EXISTENT DIRECTORY\n', 'error'],
    ['DSK: RMS; TMP BIN - FILE NOT FOUND\n', 'error'],
    ['*x:v JOB? ', 'error'],
    ['rms\n?U? ', 'error'],
    ['test ?U? ', 'error'],
    ['?? ', 'error'],
    ['^D XXX? ', 'error'],
    ['abc QUIT? ', 'error'],
    [' QUIT? ', 'error'],
    ['1/    JOB? ', 'error'],
    ['Already logged in as "RMS"? ', 'error'],
    [': ?? logout\n?U? Use :LOGOUT (you must type the colon).', 'error'],
    // ready without a prompt
    ['\n\nTo see system messages, do ":MSGS<CR>"\n', 'ready'],
    ['100/   0   ', 'ready'],
    ['\n101/   0   ', 'ready'],
    ['^Z?? ', 'ready'],
    ['1+2=3   ', 'ready'],
    // nobody
    [':logout\n\n\nKA ITS 1652  Console 52 Free. 20:15:03\n', 'free'],
    // pagers
    [`page\n${MORE}`, 'pager'],
    ['page\n--More--', 'pager'],
    ['page\n--More-- (Space=yes, CR=no)', 'pager'],
    ['"PADDED MEMOWRECK".\n**MORE**', 'pager'],
    ['  3  RMS    PEEK\n--More--', 'pager'],
    ['INFO  (.INFO.)  --MORE--', 'pager'],
    // questions
    [':login rms\n--Attach Your Detached Tree-- (Space=yes, Rubout=no)', 'question'],
    ['foo$^X. FOO$J--Kill--. (Space=yes, Rubout=no)', 'question'],
    // nothing of the kind
    ['', undefined],
    ['\n\nConnected to the KA-10 simulator MTY device, line 9\n\n', undefined],
    ['half a line', undefined],
    [':list', undefined],
    ['*:vk', undefined],
    ['text *', undefined],
    ['**', undefined],
    ['TECO.1213', undefined],
    ['EMACS  (Fundamental)  Main:   *', undefined],
    ['ITS\nMACHINE NAME = ', undefined],
    ['Creating file DSK: RMS; TMP TEXT   Type ^C to end input, ^_H for help.\n', undefined],
    ['    ==> INSERTED:  NET 33\n', undefined],
    ['KA:INET 139 SYSTEM;\n', undefined],
    ['VT52\n', undefined],
    [`${MORE} and more`, undefined],
    [`${MORE}\n`, undefined],
    ['**MORE**\n', undefined],
    ['Job? yes', undefined],
    ['what? ', undefined],
    ['a - B\n', undefined],
  ])('%j', (words, ending) => {
    expect(findEnding(words)?.ending.kind).toBe(ending);
  });

  test('which pager, which question, and where they begin', () => {
    expect(findEnding(`text\n${MORE}`)).toEqual({ ending: { kind: 'pager', pager: 'ddt' }, start: 5 });
    expect(findEnding('text\n**MORE**')).toEqual({ ending: { kind: 'pager', pager: 'system' }, start: 5 });
    expect(findEnding('text\nfolded he**MORE**')).toEqual({
      ending: { kind: 'pager', pager: 'system' },
      start: 14,
    });
    expect(findEnding('text\n x --More--')).toEqual({ ending: { kind: 'pager', pager: 'other' }, start: 5 });
    expect(findEnding('a\n--Attach Your Detached Tree-- (Space=yes, Rubout=no)')).toEqual({
      ending: { kind: 'question', text: '--Attach Your Detached Tree--', yes: 'Space', no: 'Rubout' },
      start: 2,
    });
    expect(findEnding('a\nDSK: RMS; TMP BIN - FILE NOT FOUND\n')).toEqual({
      ending: { kind: 'error', text: 'DSK: RMS; TMP BIN - FILE NOT FOUND' },
      start: 2,
    });
  });

  test('a banner is known by its first line, and ends at the start of a line', () => {
    expect(isBanner("\nKA ITS.1652. DDT.1549.\nTTY 52\nYou're all alone, Fair share = 99%\nHi\n")).toBe(true);
    expect(isBanner('\nKA ITS.1652. DDT.1549.\nTTY 52')).toBe(false);
    expect(isBanner('\nsays KA ITS.1652. DDT.1549. here\n')).toBe(false);
  });
});

/** The kind of what a wait found at the end of every silence of 150 ms and more. */
function endingsOf(name: string): Map<string, string> {
  const run = new LineRun();
  run.channel.conversation.readers.claim('me', 0);
  run.open().feed({ kind: 'connected' });
  const found = new Map<string, string>();
  let from = 0;
  let lastMs = 0;
  for (const { atMs, dir, bytes } of loadRecording(name)) {
    run.to(atMs);
    const { transcript } = run.channel.conversation;
    if (dir === 'in' && atMs - lastMs < 150) lastMs = atMs;
    else if (transcript.scrollback.end > from) {
      const { end } = transcript.scrollback;
      const text = transcript.text({ start: Math.max(from, end - 200), end }).text;
      found.set(text.slice(-60), transcript.ending(from)?.ending.kind ?? 'none');
      lastMs = atMs;
    }
    if (dir === 'in') run.hear(bytes);
    else if (dir === 'out') from = transcript.scrollback.end;
    else break;
  }
  return found;
}

/** What anybody would take these last words for. */
function plainKind(words: string): string | undefined {
  if (words === '*' || words.endsWith('\n*')) return 'prompt';
  if (/Free\. \d\d:\d\d:\d\d\n$/.test(words)) return 'free';
  return /\n[A-Z0-9]+: .*(?:NOT FOUND|DIRECTORY)\n$/.test(words) ? 'error' : undefined;
}

test.each(RECORDING_NAMES.filter((name) => !/^(?:07[bcf]|14[eg])/.test(name)))(
  '%s · no silence ends in a prompt that is none, and each * at the start of a line is one',
  (name) => {
    const known = [...endingsOf(name)].filter(
      ([words, kind]) => kind === 'prompt' || plainKind(words) !== undefined,
    );
    expect(known).toEqual(known.map(([words]) => [words, plainKind(words)]));
  },
);
