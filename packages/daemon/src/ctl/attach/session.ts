/**
 * An attached terminal: keys to the line, the line to the screen, until something ends it. Everything is decided in keys.ts,
 * typist.ts and view.ts; here it is wired, with the clock and the timers.
 */
import type { MethodInput, MethodName, MethodResult } from '@pidp10/protocol/methods';
import { describeAuthor, describeFloorHolder } from '../floorText.ts';
import { describeLine } from '../render.ts';
import type { Watch, WatchEvent } from '../watcher.ts';
import { describeOutage } from '../watchText.ts';
import type { AttachEnd, AttachOptions } from './attachment.ts';
import { makeCall, toText } from './calls.ts';
import { type KeyEvent, Keys } from './keys.ts';
import { toKeyName } from './lines.ts';
import { Link } from './link.ts';
import { OwnScreens } from './ownScreens.ts';
import { editPrompt } from './prompt.ts';
import { Tty } from './tty.ts';
import { type Step, Typist } from './typist.ts';
import { View } from './view.ts';

/** How long something is said in the status line, in ms. */
const MESSAGE_MS = 5_000;
/** Between two paintings of a part, in ms: a flood is not to be painted byte by byte. */
const PAINT_MS = 50;

interface Prompt {
  readonly method: 'line.mark' | 'line.say';
  readonly text: string;
}

/** Rejects as `DaemonAccess.connect` does, before the terminal is touched. When it settles, the terminal is as it was. */
export async function attach(options: AttachOptions): Promise<AttachEnd> {
  let end: (end: AttachEnd) => void = () => {};
  const ended = new Promise<AttachEnd>((resolve) => {
    end = resolve;
  });
  const session = new Session(options, end);
  await using link = await session.open();
  const interrupt = () => end({ kind: 'interrupted' });
  options.signal.addEventListener('abort', interrupt, { once: true });
  try {
    using _tty = session.start(link);
    return await ended;
  } finally {
    options.signal.removeEventListener('abort', interrupt);
    session.stop();
  }
}

class Session {
  readonly #options: AttachOptions;
  readonly #end: (end: AttachEnd) => void;
  readonly #keys: Keys;
  readonly #tty: Tty;
  readonly #view: View;
  readonly #typist: Typist;
  readonly #escapeName: string;
  #link: Link | undefined;
  #lineState: Watch['lineState'] = { state: 'closed', codec: 'unknown' };
  #message = '';
  #prompt: Prompt | undefined;
  readonly #own: OwnScreens;
  #keyTimer: NodeJS.Timeout | undefined;
  #messageTimer: NodeJS.Timeout | undefined;
  #paintTimer: NodeJS.Timeout | undefined;

