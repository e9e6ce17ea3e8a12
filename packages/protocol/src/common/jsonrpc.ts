/**
 * JSON-RPC 2.0 messages (https://www.jsonrpc.org/specification): what a parsed JSON value is, and the texts we write.
 * Stricter than the specification: no batches, and an id is a string or a safe integer (a float or 2^53+1 would come back
 * changed). Reads single fields and never walks a value, so that neither depth nor `__proto__` keys matter.
 */

/** 0 and '' are ids like any other. */
export type RequestId = string | number;

export interface ErrorObject {
  readonly code: number;
  readonly message: string;
  readonly data?: unknown;
}

export type Message =
  | { readonly kind: 'request'; readonly id: RequestId; readonly method: string; readonly params: unknown }
  | { readonly kind: 'notification'; readonly method: string; readonly params: unknown }
  | { readonly kind: 'result'; readonly id: RequestId; readonly result: unknown }
  /** Without an id: the peer could not tell which request it was about. */
  | { readonly kind: 'failure'; readonly id: RequestId | undefined; readonly error: ErrorObject }
  /** `id` is there if it could be read, so that the error can name it. */
  | { readonly kind: 'invalid'; readonly id: RequestId | undefined; readonly problem: string };

export function isRequestId(value: unknown): value is RequestId {
  return typeof value === 'string' || Number.isSafeInteger(value);
}

/** Absent `params` are `{}`, so that a method without parameters can be called without any. */
export function classifyMessage(value: unknown): Message {
  if (Array.isArray(value)) return invalid('Batches are not supported: send one request a frame.');
  if (!isRecord(value)) return invalid('The JSON is not an object.');
  const id = isRequestId(value['id']) ? value['id'] : undefined;
  if (value['jsonrpc'] !== '2.0') return invalid('"jsonrpc" is not "2.0".', id);
  const hasId = Object.hasOwn(value, 'id');
  if (Object.hasOwn(value, 'method')) return classifyCall(value, hasId, id);
  const hasResult = Object.hasOwn(value, 'result');
  const hasError = Object.hasOwn(value, 'error');
  if (!hasResult && !hasError) return invalid('There is no "method".', id);
  if (hasResult && hasError) return invalid('An answer has a result or an error, not both.', id);
  if (hasResult) {
    return id === undefined
      ? invalid('The id of an answer must be that of a request.')
      : { kind: 'result', id, result: value['result'] };
  }
  const error = value['error'];
  if (!isErrorObject(error)) return invalid('"error" must be {"code": integer, "message": string}.', id);
  return { kind: 'failure', id, error };
}

function classifyCall(value: Record<string, unknown>, hasId: boolean, id: RequestId | undefined): Message {
  const method = value['method'];
  const params = value['params'] ?? {};
  if (hasId && id === undefined) {
    return invalid('The id must be a string or an integer of at most 2^53-1; null is none.');
  }
  if (typeof method !== 'string') return invalid('"method" must be a string.', id);
  if (typeof params !== 'object') return invalid('"params" must be an object.', id);
  return id === undefined
    ? { kind: 'notification', method, params }
    : { kind: 'request', id, method, params };
}

function invalid(problem: string, id?: RequestId): Message {
  return { kind: 'invalid', id, problem };
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isErrorObject(value: unknown): value is ErrorObject {
  return isRecord(value) && Number.isSafeInteger(value['code']) && typeof value['message'] === 'string';
}

export function toRequestText(id: RequestId, method: string, params: unknown): string {
  return JSON.stringify({ jsonrpc: '2.0', id, method, params });
}

export function toNotificationText(method: string, params: unknown): string {
  return JSON.stringify({ jsonrpc: '2.0', method, params });
}

/** A handler that returns nothing answers `{}`: without a `result` it would be no answer. */
export function toResultText(id: RequestId, result: unknown): string {
  return JSON.stringify({ jsonrpc: '2.0', id, result: result ?? {} });
}

/** Never throws: data that is not JSON is left out rather than the answer. */
export function toFailureText(id: RequestId | undefined, error: ErrorObject): string {
  const { code, message, data } = error;
  try {
    return JSON.stringify({ jsonrpc: '2.0', id: id ?? null, error: { code, message, data } });
  } catch {
    return JSON.stringify({ jsonrpc: '2.0', id: id ?? null, error: { code, message } });
  }
}
