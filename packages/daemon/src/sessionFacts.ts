/** What is told and written down of a session, from what is known of it. */
import type { SessionFacts } from '@pidp10/protocol/sessionSchemas';
import type { SessionChannel, SessionRestore } from './core/sessionChannel.ts';
import type { SessionExit } from './core/sessionState.ts';
import { monotonicMs } from './coreLoop.ts';
import type { SessionDetails } from './rpc/sessionService.ts';
import { isoOf, namedPlaces, type SessionRecord, toExit } from './sessionRecord.ts';

/** What stands beside every answer. */
export function factsOf(
  { id, name, isPty, epoch }: SessionRecord,
  {
    state,
    exit,
    outputState,
  }: Pick<SessionFacts, 'state' | 'outputState'> & { readonly exit: SessionExit | undefined },
): SessionFacts {
  return {
    session: id,
    ...(name !== undefined && { name }),
    state,
    ...(exit !== undefined && { exit: toExit(exit) }),
    isPty,
    outputState,
    epoch,
  };
}

/** What stays known of a session; `expiresMs`: when it is cleaned away, on the wall clock. */
export function detailsOf(record: SessionRecord, expiresMs: number | undefined): SessionDetails {
  const { command, args, cwd, size, splitStderr, startedBy, stopCause, exitedMs, state, pid } = record;
  return {
    command,
    args,
    cwd,
    pid: state === 'running' ? pid : undefined,
    size,
    splitStderr,
    startedAt: isoOf(record.startedMs),
    startedBy,
    exitedAt: exitedMs === undefined ? undefined : isoOf(exitedMs),
    stopCause,
    expiresAt: expiresMs === undefined ? undefined : isoOf(expiresMs),
  };
}

/** What is written down of its streams when it is over. */
export function streamsOf({ out, err }: SessionChannel): NonNullable<SessionRecord['streams']> {
  return { out: streamOf(out), ...(err !== undefined && { err: streamOf(err) }) };
}

function streamOf({ timeline, readers }: SessionChannel['out']) {
  return { nextSeq: timeline.nextSeq, readers: namedPlaces(readers.snapshot()) };
}

/** Somebody has got all of each stream. */
export function isAllRead({ out, err }: SessionChannel): boolean {
  const streams = [out, err].filter((stream) => stream !== undefined);
  return streams.every(({ readers, scrollback }) =>
    readers.snapshot().places.some(([, { committed }]) => committed >= scrollback.end),
  );
}

/** The core of a program that is gone: it takes no input, and all its output has come. */
export function goneState(
  record: SessionRecord,
  conversations: Pick<SessionRestore, 'out' | 'err'>,
): SessionRestore {
  const { isPty, exit = {}, stopCause } = record;
  return {
    ...conversations,
    input: 'ended',
    state: {
      isPty,
      startedMs: monotonicMs(),
      timeoutMs: undefined,
      exit,
      exitedMs: undefined,
      openStreams: [],
      heldMs: undefined,
      isOutputHeld: false,
      isHolderSought: false,
      vainLooks: 0,
      stopping: { phase: 'none' },
      cause: stopCause,
      survivors: [],
    },
  };
}
