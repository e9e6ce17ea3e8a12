/** Handlers of watching: a connection's watches begin here, and end with it. */
import { rpcError } from '@pidp10/protocol/errors';
import type { MethodParams, MethodResult } from '@pidp10/protocol/methods';
import { MAX_WATCHES } from '@pidp10/protocol/watchSchemas';
import type { Clients } from './clients.ts';
import type { Handlers } from './dispatch.ts';
import { toFloor } from './floorFacts.ts';
import type { LineService } from './lineService.ts';
import { OutputForms, type Piece } from './outputForms.ts';
import { PAST_BASE64, PAST_TEXT, type PastForm, PastPieces } from './pastPieces.ts';
import { authorOf, type Session } from './session.ts';
import { Watch } from './watch.ts';

type WatchMethod = 'line.watch' | 'line.unwatch';

export class Watches {
  readonly #line: LineService;
  readonly #clients: Clients;
  readonly #forms: OutputForms;
  readonly #watches = new Map<Session, Map<number, Watch>>();
  #lastId = 0;

  constructor(line: LineService, clients: Clients, bits: 7 | 8) {
    this.#line = line;
    this.#clients = clients;
    this.#forms = new OutputForms(line, bits);
  }

  /** Something has happened on the line. */
  pump(): void {
    for (const watches of this.#watches.values()) for (const watch of watches.values()) watch.pump();
  }

  /** The connection is gone. */
  forget(session: Session): void {
    for (const watch of this.#watches.get(session)?.values() ?? []) watch[Symbol.dispose]();
    this.#watches.delete(session);
  }

  handlers(): Pick<Handlers, WatchMethod> {
    return {
      'line.watch': async (params, call) => {
        const { watch, result } = await this.#begin(params, call.session);
        call.afterSend(() => watch.pump());
        return result;
      },
      'line.unwatch': ({ watch }, { session }) => {
        const found = this.#watches.get(session)?.get(watch);
        if (found === undefined) throw rpcError('watch_unknown', `There is no watch ${watch}.`);
        found[Symbol.dispose]();
        return {};
      },
    };
  }

  async #begin(
    { from, until, form }: MethodParams<'line.watch'>,
    session: Session,
  ): Promise<{ watch: Watch; result: MethodResult<'line.watch'> }> {
    const line = this.#line;
    const { scrollback, timeline, transcript } = line.channel.conversation;
    const own = this.#watches.get(session) ?? new Map<number, Watch>();
    if (own.size >= MAX_WATCHES) throw rpcError('too_many_watches', `It has ${MAX_WATCHES} watches.`);
    if (from !== undefined && from > scrollback.end) {
      const detail = `Offset ${from} lies behind the end of the stream, ${scrollback.end}.`;
      throw rpcError('offset_out_of_range', detail, { end: scrollback.end });
    }
    if (session.outlet === undefined) throw rpcError('internal_error');
    const { archive } = line;
    const oldest = Math.min(archive?.oldest ?? scrollback.oldest, scrollback.oldest);
    const offset = Math.max(from ?? scrollback.safeEnd, Math.min(oldest, scrollback.safeEnd));
    const liveFrom = scrollback.safeEnd;
    const isPast = archive !== undefined && from !== undefined && offset < liveFrom && form !== 'none';
    const screen = isPast
      ? (await archive.view(offset, offset)).screenAt(offset)
      : transcript.screens.at(offset);
    // From the past: what happened there, too. From now on: only what is still to come.
    const seq = from === undefined ? timeline.nextSeq : firstSeqFrom(line, offset);
    const id = this.#lastId + 1;
    this.#lastId = id;
    const ansi = form === 'ansi' ? this.#forms.ansi(offset, screen) : undefined;
    const { reader } = authorOf(session);
    const watch = new Watch({
      id,
      line,
      outlet: session.outlet,
      start: { offset, seq },
      until,
      next: ansi === undefined ? this.#nextOf(form) : (start, end) => ansi.next(start, end),
      past: isPast
        ? { pieces: new PastPieces(archive, offset, ansi?.past ?? PAST_FORMS[form]), until: liveFrom }
        : undefined,
      isBytes: form === 'bytes',
      reader,
      onEnd: () => {
        own.delete(id);
        this.#clients.setWatches(session, own.size);
      },
    });
    own.set(id, watch);
    this.#watches.set(session, own);
    this.#clients.setWatches(session, own.size);
    const { rows } = screen;
    const result = {
      watch: id,
      offset,
      truncated: from !== undefined && from < offset,
      ...(ansi !== undefined && { paint: ansi.paint }),
      size: { rows: rows.length, columns: rows[0]?.length ?? 0 },
      lineState: line.channel.facts,
      floor: toFloor(line, reader),
      epoch: line.epoch,
    };
    return { watch, result };
  }

  #nextOf(form: MethodParams<'line.watch'>['form']): ((start: number, end: number) => Piece) | undefined {
    switch (form) {
      case 'text':
        return (start, end) => this.#forms.text(start, end);
      case 'bytes':
        return (start, end) => this.#forms.bytes(start, end);
      default:
        return undefined;
    }
  }
}

/** How output of the past is shown; `ansi` brings its own. */
const PAST_FORMS: Readonly<Record<MethodParams<'line.watch'>['form'], PastForm>> = {
  text: PAST_TEXT,
  ansi: PAST_TEXT,
  bytes: PAST_BASE64,
  none: (_view, _start, end) => ({ end, text: '' }),
};

/** Number of the first entry of the record that happened at `offset` or behind it. */
function firstSeqFrom(line: LineService, offset: number): number {
  const { timeline } = line.channel.conversation;
  return timeline.since(0).find((entry) => entry.offset >= offset)?.seq ?? timeline.nextSeq;
}
