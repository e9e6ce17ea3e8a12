import { describe, expect, test } from 'vitest';
import { CallQueue } from '../../src/rpc/callQueue.ts';

const NEVER = new AbortController().signal;
const PATIENT = { signal: NEVER, patienceMs: undefined };

/** A call that runs until told to end, and keeps a diary. */
function begin(
  queue: CallQueue,
  diary: string[],
  name: string,
  options: Parameters<CallQueue['run']>[1] = PATIENT,
) {
  let end: (failure?: Error) => void = () => undefined;
  const running = new Promise<void>((resolve, reject) => {
    end = (failure) => (failure === undefined ? resolve() : reject(failure));
  });
  const done = queue.run('reader', options, async () => {
    diary.push(`${name} begins`);
    await running;
    diary.push(`${name} ends`);
    return name;
  });
  return { end, done };
}

/** Lets everything that is due by promises happen. */
async function settle(): Promise<void> {
  for (let n = 0; n < 20; n += 1) await Promise.resolve();
}

describe('calls of one reader', () => {
  test('M19 · run one at a time, in order', async () => {
    const [queue, diary] = [new CallQueue(), new Array<string>()];
    const calls = ['a', 'b', 'c'].map((name) => begin(queue, diary, name));
    for (const { end } of calls.toReversed()) end();
    expect(await Promise.all(calls.map(({ done }) => done))).toEqual(
      ['a', 'b', 'c'].map((result) => ({ kind: 'ran', result })),
    );
    expect(diary).toEqual(['a begins', 'a ends', 'b begins', 'b ends', 'c begins', 'c ends']);
  });

  test('a call that fails lets the next one run', async () => {
    const [queue, diary] = [new CallQueue(), new Array<string>()];
    const [a, b] = [begin(queue, diary, 'a'), begin(queue, diary, 'b')];
    a.end(new Error('broken'));
    b.end();
    await expect(a.done).rejects.toThrow('broken');
    expect(await b.done).toEqual({ kind: 'ran', result: 'b' });
  });

  test('I11 · a cancelled call gives its place up, and whoever comes later still waits for those before it', async () => {
    const [queue, diary, abort] = [new CallQueue(), new Array<string>(), new AbortController()];
    const a = begin(queue, diary, 'a');
    const b = begin(queue, diary, 'b', { signal: abort.signal, patienceMs: undefined });
    abort.abort();
    expect(await b.done).toEqual({ kind: 'gaveUp', isCancelled: true });
    const c = begin(queue, diary, 'c');
    await settle();
    expect(diary).toEqual(['a begins']);
    a.end();
    c.end();
    await c.done;
    expect(diary).toEqual(['a begins', 'a ends', 'c begins', 'c ends']);
  });

  test('a call whose patience ends gives its place up', async () => {
    const [queue, diary] = [new CallQueue(), new Array<string>()];
    const a = begin(queue, diary, 'a');
    const b = begin(queue, diary, 'b', { signal: NEVER, patienceMs: 1 });
    expect(await b.done).toEqual({ kind: 'gaveUp', isCancelled: false });
    a.end();
    await a.done;
    expect(diary).toEqual(['a begins', 'a ends']);
  });

  test('a call cancelled before it came does not run', async () => {
    const [queue, diary] = [new CallQueue(), new Array<string>()];
    const b = begin(queue, diary, 'b', { signal: AbortSignal.abort(), patienceMs: undefined });
    expect(await b.done).toEqual({ kind: 'gaveUp', isCancelled: true });
    expect(diary).toEqual([]);
  });

  test('a call that has begun is not given up by the queue', async () => {
    const [queue, diary, abort] = [new CallQueue(), new Array<string>(), new AbortController()];
    const a = begin(queue, diary, 'a', { signal: abort.signal, patienceMs: 60_000 });
    await settle();
    abort.abort();
    a.end();
    expect(await a.done).toEqual({ kind: 'ran', result: 'a' });
  });
});

test('calls of different readers run side by side', async () => {
  const queue = new CallQueue();
  let meet = () => {};
  const met = new Promise<void>((resolve) => {
    meet = resolve;
  });
  const first = queue.run('a', PATIENT, () => met);
  await queue.run('b', PATIENT, async () => meet());
  expect(await first).toEqual({ kind: 'ran', result: undefined });
});
