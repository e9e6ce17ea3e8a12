/** Handlers of secrets: who asks, who waits, and the way of the value from a person's terminal. */
import type { Handlers } from './dispatch.ts';
import { assertPattern } from './expectation.ts';
import type { LineService } from './lineService.ts';
import type { Secrets } from './secrets.ts';
import { lineTarget, sessionTarget } from './secretTargets.ts';
import type { SessionService } from './sessionService.ts';

type SecretMethod = Extract<keyof Handlers, `secret.${string}`>;

/** `find` throws `session_unknown`. */
export function createSecretHandlers(
  secrets: Secrets,
  line: LineService,
  options: { readonly bits: 7 | 8; readonly find: (session: string) => SessionService },
): Pick<Handlers, SecretMethod> {
  return {
    'secret.request': (params, call) => {
      assertPattern(params.expect);
      const target =
        params.session === undefined
          ? lineTarget(line, options.bits)
          : sessionTarget(options.find(params.session));
      return secrets.request(target, params, call);
    },
    'secret.wait': (params, call) => secrets.wait(params, call),
    'secret.give': (params) => secrets.give(params),
    'secret.cancel': (params, call) => secrets.cancel(params, call),
    'secret.list': () => secrets.list(),
  };
}
