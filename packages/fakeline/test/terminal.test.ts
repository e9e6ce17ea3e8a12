import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Terminal } from '../src/terminal.ts';
import { Vt52 } from './vt52.ts';

function terminal(type = 'vt52'): { readonly terminal: Terminal; sent(): string } {
  let sent = '';
  const made = new Terminal((text) => {
    sent += text;
  });
  made.setType(type);
  return { terminal: made, sent: () => sent };
}

test('a newline clears the line it goes to', () => {
  const t = terminal();
  t.terminal.print('a\n\nb');
  expect(t.sent()).toBe('a\r\n\x1bK\r\n\x1bKb');
});

test('a newline in the last line goes to the top', () => {
  const t = terminal();
  t.terminal.print('\n'.repeat(24));
  expect(t.sent()).toBe(`${'\r\n\x1bK'.repeat(23)}\x1bH\x1bK`);
  expect(t.terminal.row).toBe(0);
});

test('a character for the last column goes to the next line behind a mark', () => {
  const t = terminal();
  t.terminal.print('x'.repeat(80));
  expect(t.sent()).toBe(`${'x'.repeat(79)}!\r\n\x1bKx`);
});

test('a line of 79 characters is not folded', () => {
  const t = terminal();
  t.terminal.print(`${'x'.repeat(79)}\n`);
  expect(t.sent()).toBe(`${'x'.repeat(79)}\r\n\x1bK`);
});

test('rubbing out goes back with BS, to the first column with CR', () => {
  const t = terminal();
  t.terminal.print('ab');
  t.terminal.erase(2);
  expect(t.sent()).toBe('ab\b \b\r \r');
});

test('a tab of one column is a cursor movement unless another follows', () => {
  const t = terminal();
  t.terminal.print('1234567\tx\n1234567\t\tx');
  expect(t.sent()).toBe('1234567\x1bCx\r\n\x1bK1234567\t\tx');
});

test('a printing terminal gets no escapes, folds nothing, and a blank line is LF', () => {
  const t = terminal('la36');
  t.terminal.clear();
  t.terminal.print(`${'x'.repeat(100)}\n\n`);
  t.terminal.freshLine();
  expect(t.sent()).toBe(`\n${'x'.repeat(100)}\r\n\n`);
});

test('an unknown type changes nothing', () => {
  const t = terminal();
  expect(t.terminal.setType('zork')).toBe(false);
  expect(t.terminal.type).toBe('VT52');
});

test('wherever the cursor is sent, a VT52 has it there, and by no more than the top and tabs cost', () => {
  const place = fc.record({ row: fc.integer({ min: 0, max: 23 }), column: fc.integer({ min: 0, max: 79 }) });
  fc.assert(
    fc.property(fc.array(place), (places) => {
      const sent: string[] = [];
      const terminal = new Terminal((text) => sent.push(text));
      for (const { row, column } of places) {
        terminal.moveTo(row, column);
        const screen = new Vt52(sent.join(''));
        expect([screen.row, screen.column]).toEqual([row, column]);
      }
      expect(sent.join('').length).toBeLessThanOrEqual(places.length * (2 + 46 + 9 + 8));
    }),
  );
});

test.each([
  ['steps up when the top is not nearer', 20, 8, 12, 8, '\x1bA'.repeat(8)],
  ['by the top when it is nearer', 20, 9, 7, 0, `\x1bH${'\n'.repeat(7)}`],
  ['one tab too far and back', 0, 0, 0, 6, '\t\b\b'],
  ['a tab and steps', 0, 0, 0, 11, '\t\x1bC\x1bC\x1bC'],
  ['from the margin', 19, 60, 20, 40, '\r\t\t\t\t\t\n'],
  ['back by BS', 3, 9, 3, 8, '\b'],
])('moves %s', (_, fromRow, fromColumn, row, column, expected) => {
  const sent: string[] = [];
  const terminal = new Terminal((text) => sent.push(text));
  terminal.moveTo(fromRow, fromColumn);
  sent.length = 0;
  terminal.moveTo(row, column);
  expect(sent.join('')).toBe(expected);
});
