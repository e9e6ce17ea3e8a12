/** From a method name and unknown parameters to a handler: looks up, checks, parses, and maps what goes wrong. */
import { rpcError } from '@pidp10/protocol/errors';
import type { RequestHandler } from '@pidp10/protocol/incomingRequests';
import {
  isMethodName,
  METHODS,
  type MethodName,
  type MethodParams,
  type MethodResult,
} from '@pidp10/protocol/methods';
import type * as z from 'zod';
import type { Call, Session } from './session.ts';

export type Handlers = {
  readonly [M in MethodName]: (
    params: MethodParams<M>,
    call: Call,
  ) => MethodResult<M> | Promise<MethodResult<M>>;
};

/** The handler of one connection. */
export function createDispatch(
  handlers: Handlers,
  session: Session,
  isUpgrading: () => boolean = () => false,
): RequestHandler {
  return async (method, params, context) => {
    if (isUpgrading() && method !== 'daemon.status') throw rpcError('upgrading');
    if (!isMethodName(method))
      throw rpcError('method_not_found', `There is no method ${JSON.stringify(method)}.`);
    if (METHODS[method].access !== 'any' && session.client === undefined) throw rpcError('hello_required');
    if (METHODS[method].access === 'type' && session.access === 'read') throw rpcError('read_only');
    return invoke(handlers, method, params, { ...context, session });
  };
}

/** One method of the registry with its own types; `M` ties schema and handler together. */
function invoke<M extends MethodName>(handlers: Handlers, method: M, params: unknown, call: Call): unknown {
  const parsed = SCHEMAS[method].params.safeParse(params);
  if (!parsed.success) throw rpcError('invalid_params', `${method}: ${describe(parsed.error)}.`);
  return handlers[method](parsed.data, call);
}

/** The registry as the compiler can follow it through a generic index. */
const SCHEMAS: { readonly [M in MethodName]: { readonly params: z.ZodType<MethodParams<M>> } } = METHODS;

function describe(error: z.ZodError): string {
  return error.issues.map((issue) => `${issue.path.join('.') || 'params'}: ${issue.message}`).join('; ');
}
