/** Handlers of watching the line. */
import type { Entry } from '../core/timeline.ts';
import type { Handlers } from './dispatch.ts';
import { toAuthor, toFloor } from './floorFacts.ts';
import type { LineService } from './lineService.ts';
import { OutputForms } from './outputForms.ts';
import { floorText, toInput, toOutage } from './recordHandlers.ts';
import { authorOf } from './session.ts';
import type { Telling, WatchWords } from './watch.ts';
import type { Watches } from './watches.ts';

type WatchMethod = 'line.watch' | 'line.unwatch';

export function createWatchHandlers(
  line: LineService,
  watches: Watches,
  bits: 7 | 8,
): Pick<Handlers, WatchMethod> {
  const forms = new OutputForms(line, bits);
  return {
    'line.watch': async ({ from, until, form }, call) => {
      const { reader } = authorOf(call.session);
      const words = wordsOf(line, reader);
      const begun = await watches.begin({ channel: line, forms, words, from, until, form }, call.session);
      const { id, watch, offset, truncated, paint, screen } = begun;
      call.afterSend(() => watch.pump());
      const { rows } = screen;
      return {
        watch: id,
        offset,
        truncated,
        ...(paint !== undefined && { paint }),
        size: { rows: rows.length, columns: rows[0]?.length ?? 0 },
        lineState: line.channel.facts,
        floor: toFloor(line, reader),
        epoch: line.epoch,
      };
    },

    'line.unwatch': ({ watch }, { session }) => {
      watches.end(session, watch);
      return {};
    },
  };
}

/** `reader`: whose floor is `isYou`. */
function wordsOf(line: LineService, reader: string): WatchWords {
  return {
    output: 'line.output',
    lagged: 'line.lagged',
    ended: 'line.watchEnded',
    isOver: () => false,
    tell: (entry, place) => tellOf(line, reader, entry, place),
  };
}

function tellOf(
  line: LineService,
  reader: string,
  entry: Entry,
  place: { readonly offset: number; readonly at: string },
): Telling | undefined {
  switch (entry.kind) {
    case 'input':
      return { name: 'line.input', params: { ...place, ...toInput(entry) } };
    case 'mark':
    case 'said': {
      const { kind, text, author } = entry;
      return { name: `line.${kind}`, params: { ...place, text, author: toAuthor(author) } };
    }
    case 'state':
      return { name: 'line.state', params: { ...place, lineState: entry.facts } };
    case 'outage':
      return { name: 'line.outage', params: { ...place, ...toOutage(line, entry) } };
    case 'life':
      return undefined; // a session's
    case 'floor': {
      const floor = toFloor(line, reader);
      return { name: 'floor.changed', params: { ...place, floor, why: floorText(entry) } };
    }
    default:
      return entry satisfies never;
  }
}
