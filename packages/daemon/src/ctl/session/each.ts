/** One call for each of several sessions, at the same time: what fails for one does not keep the others from it. */
import type { Answer } from '../command.ts';
import { EXIT } from '../exitCodes.ts';

export interface Done {
  readonly wire: object;
  readonly output: string;
  readonly notes?: readonly string[];
  /** Default: success. */
  readonly exitCode?: number;
}

/** The answers in the order of the ids. Of a single one the error is thrown as it is, and its result is the whole answer. */
export async function forEachSession(
  ids: readonly string[],
  call: (session: string) => Promise<Done>,
): Promise<Answer> {
  const [only] = ids;
  if (ids.length === 1 && only !== undefined) {
    return { notes: [], exitCode: EXIT.ok, ...(await call(only)) };
  }
  const settled = await Promise.allSettled(ids.map(call));
  const done = settled.map((result, index) =>
    result.status === 'fulfilled' ? result.value : toFailure(ids[index] ?? '', result.reason),
  );
  return {
    wire: { sessions: done.map(({ wire }) => wire) },
    output: done.map(({ output }) => output).join(''),
    notes: done.flatMap(({ notes = [] }) => notes),
    exitCode: Math.max(...done.map(({ exitCode = EXIT.ok }) => exitCode)),
  };
}

function toFailure(session: string, reason: unknown): Done {
  const message = reason instanceof Error ? reason.message : String(reason);
  const wire = { session, error: { message } };
  return { wire, output: '', notes: [`${session}: ${message}`], exitCode: EXIT.error };
}
