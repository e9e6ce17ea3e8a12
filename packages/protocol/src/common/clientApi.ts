/** What users of a daemon see of a client, whatever carries it: one typed request for every method of the registry. */
import type * as z from 'zod';
import type { MethodInput, MethodName, MethodResult, NOTIFICATIONS } from './methods.ts';

export type Progress = z.output<(typeof NOTIFICATIONS)['$/progress']['params']>;

export interface RequestOptions {
  /** Aborting cancels the request; it then settles by its answer, usually a result with reason `cancelled`. */
  readonly signal?: AbortSignal | undefined;
  /** Only called if the input asked for it with `progressEveryMs`. */
  readonly onProgress?: ((progress: Progress) => void) | undefined;
  /** How long the request itself may wait, in ms. Default: its `timeoutMs` or `returnAfterMs`. */
  readonly waitMs?: number | undefined;
}

export interface ClientApi {
  request<M extends MethodName>(
    method: M,
    input: MethodInput<M>,
    options?: RequestOptions,
  ): Promise<MethodResult<M>>;
}
