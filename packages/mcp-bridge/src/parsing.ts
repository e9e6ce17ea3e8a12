/**
 * zod compiles each schema to code at its first use. A bridge lives for a few dozen calls and starts while somebody waits:
 * plain interpretation is some 5 ms faster here. To be called before the SDK loads, which builds its schemas then.
 */
import * as z from 'zod';

export function interpretSchemas(): void {
  z.config({ jitless: true });
}
