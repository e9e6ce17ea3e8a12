/** Refusals about command sessions as a model reads them: the daemon's own sentence, then what to do with the tools that it has. */
import { RPC_ERRORS, type RpcErrorName, rpcErrorName } from '@pidp10/protocol/errors';

export const COMMAND_TOOLS = [
  'start_command',
  'send_input',
  'send_signal',
  'read_output',
  'read_stderr',
  'stop_command',
  'delete_session',
  'get_status',
  'list_sessions',
  'resize_session',
  'read_screen',
] as const;
export type CommandToolName = (typeof COMMAND_TOOLS)[number];

/** What to do next, where the table's remedy names methods of the daemon, which a model does not have. */
const NEXT: { readonly [N in RpcErrorName]?: string } = {
  method_not_found:
    'Tell the person: pidp10ctl upgrade hands the line to the installed version, which can. Until then use the tools of the line.',
  start_failed:
    'command is one program; its arguments stand in args, and pipes, * or && need command="sh", args=["-c", "…"].',
  session_unknown: 'list_sessions shows those that are kept.',
  session_exited: 'read_output still gives its output; start_command runs the program again.',
  session_running: 'Call stop_command first, or let it run.',
  session_name_taken: 'Choose another name, or call delete_session on that one.',
  too_many_sessions: 'list_sessions shows them: stop_command and delete_session those that nobody needs.',
  commands_off:
    'Do not look for a way around it; tell the person, who can change `commands` in the configuration of the daemon.',
  command_refused:
    'Do not look for a way around it; tell the person, who can allow it in the configuration of the daemon.',
  pty_unavailable: 'Tell the person. With use_pty=false everything works that needs no terminal.',
  not_a_terminal: 'Only start_command(use_pty=true) gives a program a terminal.',
  terminal_line_too_long: 'Send shorter lines, or start the program with use_pty=false.',
  input_closed: 'read_output shows what it said; start_command runs the program again.',
  floor_held: 'Nothing was sent. Repeat the call to wait for your turn on.',
};

/** Undefined where the table's own remedy speaks to everybody. */
export function toCommandError(code: number, message: string): string | undefined {
  const name = rpcErrorName(code);
  if (name === undefined) return undefined;
  const next = NEXT[name];
  return next === undefined
    ? undefined
    : `${name}: ${message.replace(RPC_ERRORS[name].remedy, '').trim()} ${next}`;
}

export function isCommandTool(tool: string): tool is CommandToolName {
  return COMMAND_TOOLS.some((each) => each === tool);
}

/** After a call that was cut off: what may have happened, and how to find out. */
export function toCommandLossNotice(tool: CommandToolName): string {
  switch (tool) {
    case 'start_command':
      return 'The program may or may not have been started: call list_sessions before starting it again.';
    case 'send_input':
      return 'The input may or may not have reached the program: call get_status, then read_output, before sending it again.';
    case 'send_signal':
    case 'stop_command':
    case 'delete_session':
    case 'resize_session':
      return 'It may or may not have been done: call list_sessions.';
    case 'read_output':
    case 'read_stderr':
    case 'get_status':
    case 'list_sessions':
    case 'read_screen':
      return 'Nothing was changed and no output is lost: call it again.';
    default:
      return tool satisfies never;
  }
}
