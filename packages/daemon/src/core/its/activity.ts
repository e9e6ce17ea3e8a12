/**
 * Activity: what ITS is doing on the line, told from the stream alone. Wrong is worse than unknown: a state is only
 * claimed on evidence, and what is typed next may take it back.
 */
import { type Ending, errorBehind, type Proof } from './ending.ts';

export type Activity =
  /** Deaf until ^Z; nobody is logged in. */
  | { readonly kind: 'free' }
  /** DDT waits for a command. */
  | { readonly kind: 'ddt' }
  /** A program has the line; `name` as it was typed, where that is known. */
  | { readonly kind: 'program'; readonly name?: string }
  /** A program that paints the screen has it. */
  | { readonly kind: 'screen_program'; readonly name?: string }
  | { readonly kind: 'pager'; readonly pager: 'ddt' | 'system' | 'other' }
  | { readonly kind: 'question'; readonly text: string; readonly yes: string; readonly no: string }
  | { readonly kind: 'unknown'; readonly why: string };

export interface ActivitySnapshot {
  readonly activity: Activity;
  /** What was typed on DDT's command line so far. */
  readonly typed: string;
  /** The program that had the line before a pager or question stood there. */
  readonly program: string | undefined;
  /** ^Z was pressed, and nothing else since but CR. */
  readonly isCalled: boolean;
  /** What DDT answers to all that was typed since it was ready; undefined when that is more than fresh lines. */
  readonly freshLines: string | undefined;
  /** What was typed since the last CR, whoever takes it. Absent from what older versions wrote. */
  readonly line?: string;
}

const CALL = 0x1a;
const CONTROL_C = 0x03;
const CR = 0x0d;
const LF = 0x0a;
const ESC = 0x1b;
const DEL = 0x7f;
/** Programs whose pager looks like DDT's without its tail, and takes other answers (docs/its-line.md 4). */
const WITH_OWN_PAGER: ReadonlySet<string> = new Set(['peek']);
/** Longest command line that is looked at, in characters. */
const MAX_TYPED_CHARS = 1_024;
/** `:name` and what follows it. */
const COLON_COMMAND = /^:\s*([^\s:]+)/;
/** `name ^K` begins a program of that name. */
const PROGRAM_NAME = /[A-Za-z0-9.$%]+$/;
const CONTROL_K = '\u000b';

export class ActivityTracker {
  #activity: Activity;
  #typed: string;
  #program: string | undefined;
  #isCalled: boolean;
  #freshLines: string | undefined;
  #line: string;

  constructor(snapshot?: ActivitySnapshot) {
    this.#activity = snapshot?.activity ?? { kind: 'unknown', why: 'the line is not open' };
    this.#typed = snapshot?.typed ?? '';
    this.#program = snapshot?.program;
    this.#isCalled = snapshot?.isCalled ?? false;
    this.#freshLines = snapshot?.freshLines;
    this.#line = snapshot?.line ?? '';
  }

  get activity(): Activity {
    return this.#activity;
  }

