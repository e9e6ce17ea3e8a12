import { expect, test } from 'vitest';
import { Ledger, parseHead } from '../../../src/core/journal/head.ts';
import type { JournalRecord, RecordKind } from '../../../src/core/journal/records.ts';
import { emptyHead, type Found, recover } from '../../../src/core/journal/recover.ts';
import { Shelf } from '../../../src/core/journal/shelf.ts';
import { thawed } from '../bytes.ts';

function record(
  seq: number,
  kind: RecordKind,
  offset: number,
  data?: Record<string, unknown>,
): JournalRecord {
  const plain: JournalRecord = {
    seq,
    kind,
    stream: 'out',
    offset,
    wallMs: 1_000 + seq,
    monoMs: seq,
    boot: 'b',
  };
  return data === undefined ? plain : { ...plain, data };
}

function found(records: readonly JournalRecord[], files: readonly [number, number][], damage = false): Found {
  const out = new Shelf(files.map(([key, bytes]) => ({ series: 'out', key, bytes })));
  return {
    records,
    newestIndexKey: records[0]?.seq ?? -1,
    shelves: { out, err: new Shelf([]) },
    freshEpoch: 'fresh',
    hasDamage: damage,
  };
}

const HEAD = record(5, 'head', 100, {
  ...emptyHead('old'),
  ends: { out: 100 },
  gapBytes: 7,
  last: [record(4, 'readers', 90, { a: 1 })],
});

test('nothing at all is a new journal', () => {
  const recovery = recover(found([], []));
  expect(recovery).toMatchObject({
    isNew: true,
    isRebuilt: false,
    wasClean: false,
    nextSeq: 0,
    ends: { out: 0, err: 0 },
  });
  expect(recovery.ledger.epoch).toBe('fresh');
});

test('a clean end is taken up with everything that stands', () => {
  const recovery = recover(found([HEAD, record(5, 'time', 150), record(6, 'closed', 150)], [[0, 150]]));
  expect(recovery).toMatchObject({
    wasClean: true,
    nextSeq: 7,
    ends: { out: 150 },
    lost: [],
    lastWallMs: 1_006,
  });
  expect(recovery.ledger.head()).toMatchObject({
    epoch: 'old',
    gapBytes: 7,
    last: [{ kind: 'readers', data: { a: 1 } }],
  });
});

test('S12 · bytes behind the last record are kept, bytes that only the index knows are a gap', () => {
  expect(recover(found([HEAD, record(5, 'time', 150)], [[0, 170]]))).toMatchObject({
    ends: { out: 170 },
    lost: [],
  });
  expect(recover(found([HEAD, record(5, 'time', 150)], [[0, 120]]))).toMatchObject({
    ends: { out: 150 },
    lost: [{ stream: 'out', from: 120, to: 150 }],
    wasClean: false,
  });
});

test('S04 S12 · a hole between two files whose gap was not told any more is told', () => {
  const files: [number, number][] = [
    [0, 100],
    [120, 30],
  ];
  expect(recover(found([HEAD, record(5, 'time', 160)], files))).toMatchObject({
    lost: [
      { stream: 'out', from: 100, to: 120 },
      { stream: 'out', from: 150, to: 160 },
    ],
  });
  const gap = record(5, 'gap', 120, { from: 100, to: 120, reason: 'queue' });
  expect(recover(found([HEAD, gap], files))).toMatchObject({ lost: [], ends: { out: 150 } });
});

test('S12 · a gap or a tombstone that was told is not told again', () => {
  const gap = record(5, 'gap', 150, { from: 120, to: 150, reason: 'queue' });
  expect(recover(found([HEAD, gap, record(6, 'closed', 150)], [[0, 120]]))).toMatchObject({
    lost: [],
    ends: { out: 150 },
  });
  const tombstone = record(5, 'tombstone', 150, { from: 0, to: 150, bytes: 150 });
  expect(recover(found([HEAD, tombstone], []))).toMatchObject({ lost: [], ends: { out: 150 } });
});

test('S02 · a gap whose record stands behind a head that knows it is counted once', () => {
  const gap = record(5, 'gap', 150, { from: 120, to: 150, reason: 'unclean' });
  const later = record(6, 'gap', 190, { from: 180, to: 190, reason: 'queue' });
  const ledger = new Ledger(emptyHead('old'));
  ledger.note(gap);
  const head = { ...record(5, 'head', 150), data: { ...ledger.head() } };
  const files: [number, number][] = [
    [0, 120],
    [150, 30],
    [190, 10],
  ];
  expect(recover(found([head, gap], files.slice(0, 2))).ledger.head().gapBytes).toBe(30);
  expect(recover(found([head, gap, later], files)).ledger.head().gapBytes).toBe(40);
});

test('S12 · without an index the names and sizes tell the end; an empty file tells it too', () => {
  expect(recover(found([], [[0, 100]]))).toMatchObject({ isNew: false, isRebuilt: true, ends: { out: 100 } });
  expect(
    recover(
      found(
        [],
        [
          [0, 100],
          [250, 0],
        ],
      ),
    ),
  ).toMatchObject({
    ends: { out: 250 },
    lost: [{ from: 100, to: 250 }],
  });
});

test('S01 · a damaged end is never called clean', () => {
  expect(recover(found([HEAD, record(5, 'closed', 100)], [[0, 100]], true)).wasClean).toBe(false);
});

test('a head that repeats records whose own lines are lost goes on behind their numbers', () => {
  const ahead = record(5, 'head', 100, {
    ...emptyHead('old'),
    ends: { out: 100 },
    last: [record(9, 'state', 100, {})],
  });
  expect(recover(found([ahead, record(5, 'time', 100)], [[0, 100]])).nextSeq).toBe(10);
});

test('a head goes through JSON unchanged; what is none is refused', () => {
  const ledger = new Ledger(emptyHead('e'));
  ledger.note(record(1, 'gap', 50, { from: 10, to: 50 }));
  ledger.note(record(2, 'tombstone', 50, { from: 0, to: 10, bytes: 10 }));
  ledger.note(record(3, 'input', 50, { text: 'x' }));
  const head = ledger.head();
  expect(head).toMatchObject({ ends: { out: 50 }, gapBytes: 40, deletedBytes: { out: 10 } });
  expect(head.last.map(({ kind }) => kind)).toEqual(['gap', 'tombstone', 'input']);
  expect(new Ledger(parseHead(thawed({ ...head })) ?? emptyHead('')).head()).toEqual(head);
  for (const broken of [
    undefined,
    {},
    { ...head, ends: { out: -1 } },
    { ...head, epoch: 1 },
    { ...head, last: 'x' },
  ]) {
    expect(parseHead(broken)).toBeUndefined();
  }
});
