/** What covers the screen on request: help, who is there, facts, what was said before. */
import { describeFloorHolder } from '../floorText.ts';
import { toHelp, toPages, toWho } from './lines.ts';
import type { Ask, AttachTarget } from './target.ts';
import type { Floor } from './typist.ts';
import type { View } from './view.ts';

/** What `^Ecp` goes through, in characters. */
const REPLAY_CHARS = 50_000;

export interface OwnScreensOptions {
  readonly view: View;
  readonly target: AttachTarget;
  readonly escapeName: string;
  readonly ask: Ask;
  readonly write: (text: string) => void;
  readonly floor: () => Floor;
}

export class OwnScreens {
  readonly #options: OwnScreensOptions;
  #replay: { readonly pages: ReturnType<typeof toPages>; readonly page: number } | undefined;

  constructor(options: OwnScreensOptions) {
    this.#options = options;
  }

  /** The screen of a command's key; false if it is none of them. */
  open(key: string): boolean {
    const { ask, escapeName, target, view } = this.#options;
    this.#replay = undefined;
    switch (key) {
      case '?':
        this.#cover(toHelp(escapeName, target.missingKeys));
        return true;
      case 'w':
        ask('daemon.clients', {}, ({ clients }) => this.#cover(toWho(clients)));
        return true;
      case 'i':
        target.askInfo(ask, (lines) => this.#cover([...lines, ...this.#toOwnFacts()]));
        return true;
      case 'p':
        target.askPast(ask, REPLAY_CHARS, (text) => this.#showPage(toPages(text, view.terminal), 0));
        return true;
      default:
        return false;
    }
  }

  /** A key while one is shown; false: that was the end of it. */
  press(typed: string): boolean {
    const replay = this.#replay;
    if (replay === undefined || typed !== 'p') return false;
    this.#showPage(replay.pages, replay.page + 1);
    return true;
  }

  #showPage(pages: ReturnType<typeof toPages>, wanted: number): void {
    const last = Math.max(pages.length - 1, 0);
    const page = Math.min(wanted, last);
    this.#replay = { pages, page };
    const further = page === last ? '' : 'p: further back; ';
    this.#cover(pages[page] ?? ['nothing was said yet'], `${further}${this.#back}`);
  }

  #cover(lines: readonly string[], hint = this.#back): void {
    this.#options.write(this.#options.view.cover(lines, hint));
  }

  get #back(): string {
    return `any key: back to ${this.#options.target.what}`;
  }

  #toOwnFacts(): readonly string[] {
    const { rows, columns } = this.#options.view.terminal;
    return [
      describeFloorHolder(this.#options.floor()),
      `this terminal has ${rows} rows of ${columns} columns`,
    ];
  }
}
