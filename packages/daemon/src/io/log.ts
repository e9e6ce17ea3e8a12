/** The daemon's own log: JSON lines on stderr, where systemd and launchd expect it. */
import pino from 'pino';

export type Log = pino.Logger;
export const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

/** Characters kept while the log cannot be written (a full disk); what comes on top of them is lost. */
const MAX_UNWRITTEN_CHARS = 65_536;

/**
 * Synchronous: what was logged before a crash is there, and a transport would need a worker thread. A log that cannot be
 * written is no reason to drop the line.
 */
export function createLog(level: LogLevel, name: string): Log {
  const destination = pino.destination({ dest: 2, sync: true, maxLength: MAX_UNWRITTEN_CHARS });
  destination.on('error', () => undefined);
  return pino({ level, base: { pid: process.pid, name } }, destination);
}
