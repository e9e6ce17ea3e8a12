/**
 * What was acquired, to be released in reverse order. The standard's AsyncDisposableStack is not in Node 20 and 22:
 * replace this when the oldest supported Node has it.
 */

type Release = () => void | Promise<void>;

export class Disposers implements AsyncDisposable {
  #releases: Release[] = [];

  use<T extends Disposable>(resource: T): T {
    this.defer(() => resource[Symbol.dispose]());
    return resource;
  }

  defer(release: Release): void {
    this.#releases.push(release);
  }

  /** Hands everything over to a new owner; this one then releases nothing. */
  move(): Disposers {
    const owner = new Disposers();
    owner.#releases = this.#releases;
    this.#releases = [];
    return owner;
  }

  /** Idempotent. Every release runs, also when one before it threw; the first error is thrown at the end. */
  async [Symbol.asyncDispose](): Promise<void> {
    const errors: unknown[] = [];
    for (let release = this.#releases.pop(); release !== undefined; release = this.#releases.pop()) {
      try {
        await release();
      } catch (error) {
        errors.push(error);
      }
    }
    if (errors.length > 0) throw errors[0];
  }
}
