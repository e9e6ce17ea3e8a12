/**
 * Unit files of the templates in packaging/: what stands between @ signs is filled in, each value quoted the way its file
 * wants it (systemd.syntax(7), systemd.exec(5), XML).
 */

/** systemd from which a unit may say RestartSteps=; before, it would be an unknown key. */
const RESTART_STEPS_SINCE = 254;

export interface UnitFacts {
  /** Absolute paths. */
  readonly node: string;
  readonly program: string;
  /** Name of the daemon; undefined for the template of all names but the default one. */
  readonly name: string | undefined;
  /** Whom the daemon runs as; of a system unit. */
  readonly user?: string | undefined;
  /** Major version; undefined where there is no systemd to ask. */
  readonly systemdVersion?: number | undefined;
}

export function renderSystemdUnit(template: string, facts: UnitFacts): string {
  const { node, program, name, user = '', systemdVersion = 0 } = facts;
  return fill(template, {
    NODE: toExecWord(node),
    PIDP10D: toExecWord(program),
    INSTANCE: name ?? '%i',
    UNIT: name === undefined ? 'pidp10d@NAME' : 'pidp10d',
    USER: user,
    BACKOFF: toBackOff(systemdVersion),
  });
}

/** From a second to five minutes where systemd can do that, else a pause that the smallest Pi can bear for ever. */
function toBackOff(systemdVersion: number): string {
  return systemdVersion >= RESTART_STEPS_SINCE
    ? 'RestartSec=1\nRestartSteps=8\nRestartMaxDelaySec=300'
    : 'RestartSec=30';
}

export interface PlistFacts extends UnitFacts {
  readonly name: string;
  readonly label: string;
  readonly log: string;
  readonly settings: Readonly<Record<string, string>>;
}

export function renderPlist(template: string, facts: PlistFacts): string {
  const { node, program, name, label, log, user, settings } = facts;
  const environment = Object.entries(settings).map(
    ([key, value]) => `    <key>${toXml(key)}</key>\n    <string>${toXml(value)}</string>\n`,
  );
  return fill(template, {
    LABEL: toXml(label),
    NODE: toXml(node),
    PIDP10D: toXml(program),
    INSTANCE: toXml(name),
    LOG: toXml(log),
    ENVIRONMENT: environment.join(''),
    USER: user === undefined ? '' : `  <key>UserName</key>\n  <string>${toXml(user)}</string>\n`,
  });
}

/** An environment file for systemd; undefined without settings. */
export function renderEnvironmentFile(
  name: string,
  settings: Readonly<Record<string, string>>,
): string | undefined {
  const lines = Object.entries(settings).map(([key, value]) => `${key}=${toQuoted(value)}\n`);
  return lines.length === 0
    ? undefined
    : `# Settings of the daemon "${name}"; pidp10d(8) lists them.\n${lines.join('')}`;
}

/** Throws when the template and we do not agree on what is to be filled in: a bug, not a fault of the user's. */
function fill(template: string, values: Readonly<Record<string, string>>): string {
  return template.replaceAll(/@([A-Z0-9]+)@/g, (_whole, key: string) => {
    const value = values[key];
    if (value === undefined) throw new Error(`the template wants @${key}@`);
    return value;
  });
}

/** One word of ExecStart=: `%` begins a specifier, `$` a variable. */
export function toExecWord(path: string): string {
  const escaped = path.replaceAll('%', '%%').replaceAll('$', '$$$$');
  return /^[\w/.@:+,=%$-]+$/.test(escaped) ? escaped : toQuoted(escaped, /["\\]/g);
}

/** The words that systemd makes of ExecStart=, of those that `toExecWord` writes and of plain ones. */
export function parseExecWords(line: string): string[] {
  const words = line.match(/"(?:[^"\\]|\\.)*"|\S+/g) ?? [];
  return words.map((word) => {
    const bare = word.startsWith('"') ? word.slice(1, -1).replaceAll(/\\(.)/g, '$1') : word;
    return bare.replaceAll('$$', '$').replaceAll('%%', '%');
  });
}

function toQuoted(text: string, special = /["\\$`]/g): string {
  return `"${text.replaceAll(special, '\\$&')}"`;
}

function toXml(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}
