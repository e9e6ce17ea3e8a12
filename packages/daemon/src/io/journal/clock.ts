/** The two clocks of every record and the boot that the monotonic one belongs to. */
import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import type { Moment } from '../../core/journal/timeNotes.ts';

export interface Clock {
  /** Milliseconds since 1970; may jump either way. */
  wallMs(): number;
  /** Milliseconds since some moment of this boot; never falls. */
  monoMs(): number;
}

const BOOT_ID = '/proc/sys/kernel/random/boot_id';
/** Enough to tell the boots of one machine apart. */
const BOOT_CHARS = 8;

export const systemClock: Clock = {
  wallMs: () => Date.now(),
  monoMs: () => Number(process.hrtime.bigint() / 1_000_000n),
};

export function momentOf(clock: Clock): Moment {
  return { wallMs: clock.wallMs(), monoMs: clock.monoMs() };
}

/** Linux's own name of this boot; where there is none, one of this process, so that its times are compared with no other's. */
export async function readBootId(): Promise<string> {
  const id = await readFile(BOOT_ID, 'utf8').catch(() => randomUUID());
  return id.trim().slice(0, BOOT_CHARS);
}
