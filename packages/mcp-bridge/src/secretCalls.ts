/**
 * Secrets (I19): a person gives them to the daemon, and the model learns only what came of it. Asking for one by a form of the
 * client is forbidden by the protocol, and an argument would pass through the model: the person gets a link to a page of the
 * daemon's, from the client where that can show links, else from the model's own words.
 */
import type { MethodInput, MethodResult } from '@pidp10/protocol/methods';
import type { Answer as DaemonAnswer } from './daemonLink.ts';
import type { ToolCall } from './defineTool.ts';
import type { Answer, Question } from './guardedLine.ts';
import type { Requests } from './requests.ts';
import type { ToolName } from './toolError.ts';
import { type ToolResult, toErrorResult, toTextResult } from './toolResult.ts';
import { toVisible, toVisibleLine } from './visibleText.ts';

type Asked = MethodResult<'secret.request'>;
type Ending = MethodResult<'secret.wait'>;
export type SecretOutcome = NonNullable<Ending['outcome']>;

/** Longest wait for the person, in ms: the secret itself expires before. */
const WAIT_MS = 360_000;
const MAX_WHY_CHARS = 400;
const MAX_CLIENT_NAME_CHARS = 60;

export interface SecretRequest {
  readonly tool: ToolName;
  /** A session; undefined: the line. */
  readonly session: string | undefined;
  readonly message: string;
  /** Pattern of a prompt that does not speak of a password. */
  readonly prompt?: string | undefined;
  /** Makes the result of what the secret produced. */
  readonly deliver: (
    outcome: SecretOutcome,
    answer: Pick<DaemonAnswer<'secret.wait'>, 'client'>,
    note: string,
  ) => ToolResult;
}

export class SecretCalls {
  readonly #requests: Requests;
  /** What is asked for and has not come yet, by place: the same call made again goes on waiting for it. */
  readonly #open = new Map<string, Asked & { readonly message: string }>();

  constructor(requests: Requests) {
    this.#requests = requests;
  }

  ask(request: SecretRequest, call: ToolCall): Promise<ToolResult | Question> {
    return this.#requests.attempt(request.tool, async () => {
      const place = request.session ?? '';
      const before = this.#open.get(place);
      const { reply } = call;
      if (before !== undefined && reply?.token === before.secret)
        return await this.#resume(request, before, call, reply.isAccepted ? 'yes' : reply.answer);
      if (before !== undefined && before.message === request.message) {
        const made = await this.#wait(request, before, call);
        if (made !== undefined) return made;
      }
      return this.#toQuestion(request, await this.#begin(request, call), call);
    });
  }

  async #begin({ session, message, prompt }: SecretRequest, call: ToolCall): Promise<Asked> {
    const input: MethodInput<'secret.request'> = {
      message,
      ...(session !== undefined && { session }),
      ...(prompt !== undefined && prompt !== '' && { expect: prompt }),
    };
    const old = this.#open.get(session ?? '');
    if (old !== undefined) await this.#cancel(session, old, call);
    const asked = await this.#requests.ask('secret.request', input, call);
    this.#open.set(session ?? '', { ...asked, message });
    return asked;
  }

  #toQuestion(request: SecretRequest, asked: Asked, call: ToolCall): ToolResult | Question {
    if (!call.canOpenLinks) return toWays(request, asked);
    return {
      message: toQuestionText(request, call.clientName),
      url: asked.url,
      resume: (answer) =>
        this.#requests.attempt(request.tool, () =>
          this.#resume(request, asked, call, answer),
        ) as Promise<ToolResult>,
      toToken: () => asked.secret,
    };
  }

  async #resume(request: SecretRequest, asked: Asked, call: ToolCall, answer: Answer): Promise<ToolResult> {
    switch (answer) {
      case 'yes':
        return (await this.#wait(request, asked, call)) ?? toWays(request, asked);
      case 'no':
        await this.#cancel(request.session, asked, call);
        return toErrorResult(
          'secret_refused: the person was asked for the secret and said no. Nothing was sent. Go on without it, and do not ask for it again.',
        );
      case 'none':
        return toWays(request, asked);
      default:
        return answer satisfies never;
    }
  }

  /** Undefined: the daemon knows nothing of it, and it has to be asked for anew. */
  async #wait(request: SecretRequest, asked: Asked, call: ToolCall): Promise<ToolResult | undefined> {
    const { returnAfterMs } = this.#requests.settings;
    const patience =
      call.notifyProgress === undefined
        ? { returnAfterMs }
        : { returnAfterMs: WAIT_MS, ...this.#requests.toProgress(call) };
    const { secret } = asked;
    const place = request.session ?? '';
    let answer: DaemonAnswer<'secret.wait'>;
    try {
      answer = await this.#requests.wait('secret.wait', { secret, ...patience }, call);
    } catch (error) {
      this.#open.delete(place);
      if (isUnknown(error)) return undefined;
      throw error;
    }
    const ending = answer.result;
    if (ending.state === 'pending') return toWays(request, asked);
    this.#open.delete(place);
    const { outcome } = ending;
    if (outcome !== undefined)
      return request.deliver(outcome, answer, ending.hint ?? 'The secret was typed.');
    return toEndingText(ending);
  }

  async #cancel(session: string | undefined, { secret }: Asked, call: ToolCall): Promise<void> {
    this.#open.delete(session ?? '');
    // It may be over already.
    await this.#requests.ask('secret.cancel', { secret }, call).catch(() => undefined);
  }
}

function isUnknown(error: unknown): boolean {
  return (
    error instanceof Error && 'data' in error && Reflect.get(Object(error.data), 'name') === 'secret_unknown'
  );
}

function toQuestionText({ session, message }: SecretRequest, clientName: string): string {
  const who = toVisibleLine(clientName, MAX_CLIENT_NAME_CHARS);
  const place =
    session === undefined
      ? 'the terminal line of the PiDP-10'
      : `the program in session ${toVisibleLine(session, 64)}`;
  return `${who} asks for a secret that is to be typed into ${place}:

${toVisible(message)}

The page is the daemon's, on its own machine. Only the program gets what you type there, not the agent.`;
}

/** Nobody could be asked through the client: the model passes the two ways on. */
function toWays({ tool }: SecretRequest, { secret, url, expiresAt }: Asked): ToolResult {
  return toTextResult(
    `A person has to give the secret, and has not yet; nothing was sent. Tell them the two ways, on the machine where the daemon runs: open ${url} (works once, until ${expiresAt}), or run in a terminal: pidp10ctl secret ${secret}
Then make the same call again (${tool}, same arguments): it waits for them and returns what followed. Never ask for the secret in the conversation, and never open the link yourself.
[secret asked for: ${secret}]`,
  );
}

function toEndingText({ state, why = '' }: Ending): ToolResult {
  const reason = toVisibleLine(why, MAX_WHY_CHARS);
  switch (state) {
    case 'refused':
      return toErrorResult(
        `secret_not_sent: the person gave it, and it was not typed. ${reason} Bring the program to where it asks for the secret, look at what stands there, then call again.`,
      );
    case 'expired':
      return toErrorResult(
        'secret_expired: nobody gave it in time; nothing was sent. Tell the person, then call again.',
      );
    default:
      return toErrorResult(
        'secret_cancelled: it is not asked for any more; nothing was sent. Call again to ask anew.',
      );
  }
}
