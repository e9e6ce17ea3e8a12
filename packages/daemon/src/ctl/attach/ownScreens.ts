/** What covers the line's screen on request: help, who is there, facts, what was said before. */
import type { MethodInput, MethodName, MethodResult } from '@pidp10/protocol/methods';
import { describeActivity } from '../activity.ts';
import { describeFloorHolder } from '../floorText.ts';
import { describeLine } from '../render.ts';
import { toHelp, toPages, toWho } from './lines.ts';
import type { Floor } from './typist.ts';
import type { View } from './view.ts';

/** What `^Ecp` goes through, in characters. */
const REPLAY_CHARS = 50_000;
const ANY_KEY = 'any key: back to the line';

/** Makes a call and hands its result on; what goes wrong is somebody else's to say. */
export type Ask = <M extends MethodName>(
  method: M,
  input: MethodInput<M>,
  show: (result: MethodResult<M>) => void,
) => void;

export interface OwnScreensOptions {
  readonly view: View;
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
    const { ask, escapeName, view } = this.#options;
    this.#replay = undefined;
    switch (key) {
      case '?':
        this.#cover(toHelp(escapeName));
        return true;
      case 'w':
        ask('daemon.clients', {}, ({ clients }) => this.#cover(toWho(clients)));
        return true;
      case 'i':
        ask('line.status', {}, (status) => this.#cover(this.#toInfo(status)));
        return true;
      case 'p':
        ask('line.peek', { chars: REPLAY_CHARS }, ({ output }) =>
          this.#showPage(toPages(output.text, view.terminal), 0),
        );
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
    this.#cover(pages[page] ?? ['nothing was said yet'], `${further}${ANY_KEY}`);
  }

  #cover(lines: readonly string[], hint = ANY_KEY): void {
    this.#options.write(this.#options.view.cover(lines, hint));
  }

  #toInfo({ lineState, activity, floor, end }: MethodResult<'line.status'>): readonly string[] {
    const { rows, columns } = this.#options.view.terminal;
    return [
      describeLine(lineState),
      describeActivity(activity),
      describeFloorHolder(floor ?? this.#options.floor()),
      `offset ${end}; this terminal has ${rows} rows of ${columns} columns`,
    ];
  }
}
