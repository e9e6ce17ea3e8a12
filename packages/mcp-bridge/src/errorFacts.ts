/** What the daemon's errors carry about the floor and from other clients. Loaded with the first such error: it needs the schemas. */
import { floorSchema, holderSchema, messageSchema } from '@pidp10/protocol/schemas';
import * as z from 'zod';
import type { ClientWords } from './clientWords.ts';
import type { Floor } from './floorText.ts';

export interface ErrorFacts extends ClientWords {
  readonly floor?: Floor | undefined;
}

/** Each by itself: what a newer daemon shapes differently is left out, the rest is not. */
const errorData = z.object({
  floor: floorSchema.optional().catch(undefined),
  holder: holderSchema.optional().catch(undefined),
  news: z.array(z.string()).optional().catch(undefined),
  messages: z.array(messageSchema).optional().catch(undefined),
});

export function parseErrorFacts(data: Readonly<Record<string, unknown>>): ErrorFacts {
  const { floor, holder, news, messages } = errorData.parse(data);
  const known = floor ?? (holder === undefined ? undefined : { state: 'held' as const, holder, waiting: 0 });
  return { ...(known && { floor: known }), ...(news && { news }), ...(messages && { messages }) };
}
