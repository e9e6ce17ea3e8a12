import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { KeyEvent } from '../../../src/ctl/attach/keys.ts';
import { PREFIX_HOLD_MS, ProgramKeys } from '../../../src/ctl/attach/programKeys.ts';

const typed = (text: string): KeyEvent => ({ kind: 'type', text });
const push = (text: string, keys = new ProgramKeys()) => keys.push(Buffer.from(text, 'latin1'), 0);

describe('keys of a program', () => {
  test.each<[string, readonly KeyEvent[]]>([
    ['abc\x03\x1b[A\xc3\xa9', [typed('abc\x03\x1b[A\xc3\xa9')]],
    [
      '\x05c.',
      [
        { kind: 'awaits', what: 'command' },
        { kind: 'command', key: '.' },
      ],
    ],
    ['a\x05xb', [typed('a\x05xb')]],
    [
      '\x05\x05\x05c?',
      [typed('\x05\x05'), { kind: 'awaits', what: 'command' }, { kind: 'command', key: '?' }],
    ],
    ['\x05c\x05b', [{ kind: 'awaits', what: 'command' }, typed('\x05b')]],
    [
      '\x05cbc',
      [
        { kind: 'awaits', what: 'command' },
        { kind: 'awaits', what: 'control' },
        { kind: 'urgent', text: '\x03' },
      ],
    ],
  ])('%j', (text, events) => expect(push(text)).toEqual(events));

  test('a control key that is none is refused', () => {
    expect(push('\x05cb1').at(-1)).toMatchObject({ kind: 'refused' });
  });

  test('another escape key', () => {
    expect(push('\x05c\x1dc.', new ProgramKeys(0x1d))).toEqual([
      typed('\x05c'),
      { kind: 'awaits', what: 'command' },
      { kind: 'command', key: '.' },
    ]);
  });

  test('the escape key alone is typed after a while, and not before', () => {
    const keys = new ProgramKeys();
    expect(keys.push(Uint8Array.of(5), 10)).toEqual([]);
    expect(keys.deadlineMs).toBe(10 + PREFIX_HOLD_MS);
    expect(keys.tick(9 + PREFIX_HOLD_MS)).toEqual([]);
    expect(keys.tick(10 + PREFIX_HOLD_MS)).toEqual([typed('\x05')]);
    expect(keys.deadlineMs).toBeUndefined();
    expect(push('c', keys)).toEqual([typed('c')]);
  });

  test('any split of the bytes gives the same', () => {
    const byte = fc.oneof(fc.constantFrom(5, 0x63, 0x62, 0x2e), fc.integer({ min: 0, max: 255 }));
    fc.assert(
      fc.property(fc.array(byte, { maxLength: 40 }), fc.integer({ min: 0, max: 40 }), (bytes, at) => {
        const whole = new ProgramKeys().push(Uint8Array.from(bytes), 0);
        const keys = new ProgramKeys();
        const parts = [bytes.slice(0, at), bytes.slice(at)].flatMap((part) =>
          keys.push(Uint8Array.from(part), 0),
        );
        expect(joined(parts)).toEqual(joined(whole));
      }),
    );
  });
});

/** Typed text that follows on as one. */
function joined(events: readonly KeyEvent[]): readonly KeyEvent[] {
  const result: KeyEvent[] = [];
  for (const event of events) {
    const last = result.at(-1);
    if (event.kind === 'type' && last?.kind === 'type')
      result[result.length - 1] = typed(last.text + event.text);
    else result.push(event);
  }
  return result;
}
