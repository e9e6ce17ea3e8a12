/** What a watch tells, as lines for people or for programs. */
import { describeAuthor, describeFloorHolder } from './floorText.ts';
import { describeInput } from './history.ts';
import { neutralize, toJsonText } from './neutralize.ts';
import { describeLine } from './render.ts';
import type { WatchEvent } from './watcher.ts';

/** Output of the line and what is said about it, each ready to be written. */
export interface Shown {
  readonly out?: string | Uint8Array;
  readonly note?: string;
}

/** A watch that begins later than was asked for. */
interface Truncated {
  readonly name: 'truncated';
  readonly from: number | undefined;
  readonly offset: number;
}

export interface ShownOptions {
  /** One object a line, on standard output, `event` first. */
  readonly isJson: boolean;
  readonly isInputShown: boolean;
}

export function toShown(event: WatchEvent | Truncated, options: ShownOptions): Shown {
  if (event.name === 'line.input' && !options.isInputShown) return {};
  if (options.isJson) {
    const { name, ...rest } = event;
    // The number of the watch means nothing outside; it changes when the watch is begun anew.
    const { watch: _watch, ...facts } = 'params' in rest ? { ...rest.params } : { watch: 0, ...rest };
    return { out: `${toJsonText({ event: name, ...facts })}\n` };
  }
  if (event.name === 'line.output') {
    const { bytes, text = '' } = event.params;
    return { out: bytes === undefined ? neutralize(text) : Buffer.from(bytes, 'base64') };
  }
  const note = toNote(event);
  return note === undefined ? {} : { note: neutralize(note) };
}

/** One sentence for people. */
export function describeOutage({
  since,
  until,
  reason,
  detail,
}: Extract<WatchEvent, { name: 'line.outage' }>['params']): string {
  return `no connection from ${since} to ${until}: ${[reason, detail].filter(Boolean).join(', ')}`;
}

function toNote(event: Exclude<WatchEvent, { name: 'line.output' }> | Truncated): string | undefined {
  switch (event.name) {
    case 'truncated':
      return `output before offset ${event.offset} is no longer kept`;
    case 'line.input':
      return describeInput(event.params);
    case 'line.state':
      return describeLine(event.params.lineState);
    case 'line.outage':
      return describeOutage(event.params);
    case 'line.mark':
      return `${describeAuthor(event.params.author)} notes: ${event.params.text}`;
    case 'line.said':
      return `${describeAuthor(event.params.author)} says: ${event.params.text}`;
    case 'floor.changed':
      return `${describeFloorHolder(event.params.floor)} (${event.params.why})`;
    case 'line.lagged':
    case 'line.watchEnded':
      return undefined;
    default:
      return event satisfies never;
  }
}
