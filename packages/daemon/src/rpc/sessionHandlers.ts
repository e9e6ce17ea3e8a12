/** Handlers of command sessions: starting and feeding programs, reading and waiting for what they say, ending them. */
import { rpcError } from '@pidp10/protocol/errors';
import type { MethodParams } from '@pidp10/protocol/methods';
import { Turns } from './asking.ts';
import type { ChannelService } from './channelService.ts';
import type { Handlers } from './dispatch.ts';
import type { Mailboxes } from './mailboxes.ts';
import { historyOf } from './recordHandlers.ts';
import { searchIn } from './searchHandlers.ts';
import { toSearchTerm } from './searchTerm.ts';
import { authorOf, type Call } from './session.ts';
import { hasExited, isOver, streamOf, toStatus } from './sessionAnswers.ts';
import { SessionReading, toSessionExpectation } from './sessionReading.ts';
import type { SessionService, SessionTable } from './sessionService.ts';
import { SessionTyping } from './sessionTyping.ts';
import { waitUntilOver } from './sessionWait.ts';

type SessionMethod = Exclude<
  Extract<keyof Handlers, `session.${string}`>,
  'session.watch' | 'session.unwatch'
>;

export function createSessionHandlers(
  table: SessionTable,
  mailboxes: Mailboxes,
): Pick<Handlers, SessionMethod> {
  const find = (key: string): SessionService => sessionOf(table, key);
  const turns = new WeakMap<ChannelService, Turns>();
  const turnsOf = (channel: ChannelService): Turns => {
    const known = turns.get(channel) ?? new Turns(channel);
    turns.set(channel, known);
    return known;
  };
  const reading = new SessionReading(turnsOf, mailboxes);
  const typing = new SessionTyping(turnsOf, reading);

  return {
    'session.start': async (params, call) => {
      toSessionExpectation(params); // refused before anything is started
      const session = await table.start(toRequest(params, call));
      return reading.first(session, params, call);
    },

    'session.send': (params, call) => typing.send(find(params.session), params, call),

    'session.read': (params, call) => reading.read(find(params.session), params, call),

    'session.wait': (params, call) => waitUntilOver(find(params.session), params, call),

    'session.signal': ({ session: key, signal, target }, call) => {
      const session = find(key);
      const found = signalOf(session, signal, target);
      if (found.kind === 'gone')
        throw rpcError('session_exited', `Nobody is left in ${session.id} to get ${signal}.`);
      if (found.kind === 'refused')
        throw rpcError('signal_refused', `${signal} to ${session.id} was refused (${found.code}).`);
      session.out.note('mark', authorOf(call.session), `${signal} to its ${target}`);
      return session.facts;
    },

    'session.resize': ({ session: key, rows, columns }) => {
      const session = find(key);
      if (!session.facts.isPty) throw rpcError('not_a_terminal');
      if (hasExited(session))
        throw rpcError('session_exited', `${session.id} has exited; nothing was resized.`);
      session.resize({ rows, columns });
      return session.facts;
    },

    'session.stop': async ({ session: key, graceMs }, call) => {
      const session = find(key);
      if (!hasExited(session)) session.out.note('mark', authorOf(call.session), 'stop');
      const survivors = await session.stop(graceMs);
      return { survivors: survivors.map(({ pid, name }) => ({ pid, name })), ...session.facts };
    },

    'session.delete': async ({ session: key, stop }) => {
      const session = find(key);
      const { state } = session.facts;
      if (!hasExited(session) && !stop) throw rpcError('session_running', `${session.id} is ${state}.`);
      // Also what outlived it.
      if (stop && (!isOver(session) || state === 'lost')) await session.stop(STOP_BEFORE_DELETE_MS);
      await table.delete(session);
      return {};
    },

    'session.status': ({ session: key, args, processes }, call) =>
      toStatus(find(key), call, { hasArgs: args, hasProcesses: processes }),

    'session.list': ({ args }, call) => ({
      sessions: table.all.map((session) => toStatus(session, call, { hasArgs: args, hasProcesses: false })),
      policy: table.policy,
      leftovers: table.leftovers().map(({ session, pid, name }) => ({ session, pid, name })),
    }),

    'session.screen': async ({ session: key }) => {
      const session = find(key);
      const screen = await session.screen();
      if (screen === undefined) throw rpcError('not_a_terminal');
      const { rows, cursor, isAlternate, size, offset } = screen;
      return { rows: [...rows], cursor, isAlternate, size, offset, ...session.facts };
    },

    'session.search': ({ session: key, stream, ...params }, call) => {
      // The quick look at raw bytes knows the line's seven bits, not UTF-8 and colours in the middle of words.
      const term = { ...toSearchTerm(params), mayBeIn: undefined };
      return searchIn(streamOf(find(key), stream), params, call, term);
    },

    'session.history': ({ session: key, ...params }) => historyOf(find(key).out, params),
  };
}

/** Grace of a stop that is part of deleting, in ms. */
const STOP_BEFORE_DELETE_MS = 3_000;

/** Throws `session_unknown`. */
export function sessionOf(table: SessionTable, key: string): SessionService {
  const session = table.get(key);
  if (session === undefined) throw rpcError('session_unknown', `There is no session ${JSON.stringify(key)}.`);
  return session;
}

function toRequest(params: MethodParams<'session.start'>, call: Call): Parameters<SessionTable['start']>[0] {
  const { command, args, cwd, env, name, pty, rows, columns, splitStderr, timeLimitMs } = params;
  if (cwd !== undefined && !cwd.startsWith('/'))
    throw rpcError('invalid_params', `session.start: cwd ${JSON.stringify(cwd)} is no absolute path.`);
  if (pty && splitStderr)
    throw rpcError('invalid_params', 'session.start: a terminal has one output, so splitStderr needs pipes.');
  const { client } = authorOf(call.session);
  return {
    command,
    args,
    cwd,
    env,
    name,
    isPty: pty,
    size: { rows, columns },
    splitStderr,
    timeLimitMs,
    client,
  };
}

/** Throws `invalid_params` for a name that the system does not know. */
function signalOf(
  session: SessionService,
  signal: string,
  target: MethodParams<'session.signal'>['target'],
): ReturnType<SessionService['signal']> {
  try {
    return session.signal(signal, target);
  } catch (error) {
    if (error instanceof RangeError) throw rpcError('invalid_params', `session.signal: ${error.message}`);
    throw error;
  }
}
