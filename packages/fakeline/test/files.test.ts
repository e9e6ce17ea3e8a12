import { expect, test } from 'vitest';
import { defaultFiles, FileSystem, toFileName } from '../src/files.ts';

const NAME = { directory: 'RMS', name1: 'TMP', name2: 'TEXT' };

test.each([
  ['rms;tmp text', 'RMS; TMP TEXT'],
  ['RMS; TMP TEXT', 'RMS; TMP TEXT'],
  ['dsk: rms; tmp text', 'RMS; TMP TEXT'],
  ['tmp', 'SYS; TMP >'],
  ['averylongname x', 'SYS; AVERYL X'],
])('%s is %s', (spec, expected) => {
  const name = toFileName(spec, 'SYS');
  expect(`${name.directory}; ${name.name1} ${name.name2}`).toBe(expected);
});

test('what was written can be read, listed and deleted', () => {
  const files = new FileSystem([]);
  files.write({ ...NAME, text: 'hi\n' });
  expect(files.tryRead({ directory: 'rms', name1: 'tmp', name2: 'text' })).toBe('hi\n');
  expect(files.tryListing('rms')).toMatch(
    /^KA {3}RMS {3}\nFREE BLOCKS .*\n {2}1 {3}TMP {4}TEXT {3}1 ! \S+ \S+\n$/,
  );
  expect(files.delete(NAME)).toBe(true);
  expect(files.tryRead(NAME)).toBeUndefined();
});

test('> writes the next version and reads the last', () => {
  const files = new FileSystem([]);
  const name = { directory: 'RMS', name1: 'HELLO', name2: '>' };
  expect(files.write({ ...name, text: 'one' }).name2).toBe('1');
  expect(files.write({ ...name, text: 'two' }).name2).toBe('2');
  expect(files.tryRead(name)).toBe('two');
});

test('a given listing replaces the lines, and its directory exists', () => {
  const files = new FileSystem([], { sys: ['one', 'two'] });
  expect(files.tryListing('SYS')).toBe('KA   SYS   \none\ntwo\n');
  expect(files.tryListing('NONE')).toBeUndefined();
});

test('the default files have a text of several pages and a listing of several', () => {
  const files = new FileSystem(defaultFiles());
  expect(
    files.tryRead({ directory: 'INFO', name1: 'PAGES', name2: 'TEXT' })?.split('\n').length,
  ).toBeGreaterThan(72);
  expect(files.tryListing('SYS')?.split('\n').length).toBeGreaterThan(24);
});
