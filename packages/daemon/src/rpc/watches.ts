/** The watches of all connections: they begin here, and end with their connection, or with what they watch. */
import { rpcError } from '@pidp10/protocol/errors';
import type { MethodParams } from '@pidp10/protocol/methods';
import { MAX_WATCHES } from '@pidp10/protocol/watchSchemas';
import type { ScreenSnapshot } from '../core/screen.ts';
import type { ChannelService } from './channelService.ts';
import type { Clients } from './clients.ts';
import type { OutputForms, Piece } from './outputForms.ts';
import { PAST_BASE64, PAST_TEXT, type PastForm, PastPieces } from './pastPieces.ts';
import type { Session } from './session.ts';
import { Watch, type WatchWords } from './watch.ts';

export interface WatchStart {
  readonly channel: ChannelService;
  readonly forms: OutputForms;
  readonly words: WatchWords;
  readonly from: number | undefined;
  readonly until: number | undefined;
  readonly form: MethodParams<'line.watch'>['form'];
}

export interface BegunWatch {
  readonly id: number;
  readonly watch: Watch;
  readonly offset: number;
  readonly truncated: boolean;
  /** Form `ansi`: what paints the screen at `offset`. */
  readonly paint: string | undefined;
  readonly screen: ScreenSnapshot;
}

export class Watches {
  readonly #clients: Clients;
  readonly #watches = new Map<Session, Map<number, { watch: Watch; channel: ChannelService }>>();
  #lastId = 0;

  constructor(clients: Clients) {
    this.#clients = clients;
  }

  /** Something has happened on the channel. */
  pump(channel: ChannelService): void {
    for (const watches of this.#watches.values())
      for (const watched of watches.values()) if (watched.channel === channel) watched.watch.pump();
  }

  /** The connection is gone. */
  forget(session: Session): void {
    for (const { watch } of this.#watches.get(session)?.values() ?? []) watch[Symbol.dispose]();
    this.#watches.delete(session);
  }

  /** Ends one of the connection's watches. Throws `watch_unknown`. */
  end(session: Session, id: number): void {
    const found = this.#watches.get(session)?.get(id);
    if (found === undefined) throw rpcError('watch_unknown', `There is no watch ${id}.`);
    found.watch[Symbol.dispose]();
  }

  /** Tells nothing before its first `pump`. Throws `offset_out_of_range` and `too_many_watches`. */
  async begin(start: WatchStart, session: Session): Promise<BegunWatch> {
    const { channel, forms, words, from, until, form } = start;
    const { scrollback, timeline, transcript } = channel.conversation;
    const own = this.#watches.get(session) ?? new Map<number, { watch: Watch; channel: ChannelService }>();
    if (own.size >= MAX_WATCHES) throw rpcError('too_many_watches', `It has ${MAX_WATCHES} watches.`);
    if (from !== undefined && from > scrollback.end) {
      const detail = `Offset ${from} lies behind the end of the stream, ${scrollback.end}.`;
      throw rpcError('offset_out_of_range', detail, { end: scrollback.end });
    }
    if (session.outlet === undefined) throw rpcError('internal_error');
    const { archive } = channel;
    const oldest = Math.min(archive?.oldest ?? scrollback.oldest, scrollback.oldest);
    const offset = Math.max(from ?? scrollback.safeEnd, Math.min(oldest, scrollback.safeEnd));
    const liveFrom = scrollback.safeEnd;
    const isPast = archive !== undefined && from !== undefined && offset < liveFrom && form !== 'none';
    const screen = isPast
      ? (await archive.view(offset, offset)).screenAt(offset)
      : transcript.screens.at(offset);
    // From the past: what happened there, too. From now on: only what is still to come.
    const seq = from === undefined ? timeline.nextSeq : firstSeqFrom(channel, offset);
    const id = this.#lastId + 1;
    this.#lastId = id;
    const ansi = form === 'ansi' ? forms.ansi(offset, screen) : undefined;
    const watch = new Watch({
      id,
      line: channel,
      words,
      outlet: session.outlet,
      start: { offset, seq },
      until,
      next: ansi === undefined ? nextOf(forms, form) : (begin, end) => ansi.next(begin, end),
      past: isPast
        ? { pieces: new PastPieces(archive, offset, ansi?.past ?? PAST_FORMS[form]), until: liveFrom }
        : undefined,
      isBytes: form === 'bytes',
      onEnd: () => {
        own.delete(id);
        this.#clients.setWatches(session, own.size);
      },
    });
    own.set(id, { watch, channel });
    this.#watches.set(session, own);
    this.#clients.setWatches(session, own.size);
    const truncated = from !== undefined && from < offset;
    return { id, watch, offset, truncated, paint: ansi?.paint, screen };
  }
}

function nextOf(
  forms: OutputForms,
  form: WatchStart['form'],
): ((start: number, end: number) => Piece) | undefined {
  switch (form) {
    case 'text':
      return (start, end) => forms.text(start, end);
    case 'bytes':
      return (start, end) => forms.bytes(start, end);
    default:
      return undefined;
  }
}

/** How output of the past is shown; `ansi` brings its own. */
const PAST_FORMS: Readonly<Record<Exclude<WatchStart['form'], 'none'>, PastForm>> = {
  text: PAST_TEXT,
  ansi: PAST_TEXT,
  bytes: PAST_BASE64,
};

/** Number of the first entry of the record that happened at `offset` or behind it. */
function firstSeqFrom(channel: ChannelService, offset: number): number {
  const { timeline } = channel.conversation;
  return timeline.since(0).find((entry) => entry.offset >= offset)?.seq ?? timeline.nextSeq;
}
