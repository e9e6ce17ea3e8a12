/**
 * A program on a terminal of its own, as what the user's terminal is attached to: it gets that one's size, its keys as they are
 * (programKeys.ts), and its output goes there as programOutput.ts lets it.
 */
import type { ClientApi } from '@pidp10/protocol/clientApi';
import type { MethodResult } from '@pidp10/protocol/methods';
import type { SessionFacts, SessionOutcome } from '@pidp10/protocol/sessionSchemas';
import { neutralize } from '../neutralize.ts';
import { describeSession, nameSession } from '../session/facts.ts';
import type { SessionEvent, Watcher } from '../watcher.ts';
import { isNamed, toRefused } from './calls.ts';
import type { Size } from './frame.ts';
import { Link } from './link.ts';
import { ProgramKeys } from './programKeys.ts';
import { ProgramOutput } from './programOutput.ts';
import type { AttachLink, AttachTarget, LinkEvents, OpenOptions } from './target.ts';
import { PROGRAM_MODES } from './tty.ts';
import { PROGRAM_HABITS, type Sent, type Typing } from './typist.ts';

type Screen = MethodResult<'session.screen'>;

/** Largest answer that is asked for when only its end is of interest, in characters. */
const LITTLE = 1;

export class SessionTarget implements AttachTarget {
  readonly isExact = true;
  readonly modes = PROGRAM_MODES;
  readonly habits = PROGRAM_HABITS;
  /** Notes and opening are the line's. */
  readonly missingKeys = 'no';
  readonly floorOf: { readonly session: string };
  readonly #session: string;
  #facts: SessionFacts;
  #output = new ProgramOutput();
  #link: AttachLink | undefined;
  /** What the program was told last. */
  #told: Size | undefined;

  constructor(facts: SessionFacts) {
    this.#facts = facts;
    this.#session = facts.session;
    this.floorOf = { session: facts.session };
  }

  get what(): string {
    return nameSession(this.#facts);
  }

  createKeys(escapeKey: number): ProgramKeys {
    return new ProgramKeys(escapeKey);
  }

  async open(options: OpenOptions): Promise<AttachLink> {
    const { daemon, access, events } = options;
    this.#link = await Link.open({
      what: 'session',
      daemon,
      access,
      events,
      begin: (client, watcher) => this.#begin(client, watcher, options),
      onEvent: (event) => this.#handleEvent(event, events),
    });
    return this.#link;
  }

  async send(client: ClientApi, { text, isUrgent }: Typing, token: number): Promise<Sent> {
    const session = this.#session;
    const bytes = [...Buffer.from(text, 'latin1')];
    try {
      const outcome = await client.request('session.send', {
        session,
        bytes,
        timeoutMs: 0,
        maxChars: LITTLE,
        floor: 'fail',
        token,
        urgent: isUrgent,
      });
      return toSent(outcome);
    } catch (error) {
      return toRefused(error);
    }
  }

  describeTrouble(): string {
    const { state, outputState } = this.#facts;
    return state === 'running' && outputState === 'open' ? '' : describeSession(this.#facts);
  }

  askInfo(...[ask, show]: Parameters<AttachTarget['askInfo']>): void {
    ask('session.status', { session: this.#session, processes: true }, (status) => {
      const { command, cwd, end, size, startedAt, startedBy, processes = [] } = status;
      show([
        `${describeSession(status)}: ${command} in ${cwd}`,
        `started by ${startedBy} at ${startedAt}`,
        ...processes.map(({ pid, name }) => `${pid} ${name}`),
        `offset ${end}${size === undefined ? '' : `; its terminal has ${size.rows} rows of ${size.columns} columns`}`,
      ]);
    });
  }

  askPast(...[ask, chars, show]: Parameters<AttachTarget['askPast']>): void {
    const session = this.#session;
    ask('session.status', { session }, ({ end, oldest }) =>
      // Bytes are no fewer than characters.
      ask(
        'session.read',
        { session, from: Math.max(end - chars, oldest), timeoutMs: 0, maxChars: chars },
        ({ output }) => show(output.text),
      ),
    );
  }

  askScreen(...[ask, show]: Parameters<AttachTarget['askScreen']>): void {
    ask('session.screen', { session: this.#session }, show);
  }

  async #begin(
    client: ClientApi,
    watcher: Watcher<'session'>,
    { access, size, events }: OpenOptions,
  ): Promise<void> {
    const session = this.#session;
    if (access === 'full') await this.#resize(client, size());
    const screen = await client.request('session.screen', { session });
    const input = { session, from: screen.offset, form: 'bytes' as const };
    await watcher.begin(
      client,
      input,
      ({ watch: _watch, offset: _offset, truncated: _truncated, floor, ...facts }) => {
        this.#facts = facts;
        this.#output = new ProgramOutput();
        events.onBegun({ paint: toPaint(screen), grid: screen.size, floor });
      },
    );
  }

  /** The terminal that was attached or resized last has its way. */
  async #resize(client: ClientApi, size: Size): Promise<void> {
    if (this.#told?.rows === size.rows && this.#told.columns === size.columns) return;
    try {
      await client.request('session.resize', { session: this.#session, ...size });
      this.#told = size;
    } catch (error) {
      // Its last screen can be looked at all the same.
      if (!isNamed(error, 'session_exited')) throw error;
    }
  }

  #handleEvent(event: SessionEvent, events: LinkEvents): void {
    switch (event.name) {
      case 'session.output': {
        const { text, hasLeft } = this.#output.push(Buffer.from(event.params.bytes ?? '', 'base64'));
        events.onOutput(text);
        if (hasLeft) this.#link?.watch();
        return;
      }
      case 'session.state': {
        const { watch: _watch, offset: _offset, at: _at, text, ...facts } = event.params;
        this.#facts = facts;
        return events.onSaid(text);
      }
      case 'floor.changed':
        return events.onFloor(event.params.floor);
      case 'session.lagged':
        return this.#link?.watch();
      case 'session.watchEnded':
        return events.onExit(this.#facts);
      case 'session.input':
        return;
      default:
        event satisfies never;
    }
  }
}

/** What makes an empty terminal of the same size show it: its text, without colours, and the cursor. */
export function toPaint({ rows, cursor }: Pick<Screen, 'rows' | 'cursor'>): string {
  const painted = rows.map((row, index) => (row === '' ? '' : `\x1b[${index + 1}H${neutralize(row)}`));
  return `${painted.join('')}\x1b[${cursor.row + 1};${cursor.column + 1}H`;
}

/** What did not go out is told; all else is on the screen. */
function toSent({ reason, accepted = 0, sent = accepted }: SessionOutcome): Sent {
  if (sent >= accepted) return { kind: 'sent' };
  return { kind: 'failed', text: `only ${sent} of ${accepted} bytes were taken (${reason})` };
}
