/**
 * How far a file has come, in one line of a terminal that is written over. Told by the line's own figures: the request
 * itself says nothing before it is answered.
 */
import type { ClientApi } from '@pidp10/protocol/clientApi';
import type { Output } from './command.ts';

/** Between two looks, in ms: often enough to be seen moving at 60 characters a second. */
const LOOK_MS = 500;
/** Back to the start of the row, and the rest of the row erased. */
const ERASE = '\r\x1b[K';

export interface PutProgressOptions {
  /** Characters of the file. */
  readonly chars: number;
  /** A terminal. */
  readonly output: Output;
}

/** Disposing ends it and takes the line away. */
export function showPutProgress(client: ClientApi, { chars, output }: PutProgressOptions): Disposable {
  let first: number | undefined;
  let isLooking = false;
  let isOver = false;
  const look = async () => {
    isLooking = true;
    try {
      const { bytesOut } = await client.request('line.status', {});
      first ??= bytesOut;
      // What is typed around the text, a few commands, is counted too and makes no difference to anybody.
      const typed = Math.min(bytesOut - first, chars);
      const what = typed < chars ? `typed ${typed} of ${chars} characters` : 'reading it back';
      if (!isOver) output.write(`${ERASE}pidp10ctl: ${what}`);
    } catch {
      // Whatever is wrong, the request under way says it better.
    } finally {
      isLooking = false;
    }
  };
  const timer = setInterval(() => {
    if (!isLooking) void look(); // it rejects never
  }, LOOK_MS);
  void look();
  return {
    [Symbol.dispose]: () => {
      isOver = true;
      clearInterval(timer);
      output.write(ERASE);
    },
  };
}
