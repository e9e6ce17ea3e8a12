/** What to do next, in the words of a shell, where the table's remedy names methods of the daemon. */
import { RPC_ERRORS, type RpcError, type RpcErrorName, rpcErrorName } from '@pidp10/protocol/errors';

const NEXT: { readonly [N in RpcErrorName]?: string } = {
  line_not_open: 'pidp10ctl open opens it.',
  confirmation_required:
    'Ask the person whose machine it is; if the answer is yes: pidp10ctl send --confirm.',
  reader_unknown: 'pidp10ctl readers names them all.',
  floor_held:
    'Wait and repeat, ask for it (pidp10ctl floor take --wait-ms 30000 --message TEXT), or take it with --force.',
  floor_not_yours: 'pidp10ctl floor says who has it.',
  session_unknown: 'pidp10ctl ps names those that are kept.',
  session_running: 'pidp10ctl stop ends it; pidp10ctl rm --stop does both.',
  session_name_taken: 'Choose another name, or remove that one: pidp10ctl rm.',
  too_many_sessions: 'pidp10ctl ps shows them; stop and rm those that are no longer needed.',
  not_a_terminal: 'Start it with pidp10ctl run --pty.',
  input_closed: 'pidp10ctl logs shows what it said.',
  secret_unknown: 'pidp10ctl secret shows what is asked for.',
};

/** The daemon's sentence, with a remedy that the shell has. */
export function toShellMessage({ code, message }: RpcError): string {
  const name = rpcErrorName(code);
  const next = name === undefined ? undefined : NEXT[name];
  return name === undefined || next === undefined ? message : message.replace(RPC_ERRORS[name].remedy, next);
}
