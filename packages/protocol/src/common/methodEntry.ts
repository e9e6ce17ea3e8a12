/** A row of the registry of methods; `methods.ts` puts them together. */
import * as z from 'zod';

/**
 * `any`: also before hello and across major versions, frozen for ever; `read`: sees output; `type`: changes what the
 * line does; `own`: changes only what belongs to the caller.
 */
export type Access = 'any' | 'read' | 'type' | 'own';

export interface MethodEntry {
  readonly summary: string;
  readonly params: z.ZodObject;
  readonly result: z.ZodType;
  readonly access: Access;
  /** Protocol version that brought it, `major.minor`. */
  readonly since: string;
}

/** Of a method that takes, or gives, nothing. */
export const nothing = z.object({});
