/** `pidp10ctl attach` in a terminal that somebody sits at, and what tests of it ask again and again. */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { LineRig } from './lineRig.ts';
import { eventually } from './processes.ts';
import { BIN } from './sandbox.ts';
import { Tmux, type TmuxOptions } from './tmux.ts';

export const HAS_TMUX = hasTmux();

function hasTmux(): boolean {
  try {
    execFileSync('tmux', ['-V']);
    return true;
  } catch {
    return false;
  }
}

/** Attaches in a shell that notes how the terminal was set up before and behind it, and the exit code. */
export async function startAttached(
  rig: Pick<LineRig, 'sandbox'>,
  args = '',
  options: TmuxOptions = {},
): Promise<Tmux> {
  const tmux = await Tmux.start(rig.sandbox, options);
  await tmux.command('cd "$HOME"; clear');
  await attachIn(tmux, args);
  return tmux;
}

/** The same in the shell that is there. */
export async function attachIn(tmux: Tmux, args: string): Promise<void> {
  const attach = `${process.execPath} ${BIN.ctl} attach ${args}`;
  await tmux.command(`stty -a > before; ${attach}; code=$?; stty -a > after; echo "ended with $code"`);
  await eventually('the alternate screen', () => tmux.isAlternate());
}

/** Waits until the terminal shows the screen that the daemon has, with the cursor in the same place. */
export async function untilSame(tmux: Tmux, rig: LineRig): Promise<void> {
  let seen: unknown;
  try {
    await eventually('the same screen on both sides', async () => {
      const { rows, cursor } = await rig.client.request('line.screen', {});
      const shown = await tmux.rows();
      const at = await tmux.cursor();
      seen = { shown, at, rows, cursor };
      return JSON.stringify([shown.slice(0, rows.length), at]) === JSON.stringify([rows, cursor]);
    });
  } catch (cause) {
    throw new Error(`not the same: ${JSON.stringify(seen, null, 1)}`, { cause });
  }
}

export function stty(rig: Pick<LineRig, 'sandbox'>, name: 'before' | 'after'): string {
  return readFileSync(join(rig.sandbox.folder, name), 'utf8');
}

export async function pidOf(rig: Pick<LineRig, 'sandbox'>, command = 'attach'): Promise<number> {
  let pid = 0;
  await eventually(`the process of ${command}`, () => {
    const found = execFileSync('ps', ['-eo', 'pid=,args='], { encoding: 'utf8' })
      .split('\n')
      .find((line) => line.includes(`${BIN.ctl} ${command}`) && isOf(rig, Number.parseInt(line, 10)));
    pid = Number.parseInt(found ?? '0', 10);
    return pid > 0;
  });
  return pid;
}

function isOf(rig: Pick<LineRig, 'sandbox'>, pid: number): boolean {
  try {
    const environment = readFileSync(`/proc/${pid}/environ`, 'utf8');
    return environment.includes(rig.sandbox.folder) && readFileSync(`/proc/${pid}/comm`, 'utf8') !== 'sh\n';
  } catch {
    return false;
  }
}
