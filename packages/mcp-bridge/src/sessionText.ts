/** Sessions in words: the answers of get_status, list_sessions and read_screen. Names, commands and folders are quoted (A02). */
import type { MethodResult } from '@pidp10/protocol/methods';
import type { SessionStatus } from '@pidp10/protocol/sessionSchemas';
import { toDuration } from './duration.ts';
import { type Floor, toFloorText, toQuote, toTime } from './floorText.ts';
import { toCursorWords, toGrid } from './screenText.ts';
import { toSessionWords, toStateWords, toTrailer } from './sessionTrailer.ts';
import { toCount, toVisibleLine } from './visibleText.ts';

/** Room for a path, a command, a program's name. */
const MAX_PATH_CHARS = 200;
const MAX_NAME_CHARS = 64;
/** Sessions that are listed, and processes that are named. */
const MAX_LISTED = 100;
const MAX_PROCESSES = 20;

type Processes = NonNullable<SessionStatus['processes']>;

export function toStatusText(status: SessionStatus): string {
  const { cwd, startedAt, startedBy, exitedAt, stopCause, expiresAt, processes = [], floor } = status;
  const unread = status.unread + (status.errUnread ?? 0);
  const times = [
    `started ${toTime(startedAt)} by ${toQuote(startedBy, MAX_NAME_CHARS)}`,
    ...(exitedAt === undefined ? [] : [`exited ${toTime(exitedAt)}`]),
    ...(stopCause === undefined ? [] : [toStopWords(stopCause)]),
    ...(expiresAt === undefined ? [] : [`kept until ${toTime(expiresAt)}`]),
  ];
  return [
    toHead(status),
    times.join(' · '),
    `folder ${toQuote(cwd, MAX_PATH_CHARS)}`,
    toTraffic(status),
    ...(processes.length === 0 ? [] : [`processes: ${toProcesses(processes)}`]),
    ...(floor === undefined || !isFloorNews(status.state, floor) ? [] : [toFloorText(floor)]),
    toTrailer([toSessionWords(status), toStateWords(status), `${toCount(unread)} bytes unread`]),
  ].join('\n');
}

export function toListText({ sessions, policy, leftovers }: MethodResult<'session.list'>): string {
  const rows = sessions.slice(0, MAX_LISTED).map((each) => {
    const unread = each.unread + (each.errUnread ?? 0);
    return `${toHead(each)} · ${unread === 0 ? 'all read' : `${toCount(unread)} bytes unread`} · since ${toTime(each.startedAt)}`;
  });
  const left = leftovers.map(
    ({ session, pid, name }) =>
      `${pid} ${toQuote(name, MAX_NAME_CHARS)} of ${toQuote(session, MAX_NAME_CHARS)}`,
  );
  return [
    ...rows,
    ...(sessions.length > MAX_LISTED ? [`and ${toCount(sessions.length - MAX_LISTED)} more`] : []),
    ...(left.length === 0
      ? []
      : [
          `still alive of an earlier daemon that crashed (pid, name): ${left.slice(0, MAX_PROCESSES).join(', ')}`,
        ]),
    toTrailer([
      sessions.length === 1 ? '1 session' : `${toCount(sessions.length)} sessions`,
      {
        off: 'this daemon starts no commands (commands: off in its configuration)',
        local: 'clients of this machine may start commands',
        all: 'all clients may start commands',
      }[policy],
    ]),
  ].join('\n');
}

export interface SessionScreenTexts {
  readonly grid: string;
  readonly trailer: string;
}

export function toSessionScreenTexts(screen: MethodResult<'session.screen'>): SessionScreenTexts {
  const { rows, cursor, isAlternate, size, offset } = screen;
  const shown = rows
    .map((text, row) => ({ row, text }))
    .filter(({ row, text }) => text.trim() !== '' || row === cursor.row);
  return {
    grid: toGrid(shown, cursor),
    trailer: toTrailer([
      `screen: ${size.rows}x${size.columns}, empty rows left out`,
      ...(isAlternate ? ['a full-screen program has it'] : []),
      toCursorWords(cursor),
      `offset ${offset}`,
      toSessionWords(screen),
      toStateWords(screen),
    ]),
  };
}

/** `pid 12 "sleep", pid 13 "cat"` */
export function toProcesses(processes: Processes): string {
  const named = processes
    .slice(0, MAX_PROCESSES)
    .map(({ pid, name }) => `pid ${pid} ${toQuote(name, MAX_NAME_CHARS)}`);
  const more = processes.length - named.length;
  return [...named, ...(more > 0 ? [`${toCount(more)} more`] : [])].join(', ');
}

/** That the caller's own call had the floor a moment ago is no news, nor who had it when the program ended. */
function isFloorNews(state: SessionStatus['state'], { holder, waiting }: Floor): boolean {
  if (state === 'exited' || state === 'lost' || holder === undefined) return false;
  return waiting > 0 || !holder.isYou || holder.kind === 'asked';
}

function toHead(status: SessionStatus): string {
  const { session, name, command, pid, size, isPty, splitStderr } = status;
  return [
    `${toVisibleLine(session, MAX_NAME_CHARS)}${name === undefined ? '' : ` ${toQuote(name, MAX_NAME_CHARS)}`}: ${toQuote(command, MAX_PATH_CHARS)}`,
    toStateWords(status),
    ...(pid === undefined ? [] : [`pid ${pid}`]),
    isPty
      ? `terminal${size === undefined ? '' : ` ${size.rows}x${size.columns}`}`
      : `pipes${splitStderr ? ', stderr apart' : ''}`,
  ].join(' · ');
}

function toTraffic(status: SessionStatus): string {
  const { oldest, end, errEnd, pendingBytes, msSinceLastByte, echo } = status;
  return [
    `output: offsets ${oldest}-${end}`,
    ...(errEnd === undefined ? [] : [`stderr up to ${errEnd}`]),
    ...(pendingBytes === 0 ? [] : [`${toCount(pendingBytes)} bytes of input not taken yet`]),
    ...(msSinceLastByte === undefined ? [] : [`last byte ${toDuration(msSinceLastByte)} ago`]),
    ...(echo === 'off' ? ['echo off, as for a password'] : []),
  ].join(' · ');
}

function toStopWords(cause: NonNullable<SessionStatus['stopCause']>): string {
  return {
    asked: 'stopped because somebody asked',
    timeout: 'stopped at its time limit',
    shutdown: 'stopped with the daemon',
  }[cause];
}
