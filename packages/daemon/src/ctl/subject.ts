/** Whose output a command is about: the line's, or a stream of a command session's. */
import type { ClientApi, RequestOptions } from '@pidp10/protocol/clientApi';
import type { MethodInput, MethodResult } from '@pidp10/protocol/methods';
import type { Arguments } from './command.ts';

export type Subject =
  | { readonly kind: 'line' }
  | { readonly kind: 'session'; readonly session: string; readonly stream: 'out' | 'err' };

export const LINE: Subject = { kind: 'line' };

/** Of commands that are about the line, and about a session if one is named. */
export const SESSION_OPTION = {
  session: { type: 'string', alias: 's', describe: 'A command session, by id or name, instead of the line' },
} as const;

/** The session that `--session` names, its output, or the line. */
export function toSubject(args: Arguments): Subject {
  const session = args.text('session');
  return session === undefined ? LINE : { kind: 'session', session, stream: 'out' };
}

/** Rejects as requests do. */
export function searchIn(
  client: ClientApi,
  subject: Subject,
  input: MethodInput<'line.search'>,
  options: RequestOptions,
): Promise<MethodResult<'line.search'>> {
  if (subject.kind === 'line') return client.request('line.search', input, options);
  const { session, stream } = subject;
  return client.request('session.search', { ...input, session, stream }, options);
}
