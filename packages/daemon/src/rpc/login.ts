/** Opening with a login: ^Z, the banner, the name; and what that tells of the line. Stops where a person would look up. */
import type { MethodParams } from '@pidp10/protocol/methods';
import type { Outcome } from '@pidp10/protocol/schemas';
import { isBanner } from '../core/its/ending.ts';
import type { Ask } from './asking.ts';
import { Ddt } from './ddt.ts';
import type { LineService } from './lineService.ts';

type Login = NonNullable<Outcome['login']>;

/** What came of it, and what its caller should know or do next. */
export interface LoginAnswer {
  readonly login: Login;
  readonly hint?: string;
}

const OCCUPIED: ReadonlySet<string> = new Set(['program', 'screen_program', 'pager', 'question']);
const CALL = '\u001a';
const OTHERS = /^(?:You're all alone.*|\d+\. Lusers.*)$/m;
const ALREADY = /Already logged in as "([^"]*)"/;
const CALLED_AGAIN = /\?\? $/;
const STOPPED: LoginAnswer = {
  login: { state: 'stopped' },
  hint: 'The login stopped: something else stands on the line, and nothing more was typed. Look at the output and decide.',
};
const SOMEBODY_HINT =
  'DDT was running on this line already, perhaps with somebody logged in: open with login, or look around, before you type commands.';

export async function logIn(
  line: LineService,
  ask: Ask,
  { login, terminal }: MethodParams<'line.open'>,
): Promise<LoginAnswer> {
  const ddt = new Ddt(line, ask);
  // What has the line is somebody's, and ^Z would stop it.
  if (OCCUPIED.has(line.conversation.activity.kind)) return STOPPED;
  const called = await ddt.type(CALL, { autoMore: false });
  const hasBanner = isBanner(called.text);
  const others = OTHERS.exec(called.text)?.[0];
  const facts = {
    ...(hasBanner && { banner: called.text.trim() }),
    ...(others !== undefined && { others }),
  };
  // Neither a banner nor DDT's `??`: a program was stopped, or something waits for an answer. That is for its owner.
  const stopped = { ...STOPPED, login: { ...STOPPED.login, ...facts } };
  if (!hasBanner && !CALLED_AGAIN.test(called.text)) return stopped;
  let state: Login['state'] = hasBanner ? 'logged_in' : 'was_logged_in';
  let hint = hasBanner ? undefined : SOMEBODY_HINT;
  if (login !== undefined) {
    const answer = await ddt.command(`:login ${login.toLowerCase()}`, { autoMore: false });
    if (!ddt.isReady) return stopped;
    const user = ALREADY.exec(answer.text)?.[1];
    state = user === undefined ? 'logged_in' : 'was_logged_in';
    hint = user === undefined ? undefined : alreadyHint(user, login);
  }
  if (terminal !== undefined) await ddt.setTerminal(terminal);
  const type = await ddt.terminal();
  const made = { state, ...facts, ...(type !== undefined && { terminal: type }) };
  return { login: made, ...(hint !== undefined && { hint }) };
}

function alreadyHint(user: string, login: string): string {
  if (user.toUpperCase() === login.toUpperCase())
    return `${user} was logged in on this line already: you go on in that session, with what it has open.`;
  const name = login.toUpperCase();
  return `${user} is logged in on this line, so ${name} was not: what you type runs as ${user}. Ask whoever that is, or end that session with ":logout" and open again with login ${name}.`;
}
