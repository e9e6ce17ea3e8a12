/** One finding of doctor: what was looked at, how it stands, what to do. Checks are pure; they are given what was found. */

export type Verdict = 'ok' | 'warn' | 'fail';

export interface Check {
  /** Stable, for programs: `socket`, `unit` … */
  readonly id: string;
  readonly verdict: Verdict;
  readonly text: string;
  readonly remedy?: string | undefined;
}

export function ok(id: string, text: string): Check {
  return { id, verdict: 'ok', text };
}

export function warn(id: string, text: string, remedy?: string): Check {
  return { id, verdict: 'warn', text, remedy };
}

export function fail(id: string, text: string, remedy?: string): Check {
  return { id, verdict: 'fail', text, remedy };
}

/** A line each, the remedy below it. */
export function renderChecks(checks: readonly Check[]): string {
  return checks
    .map(({ verdict, text, remedy }) => {
      const hint = remedy === undefined ? '' : `      ${remedy}\n`;
      return `${verdict.padEnd(6)}${text}\n${hint}`;
    })
    .join('');
}
