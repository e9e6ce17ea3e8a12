/** Whole text files: put to ITS and got from it. Their requests cannot return halfway, so the tools may. */
import type { MethodResult } from '@pidp10/protocol/methods';
import type { ToolCall } from './defineTool.ts';
import type { FloorHold } from './floorHold.ts';
import { toFloorWait } from './floorWait.ts';
import { LongCalls } from './longCalls.ts';
import type { Requests } from './requests.ts';
import type { GetFileArgs, PutFileArgs } from './toolInputs.ts';
import { type ToolResult, toFileResult, toTextResult } from './toolResult.ts';
import { toCount, toVisibleLine } from './visibleText.ts';

/** Longest name of a file that is quoted. */
const MAX_NAME_CHARS = 80;

export class FileCalls {
  readonly #requests: Requests;
  readonly #hold: FloorHold;
  readonly #puts = new LongCalls<MethodResult<'line.putFile'>>();
  readonly #gets = new LongCalls<MethodResult<'line.getFile'>>();

  constructor(requests: Requests, hold: FloorHold) {
    this.#requests = requests;
    this.#hold = hold;
  }

  putFile({ file, text, floor }: PutFileArgs, call: ToolCall): Promise<ToolResult> {
    return this.#requests.attempt('put_file', async () => {
      const result = await this.#requests.waitLong(this.#puts, `${file}\n${text}`, call, (own) =>
        this.#hold.use(async (held) => {
          const input = { file, text, ...this.#toTyping(floor, own), ...held };
          return (await this.#requests.wait('line.putFile', input, own)).result;
        }),
      );
      if (result === undefined) return toTextResult(toStillBusy(`typing ${toCount(text.length)} characters`));
      const { lines, chars, verified } = result;
      const check = verified ? 'read back and found the same' : 'not verified';
      return toTextResult(
        `Written: ${toVisibleLine(result.file, MAX_NAME_CHARS)}, ${toCount(lines)} lines, ${toCount(chars)} characters, ${check}.`,
      );
    });
  }

  getFile({ file, floor }: GetFileArgs, call: ToolCall): Promise<ToolResult> {
    return this.#requests.attempt('get_file', async () => {
      const result = await this.#requests.waitLong(this.#gets, file, call, (own) =>
        this.#hold.use(async (held) => {
          const input = { file, ...this.#toTyping(floor, own), ...held };
          return (await this.#requests.wait('line.getFile', input, own)).result;
        }),
      );
      return result === undefined ? toTextResult(toStillBusy('reading the file')) : toFileResult(result);
    });
  }

  #toTyping(floor: PutFileArgs['floor'], { notifyProgress }: ToolCall) {
    const { returnAfterMs, progressEveryMs } = this.#requests.settings;
    return {
      ...toFloorWait({ floor }, { returnAfterMs, notifyProgress }),
      ...(notifyProgress !== undefined && { progressEveryMs }),
    };
  }
}

function toStillBusy(doing: string): string {
  return `Not done yet: still ${doing}. Make the same call again to hear the end; other calls wait until then.`;
}
