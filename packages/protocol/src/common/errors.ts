/**
 * Every error of the system, in one table (docs/errors.md is made from it); its rows stand in a file for each area.
 * `RpcError` crosses the wire and carries a number; `LocalError` is found by a client on its own side and never does.
 * Application codes are positive, so that they can never be taken for JSON-RPC's own range (-32768 to -32000).
 */
import { DAEMON_ERRORS } from './daemonErrors.ts';
import type { ErrorEntry } from './errorEntry.ts';
import { LINE_ERRORS } from './lineErrors.ts';
import { LOCAL_ERRORS } from './localErrors.ts';
import { SESSION_ERRORS } from './sessionErrors.ts';

export type { ErrorEntry } from './errorEntry.ts';
export { LOCAL_ERRORS } from './localErrors.ts';

export const RPC_ERRORS = {
  ...DAEMON_ERRORS,
  ...LINE_ERRORS,
  ...SESSION_ERRORS,
} as const satisfies Record<string, ErrorEntry>;

export type RpcErrorName = keyof typeof RPC_ERRORS;

export type LocalErrorName = keyof typeof LOCAL_ERRORS;

/** An error that crosses the wire: `{code, message, data: {name, …}}`. */
export class RpcError extends Error {
  override readonly name = 'RpcError';
  readonly code: number;
  readonly data: Readonly<Record<string, unknown>>;

  constructor(code: number, message: string, data: Readonly<Record<string, unknown>> = {}, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.code = code;
    this.data = data;
  }
}

/**
 * An error of the table. `detail` says what was attempted, on what, what was found; the table's remedy is appended,
 * so that whoever sees only the message knows what to do.
 */
export function rpcError(name: RpcErrorName, detail?: string, data: Record<string, unknown> = {}): RpcError {
  const { code, meaning, remedy } = RPC_ERRORS[name];
  return new RpcError(code, `${detail ?? meaning} ${remedy}`, { name, ...data });
}

/** The table's name of a code, or undefined for a code of a newer daemon. */
export function rpcErrorName(code: number): RpcErrorName | undefined {
  for (const [name, entry] of Object.entries(RPC_ERRORS)) {
    if (entry.code === code) return name as RpcErrorName;
  }
  return undefined;
}

/** An error on the client's own side; never sent. */
export class LocalError extends Error {
  override readonly name = 'LocalError';
  readonly code: LocalErrorName;

  constructor(code: LocalErrorName, detail?: string, cause?: unknown) {
    const { meaning, remedy } = LOCAL_ERRORS[code];
    super(`${detail ?? meaning} ${remedy}`, cause === undefined ? undefined : { cause });
    this.code = code;
  }
}