  /** A new connection: the greeting does not tell who is logged in. */
  opened(): void {
    this.#become({
      kind: 'unknown',
      why: 'nothing has come since the greeting; an earlier user may still be logged in',
    });
  }

  closed(): void {
    this.#become({ kind: 'unknown', why: 'the line is not open' });
  }

  /** Tells whose a pager is that does not say so itself; undefined for last words that are none after what was typed. */
  judge(ending: Ending): Ending | undefined {
    if (ending.kind === 'error' && ending.needs?.kind === 'ahead') {
      const text = errorBehind(this.#line, ending.text);
      return text === undefined ? undefined : { ...ending, text };
    }
    if (ending.kind === 'ready' || ending.kind === 'error')
      return this.#proves(ending.needs) ? ending : undefined;
    if (ending.kind !== 'pager' || ending.isBare !== true) return ending;
    const isOwn = this.#program !== undefined && WITH_OWN_PAGER.has(this.#program);
    return isOwn || this.#activity.kind === 'screen_program' ? { kind: 'pager', pager: 'other' } : ending;
  }

  /** Input is on its way. */
  typed(bytes: Uint8Array): void {
    for (const byte of bytes) this.#typeOne(byte);
  }

  /** The output has paused; `isPainting`: it moved about on the screen since the last input. */
  paused(ending: Ending | undefined, isPainting: boolean): void {
    if (ending === undefined) {
      this.#goOn(isPainting);
      return;
    }
    switch (ending.kind) {
      case 'prompt':
      case 'error':
      case 'ready':
        this.#typed = '';
        this.#isCalled = false;
        this.#become({ kind: 'ddt' });
        this.#freshLines = '';
        return;
      case 'free':
        this.#become({ kind: 'free' });
        return;
      case 'pager':
        this.#stand({ kind: 'pager', pager: ending.pager });
        return;
      case 'question':
        this.#stand({ kind: 'question', text: ending.text, yes: ending.yes, no: ending.no });
        return;
      default:
        ending satisfies never;
    }
  }

  snapshot(): ActivitySnapshot {
    return {
      activity: this.#activity,
      typed: this.#typed,
      program: this.#program,
      isCalled: this.#isCalled,
      freshLines: this.#freshLines,
      line: this.#line,
    };
  }

  #proves(needs: Proof | undefined): boolean {
    switch (needs?.kind) {
      case undefined:
        return true;
      case 'called':
        return this.#isCalled;
      case 'ddt':
        return this.#activity.kind === 'ddt';
      case 'keys':
        return this.#freshLines === needs.echo;
      case 'ahead':
        return false; // judged by the line itself
      default:
        return needs satisfies never;
    }
  }

  #typeOne(byte: number): void {
    const { kind } = this.#activity;
    this.#isCalled = byte === CALL || (this.#isCalled && byte === CR);
    if (byte === CR || byte === CALL) this.#line = '';
    else if (byte === DEL) this.#line = this.#line.slice(0, -1);
    else if (this.#line.length < MAX_TYPED_CHARS) this.#line += String.fromCharCode(byte);
    if (kind === 'free') {
      if (byte === CALL) this.#become({ kind: 'unknown', why: 'DDT was called and has not answered yet' });
      return;
    }
    if (kind === 'pager' || kind === 'question') {
      this.#run(this.#program);
      return;
    }
    if (kind !== 'ddt') {
      if (byte === CALL && kind !== 'unknown')
        this.#become({ kind: 'unknown', why: 'the program was interrupted by ^Z' });
      return;
    }
    this.#typeToDdt(byte);
  }

  #typeToDdt(byte: number): void {
    if (this.#freshLines !== undefined && this.#typed === '' && (byte === CR || byte === CONTROL_C)) {
      this.#freshLines += byte === CR ? '\n' : '^C\n';
      return;
    }
    this.#freshLines = undefined;
    if (byte === DEL) this.#typed = this.#typed.slice(0, -1);
    else if (byte === CR) this.#endLine();
    else if (this.#typed.length < MAX_TYPED_CHARS) this.#typed += String.fromCharCode(byte);
    const started = this.#typed.endsWith(CONTROL_K)
      ? PROGRAM_NAME.exec(this.#typed.slice(0, -1))?.[0]
      : undefined;
    if (started !== undefined) this.#run(started.toLowerCase());
    else if (byte === LF || (byte >= 0x20 && this.#typed.charCodeAt(this.#typed.length - 2) === ESC)) {
      // An altmode command or a deposit: most are done at once, some start a program whose name nobody typed here.
      this.#become({ kind: 'unknown', why: 'DDT has a command and has not answered yet' });
    }
  }

  #endLine(): void {
    const name = COLON_COMMAND.exec(this.#typed)?.[1];
    this.#typed = '';
    if (name !== undefined) this.#run(name.toLowerCase());
  }

  #run(name: string | undefined): void {
    this.#program = name;
    this.#become(
      name === undefined
        ? { kind: 'unknown', why: 'a key was pressed and nothing has come yet' }
        : { kind: 'program', name },
    );
  }

  /** Output without an ending: the program that has the line goes on. */
  #goOn(isPainting: boolean): void {
    const { activity } = this;
    const name = this.#program;
    if (isPainting && activity.kind !== 'free' && !this.#isCalled) {
      this.#activity = { kind: 'screen_program', ...(name !== undefined && { name }) };
    } else if (activity.kind === 'free') {
      this.#become({ kind: 'unknown', why: 'something came on a line that was free' });
    }
  }

  #stand(activity: Activity): void {
    this.#activity = activity;
    this.#freshLines = undefined;
  }

  #become(activity: Activity): void {
    this.#activity = activity;
    this.#freshLines = undefined;
    if (activity.kind !== 'program' && activity.kind !== 'screen_program') this.#program = undefined;
  }
}
