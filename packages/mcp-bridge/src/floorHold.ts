/**
 * The floor that this bridge took explicitly. Its token goes with whatever is typed afterwards, so that nothing is typed once
 * somebody else has had the floor: the agent hears of it instead (I8).
 */
import { RPC_ERRORS, RpcError } from '@pidp10/protocol/errors';

export class FloorHold {
  #token: number | undefined;

  get token(): number | undefined {
    return this.#token;
  }

  take(token: number): void {
    this.#token = token;
  }

  /** With a token: only if it is still the one. */
  forget(token = this.#token): void {
    if (token === this.#token) this.#token = undefined;
  }

  /** Types with the token, if there is one. A stale one is forgotten: the next call takes its turn like any other. */
  async use<T>(type: (held: { readonly token?: number }) => Promise<T>): Promise<T> {
    const token = this.#token;
    try {
      return await type(token === undefined ? {} : { token });
    } catch (error) {
      if (token !== undefined && isFloorLost(error)) this.forget(token);
      throw error;
    }
  }
}

function isFloorLost(error: unknown): boolean {
  return error instanceof RpcError && error.code === RPC_ERRORS.floor_lost.code;
}
