import fc from 'fast-check';
import { expect, test } from 'vitest';
import { EmacsBuffer } from '../src/emacsBuffer.ts';

/** The same editor on one string. */
class Model {
  text = '';
  at = 0;
  insert(char: string): void {
    this.text = this.text.slice(0, this.at) + char + this.text.slice(this.at);
    this.at += char.length;
  }
}

/** False when there was nothing to do it to; undone ones of the others are not told. */
function act(buffer: EmacsBuffer, key: string): boolean {
  if (key === 'left') return buffer.moveBy(-1);
  if (key === 'right') return buffer.moveBy(1);
  if (key === 'delete') return buffer.deleteForward();
  if (key === 'kill') buffer.killLine();
  else if (key === 'start') buffer.moveToStart();
  else if (key === 'end') buffer.moveToEnd();
  else if (key === '\n') buffer.breakLine();
  else buffer.insert(key);
  return true;
}

test('whatever is typed, moved and deleted, the text is that of a plain string', () => {
  const keys = fc.array(fc.constantFrom('a', 'b', '\n', 'left', 'right', 'delete', 'kill', 'start', 'end'));
  fc.assert(
    fc.property(keys, (typed) => {
      const buffer = new EmacsBuffer();
      const model = new Model();
      for (const key of typed) {
        const lineEnd = model.text.indexOf('\n', model.at);
        const end = lineEnd < 0 ? model.text.length : lineEnd;
        const isDone = act(buffer, key);
        const hasNext = model.at < model.text.length;
        expect(isDone).toBe(
          key === 'left' ? model.at > 0 : key === 'right' || key === 'delete' ? hasNext : true,
        );
        if (key === 'left') model.at = Math.max(0, model.at - 1);
        else if (key === 'right') model.at = Math.min(model.text.length, model.at + 1);
        else if (key === 'delete')
          model.text = model.text.slice(0, model.at) + model.text.slice(model.at + 1);
        else if (key === 'kill') {
          model.text =
            model.text.slice(0, model.at) + model.text.slice(Math.max(end, end === model.at ? end + 1 : end));
        } else if (key === 'start') model.at = 0;
        else if (key === 'end') model.at = model.text.length;
        else model.insert(key);
        expect(buffer.text).toBe(model.text);
        const before = buffer.lines.slice(0, buffer.line).reduce((sum, line) => sum + line.length + 1, 0);
        expect(before + buffer.column).toBe(model.at);
      }
    }),
  );
});

test('a search finds the next one in any case and goes behind it', () => {
  const buffer = new EmacsBuffer();
  buffer.load('one\ntwo Hello\nhello');
  expect(buffer.searchForward('hello')).toBe(true);
  expect([buffer.line, buffer.column]).toEqual([1, 9]);
  expect(buffer.searchForward('hello')).toBe(true);
  expect([buffer.line, buffer.column]).toEqual([2, 5]);
  expect(buffer.searchForward('hello')).toBe(false);
  expect([buffer.line, buffer.column]).toEqual([2, 5]);
});