  constructor(options: AttachOptions, end: (end: AttachEnd) => void) {
    const { input, output, signals, access, escapeKey } = options;
    this.#options = options;
    this.#end = end;
    this.#keys = new Keys(escapeKey);
    this.#escapeName = toKeyName(escapeKey);
    this.#typist = new Typist(access, { state: 'free', waiting: 0 });
    this.#tty = new Tty(input, output, signals, {
      onBytes: (bytes) => this.#handleKeys(this.#keys.push(bytes, performance.now())),
      onResize: () => this.#handleResize(),
      onResume: () => this.#handleResize(),
      onSignal: (signal) => end({ kind: 'signal', signal }),
      onHangup: () => end({ kind: 'hung_up' }),
    });
    this.#view = new View(this.#tty.size);
    this.#own = new OwnScreens({
      view: this.#view,
      escapeName: this.#escapeName,
      ask: (method, input, show) => this.#ask(method, input, show),
      write: (text) => this.#tty.write(text),
      floor: () => this.#typist.floor,
    });
  }

  open(): Promise<Link> {
    const { daemon, access } = this.#options;
    return Link.open({
      daemon,
      access,
      onBegun: (watch) => this.#handleBegun(watch),
      onEvent: (event) => this.#handleEvent(event),
      onLost: () => {
        this.#typist.handleReconnect({ state: 'free', waiting: 0 });
        this.#say('the daemon is gone; waiting for it to come back');
      },
      onBack: () => {
        this.#say('the daemon is back');
        this.#link?.watch();
      },
      onGone: (error) => this.#end({ kind: 'failed', error }),
    });
  }

  start(link: Link): Disposable {
    this.#link = link;
    this.#tty.start();
    link.watch();
    return this.#tty;
  }

  stop(): void {
    for (const timer of [this.#keyTimer, this.#messageTimer, this.#paintTimer]) clearTimeout(timer);
  }

  #handleBegun({ paint = '', size, lineState, floor }: Watch): void {
    this.#lineState = lineState;
    this.#run(this.#typist.handleFloor(floor));
    this.#tty.write(this.#view.begin(paint, size));
    this.#showStatus();
    if (this.#view.isPart) this.#paintPart();
  }

  #handleEvent({ name, params }: WatchEvent): void {
    switch (name) {
      case 'line.output':
        this.#tty.write(this.#view.follow(params.text ?? ''));
        if (this.#view.isPart) this.#paintPart();
        return;
      case 'line.state':
        this.#lineState = params.lineState;
        this.#say(describeLine(params.lineState));
        return;
      case 'line.outage':
        this.#say(describeOutage(params));
        return;
      case 'line.mark':
        this.#say(`${describeAuthor(params.author)} notes: ${params.text}`);
        return;
      case 'line.said':
        this.#say(`${describeAuthor(params.author)} says: ${params.text}`);
        return;
      case 'floor.changed':
        this.#run(this.#typist.handleFloor(params.floor));
        this.#showStatus();
        return;
      case 'line.lagged':
        this.#link?.watch();
        return;
      case 'line.input':
      case 'line.watchEnded':
        return;
      default:
        params satisfies never;
    }
  }

  #handleKeys(events: readonly KeyEvent[]): void {
    for (const event of events) this.#handleKey(event);
    clearTimeout(this.#keyTimer);
    const { deadlineMs } = this.#keys;
    if (deadlineMs === undefined) return;
    const tick = () => this.#handleKeys(this.#keys.tick(performance.now()));
    this.#keyTimer = setTimeout(tick, Math.max(Math.ceil(deadlineMs - performance.now()), 1));
  }

  #handleKey(event: KeyEvent): void {
    switch (event.kind) {
      case 'refused':
        return this.#say(event.why);
      case 'awaits':
        return this.#say(
          event.what === 'command' ? `${this.#escapeName}c: . detaches, ? is help` : 'which control key?',
        );
      case 'command':
        return this.#command(event.key);
      case 'type':
      case 'paste':
      case 'urgent':
        if (this.#view.isCovered) return this.#own.press(event.text) ? undefined : this.#link?.watch();
        if (this.#prompt !== undefined) return this.#edit(this.#prompt, event.text);
        this.#run(this.#typist.type(event, performance.now()));
        return this.#showStatus();
      default:
        return event satisfies never;
    }
  }

  #command(key: string): void {
    if (this.#view.isCovered) this.#link?.watch();
    this.#prompt = undefined;
    this.#say('');
    if (this.#own.open(key)) return;
    switch (key) {
      case '.':
        return this.#end({ kind: 'detached' });
      case 'f':
        return this.#act(this.#typist.force());
      case 'r':
        return this.#act(this.#typist.release());
      case 's':
        return this.#act(this.#typist.spy());
      case 'a':
        return this.#act(this.#typist.attach());
      case 'n':
        return this.#edit({ method: 'line.mark', text: '' }, '');
      case 'm':
        return this.#edit({ method: 'line.say', text: '' }, '');
      case 'o':
        if (this.#typist.access !== 'full') return this.#say('you are watching only');
        return this.#ask('line.open', { floor: 'fail' }, ({ lineState }) =>
          this.#say(describeLine(lineState)),
        );
      case 'z':
        return this.#tty.suspend();
      default:
        return this.#say(`there is no ${this.#escapeName}c and that key; ${this.#escapeName}c? is help`);
    }
  }

  #act(steps: readonly Step[]): void {
    this.#run(steps);
    this.#showStatus();
  }

  #run(steps: readonly Step[]): void {
    for (const step of steps) {
      if (step.kind === 'say') this.#say(step.text);
      else void this.#call(step);
    }
  }

  async #call(step: Exclude<Step, { kind: 'say' }>): Promise<void> {
    const client = this.#link?.client;
    if (client === undefined) return this.#say('the daemon is gone; that was not sent');
    const answered = await makeCall(client, step);
    // Answers of a connection that is gone mean nothing to the one after it.
    if (client === this.#link?.client) this.#act(answered(this.#typist, performance.now()));
  }

  /** A call whose answer is shown. */
  #ask<M extends MethodName>(
    method: M,
    input: MethodInput<M>,
    show: (result: MethodResult<M>) => void,
  ): void {
    const request = this.#link?.client?.request(method, input);
    if (request === undefined) return this.#say('the daemon is gone');
    request.then(show).catch((error: unknown) => this.#say(toText(error)));
  }

  #edit(prompt: Prompt, typed: string): void {
    const edited = editPrompt(prompt.text, typed);
    this.#prompt = edited.kind === 'editing' ? { ...prompt, text: edited.text } : undefined;
    if (edited.kind === 'done') {
      this.#ask(prompt.method, { text: edited.text }, () => this.#say('done'));
    }
    this.#showStatus();
  }

  #handleResize(): void {
    this.#view.resize(this.#tty.size);
    this.#link?.watch();
  }

  #paintPart(): void {
    if (this.#paintTimer !== undefined) return;
    this.#paintTimer = setTimeout(() => {
      this.#paintTimer = undefined;
      this.#ask('line.screen', {}, (screen) => this.#tty.write(this.#view.showPart(screen)));
    }, PAINT_MS);
  }

  #say(text: string): void {
    clearTimeout(this.#messageTimer);
    this.#message = text;
    this.#showStatus();
    if (text !== '') this.#messageTimer = setTimeout(() => this.#say(''), MESSAGE_MS);
  }

  #showStatus(): void {
    this.#tty.write(this.#view.showStatus(this.#toStatus()));
    if (this.#view.needsBegin) this.#link?.watch();
  }

  #toStatus(): string {
    if (this.#prompt !== undefined) {
      return `${this.#prompt.method === 'line.mark' ? 'note' : 'message'}: ${this.#prompt.text}_`;
    }
    const told = this.#typist.question ?? this.#message;
    if (told !== '' || !this.#view.hasStatusRow) return told;
    const line = this.#lineState.state === 'open' ? '' : `${describeLine(this.#lineState)}; `;
    const who = this.#typist.access === 'full' ? '' : 'watching only; ';
    return `${line}${who}${describeFloorHolder(this.#typist.floor)}; ${this.#escapeName}c? is help`;
  }
}
