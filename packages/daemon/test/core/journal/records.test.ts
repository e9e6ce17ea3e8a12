import fc from 'fast-check';
import { expect, test } from 'vitest';
import { crc32 } from '../../../src/core/journal/crc32.ts';
import {
  CALLER_KINDS,
  decodeLine,
  encodeRecord,
  type JournalRecord,
  MAX_RECORD_BYTES,
  OWN_KINDS,
  parseIndex,
} from '../../../src/core/journal/records.ts';

const record: fc.Arbitrary<JournalRecord> = fc
  .record({
    seq: fc.nat(),
    kind: fc.constantFrom(...CALLER_KINDS, ...OWN_KINDS),
    stream: fc.constantFrom('out', 'err'),
    offset: fc.maxSafeNat(),
    wallMs: fc.integer(),
    monoMs: fc.nat(),
    boot: fc.string(),
    data: fc.option(fc.dictionary(fc.string({ unit: 'binary' }), fc.jsonValue()), { nil: undefined }),
  })
  // Through JSON, which knows no -0 and no undefined.
  .map((value) => JSON.parse(JSON.stringify(value)));

/** Three records as they stand in a file; the last two are the ones that get damaged. */
const three: fc.Arbitrary<readonly JournalRecord[]> = fc
  .array(record, { minLength: 3, maxLength: 3 })
  .map((records) => records.map((one, seq) => ({ ...one, seq, boot: 'b' })));

function textOf(records: readonly JournalRecord[]): string {
  return records.map((one) => encodeRecord(one)).join('');
}

/** Readers keep what is valid and tell where the rest is: nothing invented, nothing in both. */
function expectHonest(text: string, records: readonly JournalRecord[]): readonly JournalRecord[] {
  const parsed = parseIndex(text);
  for (const one of parsed.records) expect(records).toContainEqual(one);
  const damagedBytes = parsed.damaged.reduce((sum, { from, to }) => sum + to - from, 0);
  const validBytes = parsed.records.reduce((sum, one) => sum + encodeRecord(one).length, 0);
  // A last line that lacks nothing but its line feed is whole.
  expect([text.length, text.length + 1]).toContain(damagedBytes + validBytes);
  return parsed.records;
}

test('has the check value of CRC-32/ISO-HDLC', () => {
  expect(crc32('123456789')).toBe(0xcbf43926);
  expect(crc32('')).toBe(0);
});

test('a record is one line of ASCII and comes back as it was', () => {
  fc.assert(
    fc.property(record, (value) => {
      const line = encodeRecord(value);
      expect(line).toMatch(/^[0-9a-f]{8} [ -~]+\n$/);
      expect(decodeLine(line.slice(0, -1))).toEqual(value);
    }),
  );
});

test('S01 · cut anywhere in the last two records: the valid prefix is read, the rest is told', () => {
  fc.assert(
    fc.property(three, (records) => {
      const text = textOf(records);
      const first = textOf(records.slice(0, 1)).length;
      const second = textOf(records.slice(0, 2)).length;
      for (let length = first; length <= text.length; length++) {
        const found = expectHonest(text.slice(0, length), records);
        expect(found.length).toBe(length >= text.length - 1 ? 3 : length >= second - 1 ? 2 : 1);
      }
    }),
    { numRuns: 8 },
  );
});

test('S01 · any bit flipped in the last two records: that record alone is missing, or its neighbour with it', () => {
  fc.assert(
    fc.property(three, (records) => {
      const text = textOf(records);
      const first = textOf(records.slice(0, 1)).length;
      for (let at = first; at < text.length; at++) {
        for (let bit = 0; bit < 8; bit++) {
          const flipped = String.fromCharCode(text.charCodeAt(at) ^ (1 << bit));
          const found = expectHonest(text.slice(0, at) + flipped + text.slice(at + 1), records);
          expect(found[0]).toEqual(records[0]);
          expect(found.length).toBeLessThan(3);
          // Only the line feed between them takes both along.
          const isBetween = at === textOf(records.slice(0, 2)).length - 1;
          expect(found.length).toBe(isBetween ? 1 : 2);
        }
      }
    }),
    { numRuns: 2 },
  );
});

test('S01 · any byte replaced by any other is found', () => {
  fc.assert(
    fc.property(three, fc.nat(), fc.integer({ min: 1, max: 255 }), (records, where, change) => {
      const text = textOf(records);
      const first = textOf(records.slice(0, 1)).length;
      const at = first + (where % (text.length - first));
      const other = String.fromCharCode(text.charCodeAt(at) ^ change);
      expect(expectHonest(text.slice(0, at) + other + text.slice(at + 1), records).length).toBeLessThan(3);
    }),
  );
});

test('no text of any kind makes the parser throw or take a byte for two things', () => {
  fc.assert(
    fc.property(fc.array(fc.nat({ max: 255 })), (codes) => {
      const text = String.fromCharCode(...codes);
      const { records, damaged } = parseIndex(text);
      expect(records).toEqual([]);
      expect(damaged).toEqual(text.length === 0 ? [] : [{ from: 0, to: text.length }]);
    }),
  );
});

test.each([
  ['no object', '[]'],
  ['an unknown kind', '{"seq":1,"kind":"x","stream":"out","offset":0,"wallMs":1,"monoMs":1,"boot":""}'],
  ['a negative offset', '{"seq":1,"kind":"mark","stream":"out","offset":-1,"wallMs":1,"monoMs":1,"boot":""}'],
  [
    'data that is no object',
    '{"seq":1,"kind":"mark","stream":"out","offset":0,"wallMs":1,"monoMs":1,"boot":"","data":3}',
  ],
])('a line with a right sum and %s is no record', (_what, json) => {
  expect(decodeLine(`${crc32(json).toString(16).padStart(8, '0')} ${json}`)).toBeUndefined();
});

test('a line of MAX_RECORD_BYTES is made, one byte more is refused', () => {
  const base: JournalRecord = {
    seq: 1,
    kind: 'said',
    stream: 'out',
    offset: 0,
    wallMs: 1,
    monoMs: 1,
    boot: '',
  };
  const room = MAX_RECORD_BYTES - encodeRecord({ ...base, data: { text: '' } }).length;
  expect(encodeRecord({ ...base, data: { text: 'x'.repeat(room) } }).length).toBe(MAX_RECORD_BYTES);
  expect(() => encodeRecord({ ...base, data: { text: 'x'.repeat(room + 1) } })).toThrow(
    `of kind said has ${MAX_RECORD_BYTES + 1} bytes`,
  );
});
