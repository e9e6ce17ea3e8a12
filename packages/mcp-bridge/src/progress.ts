/**
 * Signs of life while a call waits (MCP progress). The clock is ours, so that a call that waits its turn, or for the line to
 * open, shows them too; what the daemon reports is the message.
 */
import type { Progress } from '@pidp10/protocol/clientApi';
import type { ToolCall } from './defineTool.ts';
import { toCount } from './visibleText.ts';

export interface ProgressReport extends AsyncDisposable {
  readonly update: (progress: Progress) => void;
}

/** Reports since `startMs` until disposed, so that it rises through all waits of a call; the last report is written by then, so that none follows the result. */
export function reportProgress(
  notify: NonNullable<ToolCall['notifyProgress']>,
  { everyMs, startMs }: { readonly everyMs: number; readonly startMs: ToolCall['startMs'] },
): ProgressReport {
  let last: Promise<unknown> = Promise.resolve();
  let latest: Progress | undefined;
  let seconds = 0;
  const timer = setInterval(() => {
    const now = Math.round((performance.now() - startMs) / 100) / 10;
    if (now <= seconds) return;
    seconds = now;
    // A client that is gone is noticed elsewhere.
    last = notify(seconds, toMessage(seconds, latest)).catch(() => {});
  }, everyMs);
  return {
    update: (progress) => {
      latest = progress;
    },
    [Symbol.asyncDispose]: async () => {
      clearInterval(timer);
      await last;
    },
  };
}

function toMessage(seconds: number, latest: Progress | undefined): string {
  const waited = `${Math.round(seconds)} s`;
  if (latest === undefined) return `waiting for ${waited}`;
  const { bytes, sent, accepted } = latest;
  const input =
    sent === undefined
      ? ''
      : `, ${toCount(sent)}${accepted === undefined ? '' : ` of ${toCount(accepted)}`} input bytes sent`;
  return `waiting for ${waited}, ${toCount(bytes)} bytes of output so far${input}`;
}
