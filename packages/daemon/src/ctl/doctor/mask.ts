/** Takes secrets out of what leaves the machine. */

const MASKED = '***';
/** Names of settings whose value is nobody's business. */
const SECRET_NAME = /token|secret|pass(?:word|phrase|wd)?|credential|auth|cookie|api[-_]?key|private/i;

/** A secret's name, then its value up to the closing quote, or to the end of the word. */
const NAMED =
  /((?:token|secret|passw\w*|api[-_]?key)["']?\s*[=:]\s*)("(?:[^"\\]|\\.)*"?|'[^']*'?|[^\s"',;&]+)/gi;

/** The same value, with strings and numbers below such a name replaced, and secrets inside of other strings. */
export function maskConfig(value: unknown): unknown {
  if (typeof value === 'string') return maskText(value);
  if (Array.isArray(value)) return value.map(maskConfig);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [
      name,
      SECRET_NAME.test(name) ? maskAll(inner) : maskConfig(inner),
    ]),
  );
}

/** `token=…`, `"password": "…"`, `Bearer …`, `user:…@host`, and runs of 32 and more letters and digits with both in them. */
export function maskText(text: string): string {
  return text
    .replaceAll(NAMED, (_whole, name: string, value: string) => {
      const quote = /^["']/.exec(value)?.[0] ?? '';
      return `${name}${quote}${MASKED}${quote}`;
    })
    .replaceAll(/\b(Bearer|Basic)\s+[\w.~+/=-]+/gi, `$1 ${MASKED}`)
    .replaceAll(/(\w+:\/\/[^\s:/@]*:)[^\s@/]+@/g, `$1${MASKED}@`)
    .replaceAll(/\b(?=[\w-]*\d)(?=[\w-]*[a-z])[\w-]{32,}\b/gi, MASKED);
}

function maskAll(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(maskAll);
  if (typeof value === 'object' && value !== null) {
    return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, maskAll(inner)]));
  }
  return typeof value === 'string' || typeof value === 'number' ? MASKED : value;
}
