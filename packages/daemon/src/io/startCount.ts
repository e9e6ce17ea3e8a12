/**
 * Counts starts that no clean end followed, for launchd: it has no limit and no code for "do not try again", and has been
 * seen to restart a broken program 38,771 times. systemd needs none of this; its unit has a back-off and code 78.
 */
import { readFileSync, rmSync, writeFileSync } from 'node:fs';

/** Starts without a clean end, within the window, after which the daemon gives up. With launchd's pause of 60 s: 10 min. */
export const MAX_STARTS = 10;
/** Age in ms at which a start is forgotten: one crash a week is worth a restart each time. */
export const START_WINDOW_MS = 60 * 60_000;

/** How this process was started; set in the plist. */
export function isUnderLaunchd(env: Readonly<Record<string, string | undefined>>): boolean {
  return env['PIDP10D_SUPERVISOR'] === 'launchd';
}

/**
 * Notes a start at `nowMs` (wall clock, so that it survives a reboot) and says whether to go on. A file that cannot be read
 * or written is no reason to leave the line unserved.
 */
export function noteStart(path: string, nowMs: number): boolean {
  // A clock that was set back leaves times of the future, which would count for ever.
  const recent = readTimes(path).filter((time) => time <= nowMs && nowMs - time < START_WINDOW_MS);
  if (recent.length >= MAX_STARTS) return false;
  try {
    writeFileSync(path, `${[...recent, nowMs].join('\n')}\n`, { mode: 0o600 });
  } catch {
    // not counted, see above
  }
  return true;
}

/** A clean end: the next start is the first again. */
export function forgetStarts(path: string): void {
  try {
    rmSync(path, { force: true });
  } catch {
    // it ages out
  }
}

function readTimes(path: string): number[] {
  try {
    const lines = readFileSync(path, 'utf8').split('\n');
    return lines.filter((line) => /^\d{1,16}$/.test(line)).map(Number);
  } catch {
    return [];
  }
}
