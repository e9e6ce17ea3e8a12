/** The line, as what a terminal is attached to: a VT52 of a fixed size, seven bits, translated by the daemon. */
import type { ClientApi } from '@pidp10/protocol/clientApi';
import { toEscapes } from '@pidp10/protocol/escapes';
import type { Outcome } from '@pidp10/protocol/schemas';
import { describeActivity } from '../activity.ts';
import { describeAuthor } from '../floorText.ts';
import { describeLine } from '../render.ts';
import type { LineEvent, Watcher, WatchOf } from '../watcher.ts';
import { describeOutage } from '../watchText.ts';
import { toRefused } from './calls.ts';
import { Keys } from './keys.ts';
import { Link } from './link.ts';
import type { AttachLink, AttachTarget, LinkEvents, OpenOptions } from './target.ts';
import { LINE_MODES } from './tty.ts';
import { LINE_HABITS, type Sent, type Typing } from './typist.ts';

type LineState = WatchOf<'line'>['lineState'];

export class LineTarget implements AttachTarget {
  readonly what = 'the line';
  readonly isExact = false;
  readonly modes = LINE_MODES;
  readonly habits = LINE_HABITS;
  readonly floorOf = {};
  readonly missingKeys = '';
  #lineState: LineState = { state: 'closed', codec: 'unknown' };
  #link: AttachLink | undefined;

  createKeys(escapeKey: number): Keys {
    return new Keys(escapeKey);
  }

  async open({ daemon, access, events }: OpenOptions): Promise<AttachLink> {
    this.#link = await Link.open({
      what: 'line',
      daemon,
      access,
      events,
      begin: (client, watcher) => this.#begin(client, watcher, events),
      onEvent: (event) => this.#handleEvent(event, events),
    });
    return this.#link;
  }

  async send(client: ClientApi, { text, isPaste, isUrgent }: Typing, token: number): Promise<Sent> {
    try {
      const outcome = await client.request('line.send', {
        input: toEscapes(Buffer.from(text, 'latin1')),
        raw: true,
        timeoutMs: 0,
        echo: 'keep',
        autoMore: false,
        floor: 'fail',
        token,
        paste: isPaste,
        urgent: isUrgent,
      });
      return 'dryRun' in outcome ? { kind: 'sent' } : toSent(outcome);
    } catch (error) {
      return toRefused(error);
    }
  }

  describeTrouble(): string {
    return this.#lineState.state === 'open' ? '' : describeLine(this.#lineState);
  }

  askInfo(...[ask, show]: Parameters<AttachTarget['askInfo']>): void {
    ask('line.status', {}, ({ lineState, activity, end }) =>
      show([describeLine(lineState), describeActivity(activity), `offset ${end}`]),
    );
  }

  askPast(...[ask, chars, show]: Parameters<AttachTarget['askPast']>): void {
    ask('line.peek', { chars }, ({ output }) => show(output.text));
  }

  askScreen(...[ask, show]: Parameters<AttachTarget['askScreen']>): void {
    ask('line.screen', {}, show);
  }

  #begin(client: ClientApi, watcher: Watcher<'line'>, events: LinkEvents): Promise<void> {
    return watcher.begin(client, { form: 'ansi' }, ({ paint = '', size, lineState, floor }) => {
      this.#lineState = lineState;
      events.onBegun({ paint, grid: size, floor });
    });
  }

  #handleEvent({ name, params }: LineEvent, events: LinkEvents): void {
    switch (name) {
      case 'line.output':
        return events.onOutput(params.text ?? '');
      case 'line.state':
        this.#lineState = params.lineState;
        return events.onSaid(describeLine(params.lineState));
      case 'line.outage':
        return events.onSaid(describeOutage(params));
      case 'line.mark':
        return events.onSaid(`${describeAuthor(params.author)} notes: ${params.text}`);
      case 'line.said':
        return events.onSaid(`${describeAuthor(params.author)} says: ${params.text}`);
      case 'floor.changed':
        return events.onFloor(params.floor);
      case 'line.lagged':
        return this.#link?.watch();
      case 'line.input':
      case 'line.watchEnded':
        return;
      default:
        params satisfies never;
    }
  }
}

/** What did not go out, or not arrive, is told; all else is on the screen. */
function toSent({ reason, accepted = 0, sent = accepted, overflow, lineState }: Outcome): Sent {
  if (lineState.state !== 'open') return { kind: 'failed', text: describeLine(lineState) };
  if (overflow !== undefined) {
    return {
      kind: 'failed',
      text: `ITS was not reading: input was lost from character ${overflow.offset} on`,
    };
  }
  if (sent >= accepted) return { kind: 'sent' };
  return { kind: 'failed', text: `only ${sent} of ${accepted} characters were sent (${reason})` };
}
