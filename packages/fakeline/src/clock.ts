/** The wording of ITS's times and dates (recordings 04a, 07g, 12). A Date is read in the local zone; ITS says EST. */

const DAYS = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'];
const MONTHS = [
  'January',
  'February',
  'March',
  'April',
  'May',
  'June',
  'July',
  'August',
  'September',
  'October',
  'November',
  'December',
];

/** `19:51:25` */
export function toTimeOfDay(now: Date): string {
  return [now.getHours(), now.getMinutes(), now.getSeconds()].map(twoDigits).join(':');
}

/** What :TIME prints, without its last blank line. */
export function toTimeText(now: Date, bootedAt: Date): string {
  const date = `${DAYS[now.getDay()]}, the ${ordinal(now.getDate())} of ${MONTHS[now.getMonth()]}, ${now.getFullYear()}`;
  const uptime = toUptime(Math.max(0, Math.round((now.getTime() - bootedAt.getTime()) / 1000)));
  return `The time is ${toTimeOfDay(now)} EST.\nToday is ${date}.\nKA ITS 1652 has run for ${uptime}.\n`;
}

/** What :DATE prints, without its last blank line. */
export function toDateText(now: Date): string {
  const hours = now.getHours() % 12 === 0 ? 12 : now.getHours() % 12;
  const time = [hours, now.getMinutes(), now.getSeconds()].map(twoDigits).join(':');
  const date = `${DAYS[now.getDay()]}, ${MONTHS[now.getMonth()]} ${now.getDate()}, ${now.getFullYear()}`;
  return `   ${date.toUpperCase()}  ${time} ${now.getHours() < 12 ? 'AM' : 'PM'}\n`;
}

/** `11/30/2026 19:32:57`, as in a directory listing. */
export function toListingDate(at: Date): string {
  return `${at.getMonth() + 1}/${at.getDate()}/${at.getFullYear()} ${toTimeOfDay(at)}`;
}

function toUptime(seconds: number): string {
  const parts: readonly (readonly [number, string])[] = [
    [Math.floor(seconds / 86_400), 'day'],
    [Math.floor(seconds / 3600) % 24, 'hour'],
    [Math.floor(seconds / 60) % 60, 'minute'],
    [seconds % 60, 'second'],
  ];
  const said = parts.filter(([count], i) => count > 0 || i === parts.length - 1);
  return said.map(([count, unit]) => `${count} ${unit}${count === 1 ? '' : 's'}`).join(', ');
}

function ordinal(day: number): string {
  const ending = day >= 11 && day <= 13 ? 'th' : (['th', 'st', 'nd', 'rd'][day % 10] ?? 'th');
  return `${day}${ending}`;
}

function twoDigits(value: number): string {
  return String(value).padStart(2, '0');
}
