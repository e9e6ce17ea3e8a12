/** Socket and state folder: there, ours, closed to others, writable, with room. */
import { type Check, fail, ok, warn } from './check.ts';

/** Below the first nobody should be without a warning, below the second the scrollback soon ends; in bytes. */
export const LOW_BYTES = 256 * 1024 * 1024;
export const EMPTY_BYTES = 16 * 1024 * 1024;

export interface PathFacts {
  readonly path: string;
  readonly kind: 'absent' | 'file' | 'folder' | 'socket' | 'link' | 'other' | 'hidden';
  /** Permission bits. */
  readonly mode: number;
  readonly uid: number;
}

export interface SocketFacts {
  readonly socket: PathFacts;
  readonly folder: PathFacts;
  readonly uid: number | undefined;
  /** Whether a daemon answered, and else the message of the client. */
  readonly answer: SocketAnswer;
  /** Shell command that starts the service, if one is installed. */
  readonly startCommand: string | undefined;
}

export type SocketAnswer =
  | { readonly kind: 'answers' }
  /** Nobody listens. */
  | { readonly kind: 'absent' }
  | { readonly kind: 'fault'; readonly problem: string };

export function checkSocket({ socket, folder, uid, answer, startCommand }: SocketFacts): Check[] {
  const checks: Check[] = [];
  if (folder.kind === 'folder' && (folder.mode & 0o077) !== 0) {
    const isWritable = (folder.mode & 0o022) !== 0;
    const text = `${folder.path}, the folder of the socket, has mode ${toOctal(folder.mode)}`;
    checks.push((isWritable ? fail : warn)('socket-folder', text, `chmod 700 ${folder.path}`));
  }
  return [...checks, checkAnswer({ socket, uid, answer, start: startCommand ?? START })];
}

const START = 'pidp10ctl open starts one, or: pidp10ctl service install';

function checkAnswer({
  socket,
  uid,
  answer,
  start,
}: Pick<SocketFacts, 'socket' | 'uid' | 'answer'> & { readonly start: string }): Check {
  const { path, kind, mode } = socket;
  if (kind !== 'absent' && kind !== 'socket' && kind !== 'hidden') {
    return fail('socket', `${path} is no socket but a ${kind}`, 'Remove it, or choose another --socket.');
  }
  switch (answer.kind) {
    case 'answers': {
      const text = `${path} answers, mode ${toOctal(mode)}`;
      const isOpen = (mode & 0o007) !== 0;
      return isOpen
        ? fail('socket', `${text}: others can type on the line`, `chmod 600 ${path}`)
        : ok('socket', text);
    }
    case 'absent':
      return kind === 'absent'
        ? warn('socket', `no daemon runs at ${path}`, start)
        : warn('socket', `${path} was left by a daemon that is gone; the next one takes the place`, start);
    case 'fault': {
      const isForeign = kind === 'socket' && uid !== undefined && uid !== 0 && socket.uid !== uid;
      const remedy = isForeign
        ? 'Only its owner can use the line: run pidp10ctl as that user.'
        : 'It is stopped, overloaded or of another kind: its log tells.';
      return fail(
        'socket',
        `${path}${isForeign ? ` belongs to user ${socket.uid}` : ''}: ${answer.problem}`,
        remedy,
      );
    }
    default:
      return answer satisfies never;
  }
}

export interface StateFacts {
  readonly folder: PathFacts;
  /** What lies in it, one level deep. */
  readonly entries: readonly PathFacts[];
  readonly uid: number | undefined;
  /** Error code of a look whether it can be written to; undefined if it can. */
  readonly writeProblem: string | undefined;
  readonly freeBytes: number | undefined;
}

