/** Answers of a daemon, as small as their types allow. */
import type { Outcome, Slice } from '@pidp10/protocol/schemas';

export function slice(start: number, text: string, more: Partial<Slice> = {}): Slice {
  return {
    start,
    end: start + text.length,
    text,
    truncated: false,
    lines: text.split('\n').length - 1,
    ...more,
  };
}

export function outcome(more: Partial<Outcome> = {}): Outcome {
  return {
    reason: 'quiet',
    output: slice(0, ''),
    lineState: { state: 'open', codec: 'telnet' },
    activity: { kind: 'unknown' },
    echo: 'unknown',
    epoch: 'e1',
    ...more,
  };
}
