/** Times as people write them: a day, a time of day, or how long ago; in the time zone of the shell. */
import { UsageError } from './command.ts';

const UNIT_MS: Readonly<Record<string, number>> = {
  s: 1_000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
};
const AGO = /^(\d{1,9})([smhd])$/;
const MOMENT = /^\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d(?:\.\d{1,3})?)?(?:Z|[+-]\d\d:\d\d)?)?$/;

/** ISO 8601 in UTC, as the wire has it; undefined for undefined. Throws a usage error that names `option`. */
export function toTime(text: string | undefined, option: string, nowMs = Date.now()): string | undefined {
  if (text === undefined) return undefined;
  const [, number = '', unit = ''] = AGO.exec(text) ?? [];
  const agoMs = Number(number) * (UNIT_MS[unit] ?? 0);
  const isMoment = MOMENT.test(text);
  // A day alone would be one of UTC.
  const moment = isMoment && text.length === 10 ? `${text}T00:00` : text.replace(' ', 'T');
  const atMs = unit === '' ? (isMoment ? Date.parse(moment) : Number.NaN) : Math.max(nowMs - agoMs, 0);
  if (!Number.isNaN(atMs)) return new Date(atMs).toISOString();
  throw new UsageError(
    `${option} takes a time such as 2031-01-01, 2031-01-01T09:30 or 90m (ago; s, m, h, d), found "${text}"`,
  );
}
