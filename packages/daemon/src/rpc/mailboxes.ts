/**
 * What a client is told with its next result: what others said to all, who asked it for the floor, who took it and what he
 * typed until he gave it back. Clients that watch hear it at once, too.
 */
import type { Outcome } from '@pidp10/protocol/schemas';
import type { Entry } from '../core/timeline.ts';
import type { ChannelNews, ChannelService } from './channelService.ts';
import type { Clients } from './clients.ts';
import { nameOf, toAuthor, toTyped } from './floorFacts.ts';
import { wallClock } from './wallClock.ts';

/** News and messages that are kept for a client which does not ask, the newest of each. */
export const MAX_LETTERS = 50;
/** Readers for whom something waits, also those that nobody holds now; the longest untouched are forgotten first. */
export const MAX_BOXES = 256;
/** Inputs of whoever had taken the floor that are quoted, the last ones. */
const MAX_QUOTED_INPUTS = 10;

type Messages = NonNullable<Outcome['messages']>;

interface Box {
  readonly news: readonly string[];
  readonly messages: Messages;
}

/** Somebody lost the floor to somebody who has it still. */
interface Takeover {
  readonly loser: string;
  readonly taker: string;
  /** Number of the record's entry with which it began. */
  readonly seq: number;
}

export class Mailboxes {
  readonly #line: ChannelService;
  readonly #clients: Clients;
  readonly #boxes = new Map<string, Box>();
  #takeovers: readonly Takeover[] = [];

  constructor(line: ChannelService, clients: Clients) {
    this.#line = line;
    this.#clients = clients;
  }

  /** What has gathered for this reader; it is told once. */
  take(reader: string): Pick<Outcome, 'news' | 'messages'> {
    const { news = [], messages = [] } = this.#boxes.get(reader) ?? {};
    this.#boxes.delete(reader);
    return {
      ...(news.length > 0 && { news: [...news] }),
      ...(messages.length > 0 && { messages: [...messages] }),
    };
  }

  /** The reader's connection is gone, and nobody will ask. */
  forget(reader: string): void {
    this.#boxes.delete(reader);
    this.#takeovers = this.#takeovers.filter(({ loser }) => loser !== reader);
  }

  /** The reader of this name has another one now. */
  rename(from: string, to: string): void {
    const box = this.#boxes.get(from);
    this.#boxes.delete(from);
    if (box !== undefined) this.#boxes.set(to, box);
    const renamed = (reader: string) => (reader === from ? to : reader);
    this.#takeovers = this.#takeovers.map(({ loser, taker, seq }) => ({
      loser: renamed(loser),
      taker: renamed(taker),
      seq,
    }));
  }

  handle(happened: ChannelNews): void {
    if (happened.kind === 'asked') {
      const { holder, message } = happened;
      const why = message.text === '' ? '' : `: ${JSON.stringify(message.text)}`;
      this.#tell(holder.author.reader, `${nameOf(message.from)} asks for the floor${why}`);
    } else if (happened.kind === 'record') this.#record(happened.entry);
  }

  #record(entry: Entry): void {
    if (entry.kind === 'said') {
      const message = { from: toAuthor(entry.author), text: entry.text, at: this.#at(entry) };
      for (const { reader } of this.#clients.all) {
        if (reader !== undefined && reader !== entry.author.reader) this.#deliver(reader, message);
      }
    } else if (entry.kind === 'floor') this.#floorChanged(entry);
  }

  #floorChanged(entry: Entry & { readonly kind: 'floor' }): void {
    const { cause, holder, previous, seq } = entry;
    const ended = this.#takeovers.filter(({ taker }) => taker === previous?.reader);
    this.#takeovers = this.#takeovers.filter((takeover) => !ended.includes(takeover));
    for (const { loser, taker, seq: from } of ended) {
      const typed = this.#typedBy(taker, from);
      const what = typed === '' ? 'He typed nothing' : `He had typed ${typed}`;
      const who = previous === undefined ? taker : nameOf(previous);
      const verb = cause === 'forced' ? 'lost the floor' : 'gave the floor back';
      this.#tell(loser, `${who} ${verb} at ${this.#at(entry)}. ${what}; your output shows what came of it.`);
    }
    if (cause !== 'forced' || holder === undefined || previous === undefined) return;
    this.#tell(previous.reader, `${nameOf(holder)} took the floor by force at ${this.#at(entry)}.`);
    this.#takeovers = [...this.#takeovers, { loser: previous.reader, taker: holder.reader, seq }];
  }

  #typedBy(reader: string, from: number): string {
    const inputs = this.#line.conversation.timeline
      .since(from)
      .flatMap((entry) => (entry.kind === 'input' && entry.author.reader === reader ? [entry] : []));
    return inputs
      .slice(-MAX_QUOTED_INPUTS)
      .map(({ bytes, length }) =>
        bytes === undefined ? `a secret of ${length} bytes` : JSON.stringify(toTyped(bytes)),
      )
      .join(', ');
  }

  #tell(reader: string, text: string): void {
    const { news = [], messages = [] } = this.#boxes.get(reader) ?? {};
    this.#put(reader, { messages, news: [...news, text].slice(-MAX_LETTERS) });
  }

  #deliver(reader: string, message: Messages[number]): void {
    const { news = [], messages = [] } = this.#boxes.get(reader) ?? {};
    this.#put(reader, { news, messages: [...messages, message].slice(-MAX_LETTERS) });
  }

  #put(reader: string, box: Box): void {
    this.#boxes.delete(reader); // so that the map stays in order of use
    this.#boxes.set(reader, box);
    const [oldest] = this.#boxes.keys();
    if (oldest !== undefined && this.#boxes.size > MAX_BOXES) this.#boxes.delete(oldest);
  }

  #at({ atMs }: Entry): string {
    return wallClock(this.#line, atMs);
  }
}
