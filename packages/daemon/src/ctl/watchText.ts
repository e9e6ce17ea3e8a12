/** What a watch tells, as lines for people or for programs. */
import { describeAuthor, describeFloorHolder } from './floorText.ts';
import { describeInput } from './history.ts';
import { neutralize, toJsonText } from './neutralize.ts';
import { describeLine } from './render.ts';
import type { WatchEvent } from './watcher.ts';

/** Output and what is said about it, each ready to be written. */
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
  /** Named in each object, where several streams are told together. */
  readonly stream?: 'out' | 'err';
}

export function toShown(event: WatchEvent | Truncated, options: ShownOptions): Shown {
  if ((event.name === 'line.input' || event.name === 'session.input') && !options.isInputShown) return {};
  if (options.isJson) {
    const { name, ...rest } = event;
    // The number of the watch means nothing outside; it changes when the watch is begun anew.
    const { watch: _watch, ...facts } = 'params' in rest ? { ...rest.params } : { watch: 0, ...rest };
    const stream = options.stream === undefined ? {} : { stream: options.stream };
    return { out: `${toJsonText({ event: name, ...stream, ...facts })}\n` };
  }
  if (event.name === 'line.output' || event.name === 'session.output') {
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

type Told = Exclude<WatchEvent, { name: 'line.output' | 'session.output' }>;

function toNote(event: Told | Truncated): string | undefined {
  switch (event.name) {
    case 'truncated':
      return `output before offset ${event.offset} is no longer kept`;
    case 'line.input':
    case 'session.input':
      return describeInput(event.params);
    case 'line.state':
      return describeLine(event.params.lineState);
    case 'line.outage':
      return describeOutage(event.params);
    case 'session.state':
      return event.params.text;
    case 'line.mark':
      return `${describeAuthor(event.params.author)} notes: ${event.params.text}`;
    case 'line.said':
      return `${describeAuthor(event.params.author)} says: ${event.params.text}`;
    case 'floor.changed':
      return `${describeFloorHolder(event.params.floor)} (${event.params.why})`;
    case 'line.lagged':
    case 'line.watchEnded':
    case 'session.lagged':
    case 'session.watchEnded':
      return undefined;
    default:
      return event satisfies never;
  }
}
