/** Addresses of a host name, of both families, without waiting for the slower one. */
import { type LookupAddress, lookup as systemLookup } from 'node:dns';
import { isIP } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';

/** IPv4 is waited for so long when IPv6 was found first, in ms: simulators listen there (as RFC 8305, 3, the other way). */
const RESOLUTION_DELAY_MS = 50;

export type Lookup = (host: string, family: 4 | 6) => Promise<readonly string[]>;

/** An address, or a family of them, and why it was of no use. */
export interface Refusal {
  readonly address: string;
  readonly code: string;
}

/**
 * Addresses as they become known: both families are asked at once, and the second one is waited for only when the first
 * one's addresses have failed. A resolver that swallows AAAA queries (`.local` names) so costs nothing.
 */
export async function* addressesOf(
  host: string,
  lookup: Lookup,
  refusals: Refusal[],
): AsyncGenerator<{ address: string; hasNext: Promise<boolean> }> {
  if (isIP(host) !== 0) {
    yield { address: host, hasNext: Promise.resolve(false) };
    return;
  }
  const ask = (family: 4 | 6) =>
    lookup(host, family).catch((error: NodeJS.ErrnoException) => {
      refusals.push({ address: `IPv${family}`, code: error.code ?? error.message });
      return [];
    });
  const four = ask(4);
  const six = ask(6);
  const sixAlone = six.then((found) => (found.length > 0 ? delay(RESOLUTION_DELAY_MS, 6 as const) : never()));
  const first = await Promise.race([
    four.then((found) => (found.length > 0 ? (4 as const) : six.then(() => 6 as const))),
    sixAlone,
  ]);
  const [family, other] = first === 4 ? [four, six] : [six, four];
  yield* eachOf(
    await family,
    other.then((found) => found.length > 0),
  );
  yield* eachOf(await other, Promise.resolve(false));
}

function* eachOf(
  addresses: readonly string[],
  areThereMore: Promise<boolean>,
): Generator<{ address: string; hasNext: Promise<boolean> }> {
  for (const [index, address] of addresses.entries()) {
    yield { address, hasNext: index + 1 < addresses.length ? Promise.resolve(true) : areThereMore };
  }
}

function never(): Promise<never> {
  return new Promise(() => undefined);
}

/** What the system says. */
export function lookUp(host: string, family: 4 | 6): Promise<readonly string[]> {
  return new Promise((resolve, reject) => {
    systemLookup(host, { family, all: true }, (error, addresses: LookupAddress[]) => {
      if (error === null) resolve(addresses.map(({ address }) => address));
      else reject(error);
    });
  });
}
