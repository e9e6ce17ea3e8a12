import { RPC_ERRORS, type RpcErrorName, rpcError } from '@pidp10/protocol/errors';
import { expect, test } from 'vitest';
import { toShellMessage } from '../../src/ctl/remedies.ts';

/** Errors of calls that no shell command makes. */
const NEVER: ReadonlySet<string> = new Set(['watch_unknown', 'too_many_watches', 'protocol_mismatch']);

test.each(Object.keys(RPC_ERRORS).filter((name) => !NEVER.has(name)) as RpcErrorName[])(
  '%s names no method of the daemon to who sits at a shell',
  (name) => {
    const said = toShellMessage(rpcError(name, 'What happened.'));
    expect(said).toMatch(/^What happened\. \S/);
    expect(said).not.toMatch(/\b(?:session|line|floor|daemon|reader|secret)\.[a-z]/);
  },
);
