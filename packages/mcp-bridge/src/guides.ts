/** The texts of the prompts: what somebody needs who has the tools and has never used the program. */
import type { PromptName } from './prompts.ts';

export const GUIDES: Readonly<Record<PromptName, string>> = {
  picocom_guide: `Work on a board through its serial console with picocom.

1. Find the port: start_command(command="bash", args=["-c", "ls -l /dev/serial/by-id/ /dev/ttyUSB* /dev/ttyACM*"]). The names below by-id stay the same when the board is plugged in again. "Permission denied" later means that the user is not in the group of the port (often dialout): tell the person.
2. Start it on a terminal: start_command(command="picocom", args=["-b", "115200", "/dev/ttyUSB0"], use_pty=true, name="board", expect="Terminal ready"). 115200 is usual; garbage on the screen means another speed. "FATAL: cannot lock" means that somebody else has the port.
3. Press Enter to see whether somebody is there: send_input(session_id="board", input=""). One Enter is one CR. Silence: the board may be off, asleep, or waiting in a boot loader.
4. Type commands with send_input; give expect the prompt that you saw, such as "# $" or "=> $", so that the call ends with the answer. For what the board says by itself, such as its boot, call read_output with a longer timeout_ms.
5. Keys: Ctrl-C for the board is bytes=[3]. Picocom's own commands begin with Ctrl-A: leave with bytes=[1,24] (Ctrl-A Ctrl-X); a break is bytes=[1,28] (Ctrl-A Ctrl-\\); send a Ctrl-A to the board with bytes=[1,1].
6. When done leave picocom, or call stop_command: the port is free then. A picocom that is left running keeps it for itself.

A login of the board that asks for a password: send_input(elicit=true), never the password as input.`,

  gdb_guide: `Debug a program with gdb.

1. Build it with -g (and -O0 or -Og), then start gdb on a terminal: start_command(command="gdb", args=["-q", "-nx", "-ex", "set pagination off", "-ex", "set confirm off", "./prog"], cwd="/absolute/folder", use_pty=true, name="gdb", expect="\\\\(gdb\\\\) $"). Without "set pagination off" gdb stops at every page; without "set confirm off" it asks before it does things.
2. Always send one command and wait for the prompt: send_input(session_id="gdb", input="break main", expect="\\\\(gdb\\\\) $"). An expression with a side effect (print i++) is run each time it is sent: if a call ends with "timeout" or "still_waiting", read on with read_output, never send it again.
3. First commands: "run ARGS", "next", "step", "finish", "continue", "bt", "frame 1", "info locals", "print x", "print/x x", "x/8xw &x", "list", "watch x", "info breakpoints", "delete 1". Only "run" and "continue" take long: give them await_response_ms.
4. The program runs and you want it to stop: send_input(session_id="gdb", bytes=[3], expect="\\\\(gdb\\\\) $"), as Ctrl-C, or send_signal(session_id="gdb", signal="SIGINT", target="foreground"). The prompt comes back with the place where it stopped.
5. What the program itself prints stands among gdb's lines; give it a terminal of its own with "tty" if that is in the way.
6. A crash: "bt full", then "info registers", then "x/5i $pc". A core file: gdb PROG CORE.
7. Leave with send_input(input="quit"), or call stop_command, which ends gdb and the program.`,

  blackmagic_probe_guide: `Flash and debug a microcontroller with a Black Magic Probe. The probe is a gdb server of its own: no OpenOCD is needed.

1. It has two serial ports: the first (…-if00) is gdb's, the second (…-if02) is a plain UART of the target. Look: start_command(command="bash", args=["-c", "ls -l /dev/serial/by-id/ | grep -i black"]). Without udev rules they are /dev/ttyACM0 and /dev/ttyACM1.
2. Start a gdb that knows the target's processor: start_command(command="gdb-multiarch", args=["-q", "-nx", "-ex", "set pagination off", "-ex", "set confirm off", "firmware.elf"], cwd="/absolute/folder", use_pty=true, name="bmp", expect="\\\\(gdb\\\\) $"). It may be called arm-none-eabi-gdb.
3. Connect, one command in each send_input, each with expect="\\\\(gdb\\\\) $":
   - target extended-remote /dev/ttyACM0
   - monitor version
   - monitor swdp_scan (older firmware: monitor swd_scan; for JTAG: monitor jtag_scan). It lists the targets with numbers. None: check power, ground, SWDIO, SWCLK; "monitor tpwr enable" powers a small target from the probe, only if it has no supply of its own: ask the person first. "monitor connect_rst enable", then scanning again, helps with firmware that switches the pins off.
   - attach 1
4. Flash with "load", check with "compare-sections". Flashing replaces what is on the chip: only if the person wants that.
5. Debug as ever: "break main", "run" or "continue", "next", "print x", "bt", "info registers", "x/8xw 0x20000000". Hardware breakpoints are few (often 4 to 8).
6. A target that runs is stopped by send_input(bytes=[3]). "monitor reset" resets it, "monitor help" lists what this probe can.
7. The target's UART: a second session, start_command(command="picocom", args=["-b", "115200", "/dev/ttyACM1"], use_pty=true, name="uart").
8. When done: "detach", then "quit". The target runs on.`,

  its_first_steps: `ITS is the operating system of MIT's PDP-10s. You have one of its terminals, which others may share.

1. open(login="NAME") connects, calls DDT (the shell) and logs in; any name of up to six letters does, there is no password. The last line of each result says what has the line: "ddt" means that you may type a command.
2. Commands begin with a colon: ":listf" lists your directory, ":listf sys" another, ":print sys;FILE NAME" shows a file, ":time", ":who" or ":peek" who is on, ":?" lists commands, ":info" is the manual (a screen program, "q" leaves it).
3. A file has two names and a directory: "rms;notes text". The second name ">" means the newest version, or the next when writing. Put and get whole files with put_file and get_file.
4. After a success DDT prints "*". After an error it prints none: "?U?", "FILE NOT FOUND"; just type the next command.
5. Long answers stop at --More-- and are turned for you; read goes on.
6. If something has the line that you do not want: "~z" stops it, ":kill" ends it. "~g~-" quits a command in the middle.
7. When done: ":logout". Never shut ITS down (:lock), never touch files of others.`,

  its_ddt_guide: `DDT is the shell of ITS and its debugger in one.

- Commands: ":NAME ARGUMENTS" with Enter. ":help", ":?". A name that DDT does not know is looked for as a program: ":foo" runs TS FOO.
- Its prompt "*" comes only after a success. Errors end in "?" without a prompt: "?U?" (undefined), "??", "JOB?" (there is no program to look into), "QUIT?" after ^G. None of them is a hang; nothing needs to be repaired.
- Jobs: every program is a job. "~z" stops the one that has the line and gives DDT back; ":proceed" lets it go on, ":kill" ends it, ":listj" lists all. What is typed goes to DDT only when the last line says "ddt".
- Altmode (ESC) is "~e" and shows as $. Commands with altmode take no Enter: end the input in "~-", as "foo~ej~-" for foo$j, which selects or makes the job FOO.
- Looking at memory of the current job: "100/~-" shows location 100 (all numbers are octal); "~n~-" (LF) shows the next; Enter closes it. Do not deposit into a program that is not yours.
- Questions such as --Kill-- are asked with (Space=yes, Rubout=no). They are never answered for you: " ~-" says yes, "~d~-" says no.
- Several lines in one send are several commands: each is sent when the one before was answered.`,

  its_editor_guide: `Writing and changing text on ITS.

- A whole file: put_file and get_file. That is the safest way; nothing else compares what arrived.
- By hand: ":create rms;foo 1" takes what you type as text until ^C. Send the text with paste=true, then "~c~-".
- EMACS is a screen program: send ":emacs", then look with the screen tool, never by reading output. ^X^F ("~x18~x06~-") asks for a file, whose name ends with Enter; ^X^S ("~x18~x13~-") saves; "~g~-" gets out of a question; ^X^C ("~x18~c~-") goes back to DDT, and the job stays: ":emacs" finds it as it was.
- In EMACS letters insert themselves. ^F ^B ^N ^P ^A ^E move ("~x06~-", "~x02~-", "~x0e~-", "~x10~-", "~x01~-", "~x05~-"), ^D deletes ("~x04~-"), rubout "~d~-", ^K kills a line ("~x0b~-"), ^S searches ("~x13~-", words, "~e~-").
- Text of more than a line goes with paste=true. Look at the screen afterwards: a program that paints may lose characters of a long paste.
- TECO (":teco") is the language under EMACS. Its commands are letters; two altmodes run them: "5t~e~e~-" types five lines, "j~e~e~-" goes to the top, "sWORD~e~e~-" searches, "iTEXT~e~e~-" inserts. "~z" gives DDT back, ":kill" ends it without writing anything.`,

  its_midas_guide: `Assembling a program with MIDAS.

1. Write the source: put_file(file="rms;foo >", text="…"). A source begins with TITLE and ends with END and the label where it starts; comments begin with ";", numbers are octal.
2. Assemble: send(input=":midas rms;ts foo_rms;foo", until="prompt", timeout_ms=120000). The output stands left of "_", the source right of it. MIDAS is silent while it works, up to seconds: until="prompt" waits for its end.
3. Errors are lines with the place (label + offset), the line of the source and a word for what is wrong, such as an undefined symbol. Mend the source with put_file and assemble again. ":kill" at the end of the answer is normal: the assembler is gone.
4. Run it: ":foo" finds TS FOO in your directory; ":rms;ts foo" names it in full. If it hangs: "~z", then ":kill".
5. Look into it: "~z" stops it, then DDT shows memory by label, "START/~-", since TS FOO carries its symbols. ":symlod rms;ts foo" loads them if they are missing.
6. MIDAS stops at **MORE** if there are many errors: read goes on.`,
};
