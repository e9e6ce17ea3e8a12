/** The faults a line can be given, by name, from the start or while it runs. What each does is in the table. */

export const FAULTS = {
  close: 'FIN to the open connection now, to later ones MS after the greeting [=MS, 0]',
  reset: 'the same with RST [=MS, 0]',
  'never-greet': 'accept, say and take nothing (a halted simulator) until it is cleared',
  'no-greeting': 'serve the line but leave the greeting out',
  refuse: 'busy, all_busy, not_available, no_answer, rejected or any TEXT [=TEXT, busy]',
  'stop-reading': 'take nothing from TCP any more',
  split: 'cut every write at random places [=SEED, 1]',
  coalesce: 'gather output and write it once every MS [=MS, 50]',
  'byte-at-a-time': 'write every byte by itself',
  flood: 'send filler text without end [=BYTES_PER_SECOND or max]',
  silence: 'swallow what the guest prints (the greeting still comes)',
  'stale-greeting': 'TEXT behind each greeting, as the rest of an old command [=TEXT]',
  'accept-delay': 'wait MS more before the greeting or the refusal [=MS, 1000]',
  'no-echo': 'the guest does not echo',
} as const;

export type FaultName = keyof typeof FAULTS;

/** The simulator's own sentences. `busy` was seen, the others are from its source (ITS-LINE.md 0). */
export const REFUSALS: Readonly<Record<string, string>> = {
  busy: 'Line connection busy',
  all_busy: 'All connections busy',
  not_available: 'Line connection not available',
  no_answer: 'No answer on any connection',
  rejected: 'Rejecting connection from unexpected source',
};

export class Faults {
  readonly #values = new Map<FaultName, string>();
  readonly #onChange: (name: FaultName, value: string | undefined) => void;

  constructor(onChange: (name: FaultName, value: string | undefined) => void = () => {}) {
    this.#onChange = onChange;
  }

  /** Sets a fault, or gives it another value; it acts at once. */
  set(name: FaultName, value: string | number = ''): void {
    this.#values.set(name, String(value));
    this.#onChange(name, String(value));
  }

  /** Without a name clears all. */
  clear(name?: FaultName): void {
    const names = name === undefined ? [...this.#values.keys()] : [name];
    for (const each of names) if (this.#values.delete(each)) this.#onChange(each, undefined);
  }

  has(name: FaultName): boolean {
    return this.#values.has(name);
  }

  /** The value as given, `''` without one; undefined when the fault is not set. */
  get(name: FaultName): string | undefined {
    return this.#values.get(name);
  }

  /** The value as a number; the default when the fault was set without one; undefined when it is not set. */
  number(name: FaultName, byDefault: number): number | undefined {
    const value = this.#values.get(name);
    if (value === undefined) return undefined;
    const number = Number(value);
    return value === '' || !Number.isFinite(number) ? byDefault : number;
  }
}

/** `NAME[=VALUE]` into its parts; throws with the list of names when there is no such fault. */
export function parseFault(text: string): { readonly name: FaultName; readonly value: string } {
  const at = text.indexOf('=');
  const name = at < 0 ? text : text.slice(0, at);
  if (!isFaultName(name)) {
    throw new Error(`no fault is called "${name}"; there are ${Object.keys(FAULTS).join(', ')}`);
  }
  return { name, value: at < 0 ? '' : unescapeText(text.slice(at + 1)) };
}

/** `\r \n \t \e \xNN \\` in text from a command line. */
export function unescapeText(text: string): string {
  return text.replace(/\\(?:x([0-9a-fA-F]{2})|([rnte\\]))/g, (_, hex: string | undefined, letter: string) =>
    hex === undefined ? (ESCAPES[letter] ?? letter) : String.fromCharCode(Number.parseInt(hex, 16)),
  );
}

const ESCAPES: Readonly<Record<string, string>> = { r: '\r', n: '\n', t: '\t', e: '\x1b', '\\': '\\' };

function isFaultName(name: string): name is FaultName {
  return Object.hasOwn(FAULTS, name);
}
