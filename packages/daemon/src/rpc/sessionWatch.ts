/** Handlers of watching a session: its output, what is typed into it, and what becomes of it. */
import type { Entry } from '../core/timeline.ts';
import type { ChannelService } from './channelService.ts';
import type { Handlers } from './dispatch.ts';
import { toAuthor, toFloor } from './floorFacts.ts';
import { OutputForms } from './outputForms.ts';
import { entryText, floorText, toInput } from './recordHandlers.ts';
import { authorOf } from './session.ts';
import { isOver, streamOf } from './sessionAnswers.ts';
import { sessionOf } from './sessionHandlers.ts';
import type { SessionService, SessionTable } from './sessionService.ts';
import type { Telling, WatchWords } from './watch.ts';
import type { Watches } from './watches.ts';

type WatchMethod = 'session.watch' | 'session.unwatch';

/** Bytes are eight bits wide, and the view decodes them. */
const BITS = 8;

export function createSessionWatchHandlers(
  table: SessionTable,
  watches: Watches,
): Pick<Handlers, WatchMethod> {
  const forms = new WeakMap<ChannelService, OutputForms>();
  const formsOf = (channel: ChannelService): OutputForms => {
    const known = forms.get(channel) ?? new OutputForms(channel, BITS);
    forms.set(channel, known);
    return known;
  };
  return {
    'session.watch': async ({ session: key, stream, from, until, form }, call) => {
      const session = sessionOf(table, key);
      const channel = streamOf(session, stream);
      const { reader } = authorOf(call.session);
      const words = wordsOf(table, session, reader);
      const start = { channel, forms: formsOf(channel), words, from, until, form };
      const { id, watch, offset, truncated } = await watches.begin(start, call.session);
      call.afterSend(() => watch.pump());
      return { watch: id, offset, truncated, floor: toFloor(session.out, reader), ...session.facts };
    },

    'session.unwatch': ({ watch }, { session }) => {
      watches.end(session, watch);
      return {};
    },
  };
}

/** `reader`: whose floor is `isYou`. */
function wordsOf(table: SessionTable, session: SessionService, reader: string): WatchWords {
  return {
    output: 'session.output',
    lagged: 'session.lagged',
    ended: 'session.watchEnded',
    isOver: () => isOver(session) || table.get(session.id) === undefined,
    tell: (entry, place) => tellOf(session, reader, entry, place),
  };
}

function tellOf(
  session: SessionService,
  reader: string,
  entry: Entry,
  place: { readonly offset: number; readonly at: string },
): Telling | undefined {
  switch (entry.kind) {
    case 'input':
      return { name: 'session.input', params: { ...place, ...toInput(entry) } };
    case 'floor': {
      const floor = toFloor(session.out, reader);
      return { name: 'floor.changed', params: { ...place, floor, why: floorText(entry) } };
    }
    case 'mark':
    case 'said':
      return {
        name: 'session.state',
        params: { ...place, ...session.facts, text: `${toAuthor(entry.author).client}: ${entry.text}` },
      };
    case 'outage':
      return undefined; // a line's
    default:
      return { name: 'session.state', params: { ...place, ...session.facts, text: entryText(entry) } };
  }
}
