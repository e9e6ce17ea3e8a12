/**
 * An attached terminal: keys to the line or program, its output to the screen, until something ends it. Everything is decided in keys.ts,
 * typist.ts and view.ts; here it is wired, with the clock and the timers.
 */
import { describeFloorHolder } from '../floorText.ts';
import { describeLine } from '../render.ts';
import type { AttachEnd, AttachOptions } from './attachment.ts';
import { makeCall, toText } from './calls.ts';
import type { KeyEvent } from './keys.ts';
import { toKeyName } from './lines.ts';
import { OwnScreens } from './ownScreens.ts';
import { editPrompt } from './prompt.ts';
import type { Ask, AttachLink, KeyReader } from './target.ts';
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
  readonly #keys: KeyReader;
  readonly #tty: Tty;
  readonly #view: View;
  readonly #typist: Typist;
  readonly #escapeName: string;
  #link: AttachLink | undefined;
  #message = '';
  #prompt: Prompt | undefined;
  readonly #own: OwnScreens;
  #keyTimer: NodeJS.Timeout | undefined;
  #messageTimer: NodeJS.Timeout | undefined;
  #paintTimer: NodeJS.Timeout | undefined;

  constructor(options: AttachOptions, end: (end: AttachEnd) => void) {
    const { input, output, signals, access, escapeKey, target } = options;
    this.#options = options;
    this.#end = end;
    this.#keys = target.createKeys(escapeKey);
    this.#escapeName = toKeyName(escapeKey);
    this.#typist = new Typist(access, { state: 'free', waiting: 0 }, target.habits);
    const events = {
      onBytes: (bytes: Uint8Array) => this.#handleKeys(this.#keys.push(bytes, performance.now())),
      onResize: () => this.#handleResize(),
      onResume: () => this.#handleResize(),
      onSignal: (signal: NodeJS.Signals) => end({ kind: 'signal', signal }),
      onHangup: () => end({ kind: 'hung_up' }),
    };
    this.#tty = new Tty({ input, output, signals, modes: target.modes, events });
    this.#view = new View(this.#tty.size, target);
    this.#own = new OwnScreens({
      view: this.#view,
      target,
      escapeName: this.#escapeName,
      ask: this.#ask,
      write: (text) => this.#tty.write(text),
      floor: () => this.#typist.floor,
    });
  }

  open(): Promise<AttachLink> {
    const { daemon, access, target } = this.#options;
    return target.open({
      daemon,
      access,
      size: () => this.#tty.size,
      events: {
        onBegun: ({ paint, grid, floor }) => {
          this.#run(this.#typist.handleFloor(floor));
          this.#tty.write(this.#view.begin(paint, grid));
          this.#showStatus();
          if (this.#view.isPart) this.#paintPart();
        },
        onOutput: (text) => {
          this.#tty.write(this.#view.follow(text));
          if (this.#view.isPart) this.#paintPart();
        },
        onFloor: (floor) => this.#act(this.#typist.handleFloor(floor)),
        onSaid: (text) => this.#say(text),
        onExit: (facts) => this.#end({ kind: 'exited', facts }),
        onLost: () => {
          this.#typist.handleReconnect({ state: 'free', waiting: 0 });
          this.#say('the daemon is gone; waiting for it to come back');
        },
        onBack: () => {
          this.#say('the daemon is back');
          this.#link?.watch();
        },
        onGone: (error) => this.#end({ kind: 'failed', error }),
      },
    });
  }

  start(link: AttachLink): Disposable {
    this.#link = link;
    this.#tty.start();
    link.watch();
    return this.#tty;
  }

  stop(): void {
    for (const timer of [this.#keyTimer, this.#messageTimer, this.#paintTimer]) clearTimeout(timer);
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
        if (this.#view.isCovered) return this.#own.press(event.text) ? undefined : this.#uncover();
        if (this.#prompt !== undefined) return this.#edit(this.#prompt, event.text);
        this.#run(this.#typist.type(event, performance.now()));
        return this.#showStatus();
      default:
        return event satisfies never;
    }
  }

  #command(key: string): void {
    if (this.#view.isCovered) this.#uncover();
    this.#prompt = undefined;
    this.#say('');
    if (this.#options.target.missingKeys.includes(key)) return this.#say(this.#toUnknown());
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
        return this.#say(this.#toUnknown());
    }
  }

  #uncover(): void {
    this.#view.uncover();
    this.#link?.watch();
  }

  #toUnknown(): string {
    return `there is no ${this.#escapeName}c and that key; ${this.#escapeName}c? is help`;
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
    const answered = await makeCall(client, this.#options.target, step);
    // Answers of a connection that is gone mean nothing to the one after it.
    if (client === this.#link?.client) this.#act(answered(this.#typist, performance.now()));
  }

  /** A call whose answer is shown. */
  readonly #ask: Ask = (method, input, show) => {
    const request = this.#link?.client?.request(method, input);
    if (request === undefined) return this.#say('the daemon is gone');
    request.then(show).catch((error: unknown) => this.#say(toText(error)));
  };

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
      this.#options.target.askScreen(this.#ask, (part) => this.#tty.write(this.#view.showPart(part)));
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
    const trouble = this.#options.target.describeTrouble();
    const line = trouble === '' ? '' : `${trouble}; `;
    const who = this.#typist.access === 'full' ? '' : 'watching only; ';
    return `${line}${who}${describeFloorHolder(this.#typist.floor)}; ${this.#escapeName}c? is help`;
  }
}
