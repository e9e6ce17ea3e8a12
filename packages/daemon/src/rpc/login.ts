/** Opening with a login: ^Z, the banner, the name; and what that tells of the line. Stops where a person would look up. */
import type { MethodParams } from '@pidp10/protocol/methods';
import type { Outcome } from '@pidp10/protocol/schemas';
import { isBanner } from '../core/its/ending.ts';
import type { Ask } from './asking.ts';
import { Ddt } from './ddt.ts';
import type { LineService } from './lineService.ts';

type Login = NonNullable<Outcome['login']>;

const OCCUPIED: ReadonlySet<string> = new Set(['program', 'screen_program', 'pager', 'question']);
const CALL = '\u001a';
const OTHERS = /^(?:You're all alone.*|\d+\. Lusers.*)$/m;
const ALREADY = /Already logged in as/;
const CALLED_AGAIN = /\?\? $/;

export async function logIn(
  line: LineService,
  ask: Ask,
  { login, terminal }: MethodParams<'line.open'>,
): Promise<Login> {
  const ddt = new Ddt(line, ask);
  // What has the line is somebody's, and ^Z would stop it.
  if (OCCUPIED.has(line.channel.conversation.activity.kind)) return { state: 'stopped' };
  const called = await ddt.type(CALL, { autoMore: false });
  const hasBanner = isBanner(called.text);
  const others = OTHERS.exec(called.text)?.[0];
  const facts = {
    ...(hasBanner && { banner: called.text.trim() }),
    ...(others !== undefined && { others }),
  };
  // Neither a banner nor DDT's `??`: a program was stopped, or something waits for an answer. That is for its owner.
  if (!hasBanner && !CALLED_AGAIN.test(called.text)) return { state: 'stopped', ...facts };
  let state: Login['state'] = hasBanner ? 'logged_in' : 'was_logged_in';
  if (login !== undefined) {
    const answer = await ddt.command(`:login ${login.toLowerCase()}`, { autoMore: false });
    if (!ddt.isReady) return { state: 'stopped', ...facts };
    state = ALREADY.test(answer.text) ? 'was_logged_in' : 'logged_in';
  }
  if (terminal !== undefined) await ddt.setTerminal(terminal);
  const type = await ddt.terminal();
  return { state, ...facts, ...(type !== undefined && { terminal: type }) };
}
