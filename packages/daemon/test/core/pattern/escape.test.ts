import { expect, test } from 'vitest';
import { parsePattern } from '../../../src/core/pattern/syntax.ts';

/** The code points below 0x80 that a pattern of one character takes, as a string; wider ones as numbers. */
function members(source: string): string {
  const node = parsePattern(source);
  if (node.kind !== 'set') throw new Error(`${source} is a ${node.kind}`);
  let text = '';
  for (let i = 0; i < node.set.length; i += 2) {
    for (let code = node.set[i] ?? 0; code <= Math.min(node.set[i + 1] ?? 0, 0x7f); code += 1) {
      text += String.fromCharCode(code);
    }
    if ((node.set[i + 1] ?? 0) > 0x7f)
      text += `${Math.max(node.set[i] ?? 0, 0x80).toString(16)}-${node.set[i + 1]?.toString(16)}`;
  }
  return text;
}

test.each([
  ['\\a\\e\\f\\n\\r\\t\\v', '\x07\x1b\f\n\r\t\v'],
  ['\\x41\\x{42}\\u0043\\u{44}', 'ABCD'],
  ['\\0\\033\\101\\12', '\0\x1bA\n'],
  ['\\cZ\\c[\\cg', '\x1a\x1b\x07'],
  ['\\.\\*\\/\\-\\<\\"\\_', '.*/-<"_'],
])('%s are the characters %j', (source, text) => {
  for (const [i, escape] of [
    ...source.matchAll(/\\(?:x\{\w+\}|u\{\w+\}|x..|u....|c.|[0-7]+|.)/g),
  ].entries()) {
    expect(members(escape[0])).toBe(text[i]);
  }
});

test.each([
  ['\\d', '0123456789'],
  ['\\s', '\t\n\f\r '],
  ['[\\d_]', '0123456789_'],
  ['[a-c]', 'abc'],
  ['[]a]', ']a'],
  ['[a-]', '-a'],
  ['[-a]', '-a'],
  ['[+--]', '+,-'],
  ['[a\\-c]', '-ac'],
  ['[\\]\\[\\\\]', '[\\]'],
  ['[[a]', '[a'],
  ['[.*+?(){}|$^]', '$()*+.?^{|}'],
  ['[\\b\\n\\x41-\\x43]', '\b\nABC'],
  ['[[:digit:]a]', '0123456789a'],
  ['[[:xdigit:]]', '0123456789ABCDEFabcdef'],
  ['[[:space:]]', '\t\n\v\f\r '],
  ['[[:blank:][:cntrl:]]', `${Array.from({ length: 33 }, (_, i) => String.fromCharCode(i)).join('')}\x7f`],
  ['[[:x]', ':[x'],
  ['[^\\x00-\\x60\\x{62}-\\x{10FFFF}]', 'a'],
  ['[^\\D5]', '012346789'],
  ['[[:^digit:]\\d]', `${Array.from({ length: 128 }, (_, i) => String.fromCharCode(i)).join('')}80-10ffff`],
  ['[^\\x00-\\x7f]', '80-10ffff'],
  ['[^]a-\\x{10FFFF}\\x00-\\x5b]', '\\^_`'],
])('the class %s holds %j', (source, expected) => {
  const sorted = (text: string) => text.split('').sort().join('');
  expect(sorted(members(source))).toBe(sorted(expected));
});

test.each([
  ['\\A', 'textStart'],
  ['\\z', 'textEnd'],
  ['\\Z', 'textEnd'],
  ['\\b', 'wordBorder'],
  ['\\B', 'noWordBorder'],
  ['^', 'lineStart'],
  ['$', 'lineEnd'],
])('%s is the assertion %s', (source, assertion) => {
  expect(parsePattern(source)).toMatchObject({ kind: 'assertion', assertion });
});
