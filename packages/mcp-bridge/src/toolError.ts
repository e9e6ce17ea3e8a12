/** Failures as a model reads them: what happened, and what to do next with the tools that it has. */
import { LocalError, RpcError, rpcErrorName } from '@pidp10/protocol/errors';
import { type ToolResult, toErrorResult } from './toolResult.ts';
import { toVisibleLine } from './visibleText.ts';

/** Room for the far end's own words in a message. */
const MAX_MESSAGE_CHARS = 2_000;

export type ToolName =
  | 'open'
  | 'send'
  | 'read'
  | 'peek'
  | 'screen'
  | 'put_file'
  | 'get_file'
  | 'status'
  | 'close';

export interface FailureContext {
  readonly tool: ToolName;
  /** A daemon may be started from here. */
  readonly maySpawn: boolean;
}

/** Rethrows what is a fault of ours. */
export function toFailure(error: unknown, context: FailureContext): ToolResult {
  if (error instanceof RpcError) {
    const name = rpcErrorName(error.code) ?? `error ${error.code}`;
    return say(`${name}: ${error.message}`);
  }
  if (error instanceof LocalError) {
    const next = toNextStep(error, context);
    return say(`${error.code}: ${error.message}${next === undefined ? '' : ` ${next}`}`);
  }
  throw error;
}

function say(text: string): ToolResult {
  return toErrorResult(toVisibleLine(text, MAX_MESSAGE_CHARS));
}

function toNextStep({ code }: LocalError, { tool, maySpawn }: FailureContext): string | undefined {
  switch (code) {
    case 'daemon_not_running':
      return !maySpawn || tool === 'open' || tool === 'send'
        ? undefined
        : 'Without a daemon there is no line: call open, which starts one.';
    case 'connection_lost':
      return toLossNotice(tool);
    case 'daemon_not_answering':
      return tool === 'send' || tool === 'put_file'
        ? 'The input may still reach the line when the daemon goes on: call status first.'
        : undefined;
    case 'socket_not_usable':
    case 'name_invalid':
    case 'socket_path_too_long':
    case 'spawn_failed':
    case 'unexpected_result':
    case 'cancelled':
      return undefined;
    default:
      return code satisfies never;
  }
}

function toLossNotice(tool: ToolName): string {
  switch (tool) {
    case 'send':
      return 'The input may or may not have reached the line: call status, then read, before sending it again.';
    case 'put_file':
      return 'The file may or may not be there, and CREATE may still have the line: call status, leave CREATE with "~c~-" if it has, then put the file again.';
    case 'get_file':
      return 'No file was changed; the terminal type may still be la36 (":tctyp vt52" sets it back): call it again.';
    case 'open':
      return 'The line may or may not be open: call open again, it joins what there is.';
    case 'close':
      return 'The line may or may not be closed: call status.';
    case 'read':
    case 'peek':
    case 'screen':
    case 'status':
      return 'Nothing was changed and no output is lost: call it again.';
    default:
      return tool satisfies never;
  }
}
