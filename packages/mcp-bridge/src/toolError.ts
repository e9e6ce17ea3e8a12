/** Failures as a model reads them: what happened, and what to do next with the tools that it has. */
import { LocalError, RpcError, rpcErrorName } from '@pidp10/protocol/errors';
import { toWordBlock, toWordLines } from './clientWords.ts';
import { type CommandToolName, isCommandTool, toCommandError, toCommandLossNotice } from './commandErrors.ts';
import type { ErrorFacts } from './errorFacts.ts';
import { toFloorError } from './floorErrors.ts';
import { type ToolResult, toErrorResult } from './toolResult.ts';
import { toVisibleLine } from './visibleText.ts';

/** Room for the far end's own words in a message. */
const MAX_MESSAGE_CHARS = 2_000;
/** Fields of an error's data that `ErrorFacts` are made from. */
const FACT_NAMES = ['floor', 'holder', 'news', 'messages'];

export type ToolName =
  | 'open'
  | 'send'
  | 'send_secret'
  | 'read'
  | 'peek'
  | 'screen'
  | 'put_file'
  | 'get_file'
  | 'status'
  | 'floor'
  | 'say'
  | 'mark'
  | 'history'
  | 'search'
  | 'close'
  | CommandToolName;

export interface FailureContext {
  readonly tool: ToolName;
  /** A daemon may be started from here. */
  readonly maySpawn: boolean;
  /** What the error carries besides its message. */
  readonly facts?: ErrorFacts | undefined;
}

/** Undefined where there is nothing to read. */
export async function readFacts(error: unknown): Promise<ErrorFacts | undefined> {
  if (!(error instanceof RpcError)) return undefined;
  const { data } = error;
  if (!FACT_NAMES.some((name) => Object.hasOwn(data, name))) return undefined;
  const { parseErrorFacts } = await import('./errorFacts.ts');
  return parseErrorFacts(data);
}

/** Rethrows what is a fault of ours. */
export function toFailure(error: unknown, context: FailureContext): ToolResult {
  if (error instanceof RpcError) {
    const { facts } = context;
    const { code, message } = error;
    const own = isCommandTool(context.tool)
      ? toCommandError(code, message)
      : toFloorError({ code, message, floor: facts?.floor }, context.tool);
    const name = rpcErrorName(code) ?? `error ${code}`;
    return say(own ?? `${name}: ${message}`, toWordBlock(toWordLines(facts ?? {})));
  }
  if (error instanceof LocalError) {
    const next = toNextStep(error, context);
    return say(`${error.code}: ${error.message}${next === undefined ? '' : ` ${next}`}`);
  }
  throw error;
}

/** What others said stands above: the last line is ours. */
function say(text: string, words = ''): ToolResult {
  return toErrorResult(toVisibleLine(text, MAX_MESSAGE_CHARS), words);
}

function toNextStep({ code }: LocalError, { tool, maySpawn }: FailureContext): string | undefined {
  switch (code) {
    case 'daemon_not_running':
      if (!maySpawn || tool === 'open' || tool === 'send' || tool === 'start_command') return undefined;
      return isCommandTool(tool)
        ? 'Without a daemon no command runs: start_command starts one.'
        : 'Without a daemon there is no line: call open, which starts one.';
    case 'connection_lost':
      return toLossNotice(tool);
    case 'daemon_not_answering':
      if (tool === 'send_input') return 'The input may still reach the program when the daemon goes on.';
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
  if (isCommandTool(tool)) return toCommandLossNotice(tool);
  switch (tool) {
    case 'send':
      return 'The input may or may not have reached the line: call status, then read, before sending it again.';
    case 'send_secret':
      return 'The secret may or may not have reached the line: call status, then read, before it is asked for again.';
    case 'put_file':
      return 'The file may or may not be there, and CREATE may still have the line: call status, leave CREATE with "~c~-" if it has, then put the file again.';
    case 'get_file':
      return 'No file was changed; the terminal type may still be la36 (":tctyp vt52" sets it back): call it again.';
    case 'open':
      return 'The line may or may not be open: call open again, it joins what there is.';
    case 'close':
      return 'The line may or may not be closed: call status.';
    case 'floor':
      return 'The floor may or may not be yours: call status.';
    case 'say':
    case 'mark':
      return 'It may or may not be there: call status, then history, before it is done again.';
    case 'read':
    case 'peek':
    case 'screen':
    case 'status':
    case 'history':
    case 'search':
      return 'Nothing was changed and no output is lost: call it again.';
    default:
      return tool satisfies never;
  }
}
