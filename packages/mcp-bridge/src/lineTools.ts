/** The tools of the line: those that users of pidp10-mcp (the Python one) know, and screen, put_file, get_file. */
import { defineTool, type Tool } from './defineTool.ts';
import type { FileCalls } from './fileCalls.ts';
import type { LineCalls } from './lineCalls.ts';
import { inputs } from './toolInputs.ts';

export function defineLineTools(calls: LineCalls, files: FileCalls): readonly Tool[] {
  return [
    defineTool({
      name: 'open',
      title: 'Open the ITS line',
      description: `Connects to the PiDP-10's terminal line, and starts the daemon that holds it if need be. Call it first. If the line is open already (another agent or an earlier session may have opened it) it changes nothing and says so. Returns the simulator's greeting.

With login="NAME" it also calls DDT (^Z) and logs in: all you need to begin. The last line says who else is on and the terminal type; "somebody was logged in already" means that you share that user's session; "login stopped" means that a program or a question stands there, which is its owner's. Without login, ITS says nothing until you send "~z". Refusals such as line_busy say who holds the line and what to do; it never retries by itself.`,
      input: () => inputs().open,
      hints: { readOnlyHint: false, destructiveHint: false, idempotentHint: true, openWorldHint: true },
      run: (args, call) => calls.open(args, call),
    }),
    defineTool({
      name: 'send',
      title: 'Type on the ITS line',
      description: `Types input on the line and returns what it produced. A CR (Enter) is appended; end the input in "~-" for none. Control characters: ~z ^Z, ~e ESC (altmode, shown as $), ~c ^C, ~g ^G, ~d rubout, ~s ^S, ~o ^O, ~r CR, ~n LF, ~t TAB, ~xNN any byte in hex, ~~ a tilde. A wrong escape is an error and nothing is sent.

Several lines are several commands: each goes when the one before was answered, and each answer has its own label; the series stops at a pager, a question or a timeout. Text for one program (CREATE, TECO, EMACS) needs paste=true.

Returns at the first of: expect matched (only output after the input and its echo counts), DDT ready (its "*", or an error), a question, quiet_ms of silence after output, timeout_ms. The last line in [ ] names the reason and what has the line. until="prompt" waits through silence, for MIDAS and the like. "timeout" with little output: call read, or send "~g~-" to quit. "limit" and "still_waiting": call read for the rest. Older output that nobody read comes first, labelled. If a screen program has the line you get the rows it changed, numbered.

Examples: ":listf sys"; ":midas rms;ts foo_rms;foo\\n:foo"; "~g~-"; "~x18~c~-" leaves EMACS. Never send what shuts ITS down (:LOCK, $U and the like): a guard stops such lines until a person agrees.`,
      input: () => inputs().send,
      hints: { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: true },
      run: (args, call) => calls.send(args, call),
    }),
    defineTool({
      name: 'read',
      title: 'Read more output',
      description: `Returns output that you have not been given yet, without typing anything; waits for some if there is none. Use it after "still_waiting", "limit", "more_limit" or "timeout", or to see what came in unasked. It ends like send. With auto_more it answers a pager with a space if your own send led there; flush=true drops what --More-- holds back (**MORE** cannot be flushed). from=OFFSET shows older output again (offsets stand in the last line of each result).`,
      input: () => inputs().read,
      // It may answer a pager, and it moves this agent's place in the output.
      hints: { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: true },
      run: (args, call) => calls.read(args, call),
    }),
    defineTool({
      name: 'peek',
      title: 'Show recent output again',
      description: `Shows the newest last_n_chars characters of the line again, whoever they were for. Nothing counts as read by it, and nothing is typed. Use it when you have lost the thread.`,
      input: () => inputs().peek,
      hints: { readOnlyHint: true, idempotentHint: true, openWorldHint: true },
      run: (args, call) => calls.peek(args, call),
    }),
    defineTool({
      name: 'screen',
      title: 'Show the screen',
      description: `Shows the terminal's screen (VT52, 24x80 unless configured) as a person sees it: "row|text" with rows and columns from 0, empty rows left out, ^ under the cursor. For EMACS, PEEK and whatever else paints. changed_since=OFFSET (an offset of an earlier result) shows only rows changed after it; at=OFFSET shows the screen of that moment. Types nothing, and nothing counts as read by it.`,
      input: () => inputs().screen,
      hints: { readOnlyHint: true, idempotentHint: true, openWorldHint: true },
      run: (args, call) => calls.screen(args, call),
    }),
    defineTool({
      name: 'put_file',
      title: 'Write a file on ITS',
      description: `Writes text into a file of ITS, reads it back and compares; a file of that name is replaced. Use it instead of typing into CREATE or EMACS. DDT must be waiting for a command. Give both names ("rms;foo 1"); a second name ">" makes the next version. The line takes some 60 characters a second: 2,000 take 40 s. If your client gives no progress token, a longer one answers "still typing" after 45 s: make the same call again to hear the end.`,
      input: () => inputs().putFile,
      hints: { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: true },
      run: (args, call) => files.putFile(args, call),
    }),
    defineTool({
      name: 'get_file',
      title: 'Read a file of ITS',
      description: `Returns a text file of ITS exactly, without pages and folds, with its line count. DDT must be waiting for a command. For a long file whose lines you only count or search, send ":print FILE" with to_file costs less.`,
      input: () => inputs().getFile,
      // It types commands, and the terminal is another type meanwhile.
      hints: { readOnlyHint: false, destructiveHint: false, idempotentHint: true, openWorldHint: true },
      run: (args, call) => files.getFile(args, call),
    }),
    defineTool({
      name: 'status',
      title: 'Line status',
      description: `Says whether the line is open and to where, since when, what died and why; what ITS is doing (DDT, a program, a pager, a question, free, going down) and what to do about it; how much output you have not read; who has the floor; which daemon holds it. Touches nothing and starts nothing.`,
      input: () => inputs().nothing,
      hints: { readOnlyHint: true, idempotentHint: true, openWorldHint: false },
      run: (_args, call) => calls.status(call),
    }),
    defineTool({
      name: 'close',
      title: 'Close the ITS line',
      description: `Resets the connection for everybody, so that the simulator frees the line at once. It does not log anybody out: send ":logout" first. The output stays readable. There is no need to close at the end of your work: the daemon holds the line, and others may be using it.`,
      input: () => inputs().nothing,
      hints: { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: true },
      run: (_args, call) => calls.close(call),
    }),
  ];
}