export function checkState({ folder, entries, uid, writeProblem, freeBytes }: StateFacts): Check[] {
  const { path } = folder;
  if (folder.kind === 'absent') return [ok('state', `${path} is not there yet; the daemon makes it`)];
  if (folder.kind !== 'folder') {
    const remedy = 'The daemon follows no links here: choose the real place with --state-dir.';
    return [fail('state', `${path} is no folder but a ${folder.kind}`, remedy)];
  }
  const checks: Check[] = [];
  if (uid !== undefined && uid !== 0 && folder.uid !== uid) {
    checks.push(
      fail(
        'state-owner',
        `${path} belongs to user ${folder.uid}, not to you (${uid})`,
        `sudo chown -R ${uid} ${path}`,
      ),
    );
  }
  if ((folder.mode & 0o022) !== 0) {
    checks.push(
      fail(
        'state-mode',
        `${path} can be written to by others (mode ${toOctal(folder.mode)})`,
        `chmod 700 ${path}`,
      ),
    );
  } else if ((folder.mode & 0o077) !== 0) {
    checks.push(
      warn('state-mode', `${path} can be read by others (mode ${toOctal(folder.mode)})`, `chmod 700 ${path}`),
    );
  }
  for (const entry of entries) checks.push(...checkEntry(entry, folder));
  if (writeProblem !== undefined) {
    const what =
      writeProblem === 'EROFS'
        ? 'is on a file system that is read-only'
        : `cannot be written to (${writeProblem})`;
    checks.push(
      fail(
        'state-write',
        `${path} ${what}`,
        'A card that fails turns read-only: see dmesg. The line goes on from memory.',
      ),
    );
  }
  checks.push(...checkSpace(path, freeBytes));
  return checks.some(({ verdict }) => verdict !== 'ok')
    ? checks
    : [ok('state', `${path} is private and writable`), ...checks];
}

function checkEntry(entry: PathFacts, folder: PathFacts): Check[] {
  const { path, kind, uid, mode } = entry;
  if (kind === 'link') return [fail('state-link', `${path} is a link`, 'Nothing of ours is: remove it.')];
  if (uid !== folder.uid) {
    return [fail('state-owner', `${path} belongs to user ${uid}`, `sudo chown ${folder.uid} ${path}`)];
  }
  const isOpen = (mode & 0o077) !== 0 && kind === 'file' && (folder.mode & 0o077) !== 0;
  return isOpen
    ? [warn('state-mode', `${path} can be read by others (mode ${toOctal(mode)})`, `chmod 600 ${path}`)]
    : [];
}

/** `folder`: one that the daemon keeps output in; `writeProblem` as of the state folder. */
export interface JournalFolder {
  readonly folder: PathFacts;
  readonly writeProblem: string | undefined;
}

/** What the running daemon says of its journal. */
export interface StorageFacts {
  readonly state: 'ok' | 'degraded' | 'off';
  readonly detail?: string | undefined;
  readonly bytes: number;
  readonly segments: number;
  readonly gapBytes: number;
}

/** Says which path keeps output from being kept; `storage` is undefined where no daemon runs, or one without a journal. */
export function checkJournal(folders: readonly JournalFolder[], storage: StorageFacts | undefined): Check[] {
  return [...folders.flatMap(checkJournalFolder), ...(storage === undefined ? [] : [checkStorage(storage)])];
}

function checkJournalFolder({ folder: { path, kind }, writeProblem }: JournalFolder): Check[] {
  if (kind === 'absent') return [];
  if (kind !== 'folder') {
    const what = kind === 'hidden' ? `${path} cannot be looked at` : `${path} is no folder but a ${kind}`;
    return [fail('journal-folder', what, `Output is kept in it. Move it away: mv ${path} ${path}.old`)];
  }
  if (writeProblem === undefined) return [];
  const remedy =
    writeProblem === 'EROFS'
      ? 'A card that fails turns read-only: see dmesg. Until then output is kept in memory only.'
      : `chmod 700 ${path}, as its owner. Until then output is kept in memory only.`;
  return [fail('journal-folder', `${path} cannot be written to (${writeProblem})`, remedy)];
}

function checkStorage({ state, detail, bytes, segments, gapBytes }: StorageFacts): Check {
  const lost = gapBytes === 0 ? '' : `; ${gapBytes} bytes so far could not be kept`;
  if (state === 'ok')
    return ok('journal', `${Math.ceil(bytes / (1024 * 1024))} MiB in ${segments} files are kept${lost}`);
  if (state === 'off') {
    const remedy =
      'Its configuration says so (journal), or it could not use its folder when it began: its log tells.';
    return warn('journal', 'this daemon keeps output in memory only', remedy);
  }
  const text = `output is kept in memory only${detail === undefined ? '' : `: ${detail}`}${lost}`;
  return fail('journal', text, 'As soon as the disk takes it again the daemon writes on, without a restart.');
}

function checkSpace(path: string, freeBytes: number | undefined): Check[] {
  if (freeBytes === undefined) return [];
  const free = `${Math.floor(freeBytes / (1024 * 1024))} MiB free for ${path}`;
  const remedy = 'Make room: what does not fit on the disk is kept in memory only for a while.';
  if (freeBytes < EMPTY_BYTES) return [fail('disk', free, remedy)];
  return [freeBytes < LOW_BYTES ? warn('disk', free, remedy) : ok('disk', free)];
}

function toOctal(mode: number): string {
  return mode.toString(8).padStart(3, '0');
}
