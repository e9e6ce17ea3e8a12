/** The tools for commands: those that users of mcp-runner know, and list_sessions, resize_session, read_screen. */
import type { CommandCalls } from './commandCalls.ts';
import type { CommandControl } from './commandControl.ts';
import { commandInputs as inputs } from './commandInputs.ts';
import { defineTool, type Tool } from './defineTool.ts';
import { inputs as common } from './toolInputs.ts';

export function defineCommandTools(calls: CommandCalls, control: CommandControl): readonly Tool[] {
  return [
    defineTool({
      name: 'start_command',
      title: 'Start a program',
      description: `Starts a program on the daemon's host and keeps it running between calls, for as long as it takes: a build, a server, gdb, picocom, a shell. Returns its session id and its first output.

No shell: command="make", args=["-j4"]. For pipes, * or && use command="bash", args=["-c", "…"]. use_pty=true for programs that a person would use in a terminal (bash, python3 -i, gdb, picocom, vi); without it input and output are pipes. expect="\\\\(gdb\\\\) $" waits for a prompt.

Then send_input types, read_output gives more, stop_command ends it. The exit code stands in the last line of the result that holds the last output.`,
      input: () => inputs().start,
      hints: { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: true },
      run: (args, call) => calls.start(args, call),
    }),
    defineTool({
      name: 'send_input',
      title: 'Type into a program',
      description: `Types input, one Enter behind it, and returns what came of it: until expect matched (without expect: output fell silent), or the program ended. Control characters go as bytes: [3] Ctrl-C, [4] Ctrl-D, [27] ESC, [27,91,65] cursor up. Passwords: elicit=true, never as input.`,
      input: () => inputs().send,
      hints: { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: true },
      run: (args, call) => calls.send(args, call),
    }),
    defineTool({
      name: 'send_signal',
      title: 'Signal a program',
      description: `Sends a signal. SIGINT interrupts, as Ctrl-C does, also a job of a shell; to end a program for good use stop_command.`,
      input: () => inputs().signal,
      hints: { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: false },
      run: (args, call) => control.signal(args, call),
    }),
    defineTool({
      name: 'read_output',
      title: 'Read more of a program',
      description: `Returns output that you have not been given yet (stderr too, unless split_stderr), waiting for some if there is none. The last line says whether the program runs, and its exit code once you have all output. from=OFFSET shows older output again.`,
      input: () => inputs().read,
      // It moves this agent's place in the output.
      hints: { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: true },
      run: (args, call) => calls.read('out', args, call),
    }),
    defineTool({
      name: 'read_stderr',
      title: 'Read errors of a program',
      description: `The same, with the same arguments, for stderr of a program started with split_stderr=true.`,
      input: () => inputs().readErrors,
      hints: { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: true },
      run: (args, call) => calls.read('err', args, call),
    }),
    defineTool({
      name: 'stop_command',
      title: 'Stop a program',
      description: `Ends a program and all that it started: SIGTERM, then SIGKILL after grace_ms. Its output stays readable.`,
      input: () => inputs().stop,
      hints: { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: false },
      run: (args, call) => control.stop(args, call),
    }),
    defineTool({
      name: 'delete_session',
      title: 'Forget a program',
      description: `Removes an exited session and its output for good. Not needed: those that were read go by themselves after a time.`,
      input: () => inputs().session,
      hints: { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: false },
      run: (args, call) => control.delete(args, call),
    }),
    defineTool({
      name: 'get_status',
      title: 'Status of a program',
      description: `Says whether it runs or how it ended, its processes, times, folder, unread output. Nothing counts as read.`,
      input: () => inputs().session,
      hints: { readOnlyHint: true, idempotentHint: true, openWorldHint: false },
      run: (args, call) => control.status(args, call),
    }),
    defineTool({
      name: 'list_sessions',
      title: 'List programs',
      description: `Lists all sessions that run or are kept, also those of others and of earlier conversations, with ids.`,
      input: () => common().nothing,
      hints: { readOnlyHint: true, idempotentHint: true, openWorldHint: false },
      run: (_args, call) => control.list(call),
    }),
    defineTool({
      name: 'resize_session',
      title: 'Resize a terminal',
      description: `Changes the size of a program's terminal (use_pty).`,
      input: () => inputs().resize,
      hints: { readOnlyHint: false, destructiveHint: false, idempotentHint: true, openWorldHint: false },
      run: (args, call) => control.resize(args, call),
    }),
    defineTool({
      name: 'read_screen',
      title: "Show a program's screen",
      description: `Shows the terminal of a program (use_pty) as a person sees it: "row|text" from 0, empty rows left out, ^ under the cursor. For vi, less, top and menus. Nothing counts as read.`,
      input: () => inputs().session,
      hints: { readOnlyHint: true, idempotentHint: true, openWorldHint: true },
      run: (args, call) => control.screen(args, call),
    }),
  ];
}
