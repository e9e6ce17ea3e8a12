/** What a client of many does beside typing: comes to the floor and gives it back, speaks to the others, looks at who did what. */
import type { MethodResult } from '@pidp10/protocol/methods';
import type { ToolCall } from './defineTool.ts';
import type { FloorHold } from './floorHold.ts';
import { toFloorText, toQuote } from './floorText.ts';
import { toHistoryTexts } from './historyText.ts';
import type { Requests } from './requests.ts';
import type { FloorToolArgs, HistoryArgs, MarkArgs, SayArgs } from './toolInputs.ts';
import { MAX_OUTPUT_CHARS, type ToolResult, toBlockResult, toTextResult } from './toolResult.ts';
import { toCount } from './visibleText.ts';

type Clients = MethodResult<'daemon.clients'>['clients'];

/** Clients that are named. */
const MAX_CLIENTS = 10;
const MAX_CLIENT_CHARS = 64;

export class FloorCalls {
  readonly #requests: Requests;
  readonly #hold: FloorHold;

  constructor(requests: Requests, hold: FloorHold) {
    this.#requests = requests;
    this.#hold = hold;
  }

  floor(args: FloorToolArgs, call: ToolCall): Promise<ToolResult> {
    return this.#requests.attempt('floor', () => {
      switch (args.action) {
        case 'status':
          return this.#status(call);
        case 'take':
          return this.#take(args, call);
        case 'release':
          return this.#release(call);
        default:
          return args.action satisfies never;
      }
    });
  }

  say({ text }: SayArgs, call: ToolCall): Promise<ToolResult> {
    return this.#requests.attempt('say', async () => {
      const { clients } = await this.#requests.ask('line.say', { text }, call);
      return toTextResult(
        clients === 0
          ? 'Said, but nobody else is here to read it; it stands in the history.'
          : `Said: ${toCount(clients)} other ${clients === 1 ? 'client reads' : 'clients read'} it, agents with their next result.`,
      );
    });
  }

  mark({ text }: MarkArgs, call: ToolCall): Promise<ToolResult> {
    return this.#requests.attempt('mark', async () => {
      const { offset } = await this.#requests.ask('line.mark', { text }, call);
      return toTextResult(
        `Marked at offset ${offset}: history names the place, read(from=${offset}) reads from there.`,
      );
    });
  }

  history(args: HistoryArgs, call: ToolCall): Promise<ToolResult> {
    const { from, to, limit, output_chars: outputChars } = args;
    const input = {
      limit,
      outputChars,
      ...(from !== undefined && { from }),
      ...(to !== undefined && { to }),
    };
    return this.#requests.attempt('history', async () => {
      const found = await this.#requests.ask('line.history', input, call);
      return toBlockResult(toHistoryTexts(found, MAX_OUTPUT_CHARS));
    });
  }

  async #status(call: ToolCall): Promise<ToolResult> {
    const [floor, { clients }] = await Promise.all([
      this.#requests.ask('floor.status', {}, call),
      this.#requests.ask('daemon.clients', {}, call),
    ]);
    return toTextResult(`${toFloorText(floor)}\n${toClientsText(clients)}`);
  }

  async #take(args: FloorToolArgs, call: ToolCall): Promise<ToolResult> {
    const { message, force, lease_ms: leaseMs } = args;
    // Nothing follows the wait, so that it may last as long as the client does.
    const waitMs =
      call.notifyProgress === undefined
        ? Math.min(args.wait_ms, this.#requests.settings.returnAfterMs)
        : args.wait_ms;
    const input = { force, leaseMs, waitMs, ...(message !== undefined && message !== '' && { message }) };
    const before = this.#hold.token;
    const { result } = await this.#requests.wait('floor.request', input, call);
    this.#hold.take(result.token);
    // It came just as the client gave up: nobody would know that he has it.
    if (call.signal.aborted && result.token !== before) {
      return await this.#release({ ...call, signal: new AbortController().signal });
    }
    return toTextResult(
      `${toFloorText(result.floor)}\nOthers wait until you release it or type nothing for ${leaseMs / 1_000} s. Should it be taken from you, your next input is refused, not typed.`,
    );
  }

  async #release(call: ToolCall): Promise<ToolResult> {
    const { token } = this.#hold;
    // Whatever comes of it: an agent that gave the floor back waits its turn again.
    this.#hold.forget();
    const floor = await this.#requests.ask('floor.release', token === undefined ? {} : { token }, call);
    return toTextResult(`You gave the floor back. ${toFloorText(floor)}`);
  }
}

function toClientsText(clients: Clients): string {
  const others = clients.filter(({ isYou }) => !isYou);
  if (others.length === 0) return 'Nobody else is connected.';
  const names = others.slice(0, MAX_CLIENTS).map(({ client, access }) => {
    const name = toQuote(client, MAX_CLIENT_CHARS);
    return access === 'read' ? `${name} (only watches)` : name;
  });
  const more = others.length - names.length;
  return `Also connected: ${names.join(', ')}${more === 0 ? '' : ` and ${toCount(more)} more`}.`;
}
