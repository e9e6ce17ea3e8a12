/** A terminal that somebody sits at: tmux, with a server of its own in the sandbox's folder, and a shell in it. */
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { eventually } from './processes.ts';
import type { Sandbox } from './sandbox.ts';

const execute = promisify(execFile);

export interface TmuxOptions {
  readonly rows?: number;
  readonly columns?: number;
}

export class Tmux implements AsyncDisposable {
  readonly #sandbox: Sandbox;
  readonly #socket: string;

  private constructor(sandbox: Sandbox) {
    this.#sandbox = sandbox;
    this.#socket = join(sandbox.folder, 'tmux');
  }

  static async start(sandbox: Sandbox, { rows = 30, columns = 100 }: TmuxOptions = {}): Promise<Tmux> {
    const tmux = new Tmux(sandbox);
    const size = ['-x', String(columns), '-y', String(rows)];
    // Without a status line the pane has the rows that were asked for.
    const shell = ['set-option', '-g', 'status', 'off', ';', 'new-session', '-d', ...size, 'sh'];
    await tmux.#run(['-f', '/dev/null', 'start-server', ';', ...shell]);
    await tmux.untilShown('a shell', (rowsNow) => rowsNow.some((row) => /[$#]$/.test(row)));
    return tmux;
  }

  /** Types text and CR. */
  async command(text: string): Promise<void> {
    await this.type(`${text}\r`);
  }

  /** Types these characters, as a keyboard would send them. */
  async type(text: string): Promise<void> {
    const bytes = Array.from(Buffer.from(text), (byte) => byte.toString(16).padStart(2, '0'));
    await this.#run(['send-keys', '-H', ...bytes]);
  }

  /** Pastes, between marks where the program asked for them. */
  async paste(text: string): Promise<void> {
    await this.#run(['set-buffer', '--', text, ';', 'paste-buffer', '-p', '-r']);
  }

  async resize(rows: number, columns: number): Promise<void> {
    await this.#run(['resize-window', '-x', String(columns), '-y', String(rows)]);
  }

  /** All rows, without trailing blanks. */
  async rows(): Promise<string[]> {
    const text = await this.#run(['capture-pane', '-p', '-N']);
    return text
      .replace(/\n$/, '')
      .split('\n')
      .map((row) => row.trimEnd());
  }

  async cursor(): Promise<{ readonly row: number; readonly column: number }> {
    const [row, column] = (await this.#run(['display-message', '-p', '#{cursor_y} #{cursor_x}'])).split(' ');
    return { row: Number(row), column: Number(column) };
  }

  /** Whether the program that runs there has the alternate screen. */
  async isAlternate(): Promise<boolean> {
    return (await this.#run(['display-message', '-p', '#{alternate_on}'])).trim() === '1';
  }

  async title(): Promise<string> {
    return (await this.#run(['display-message', '-p', '#{pane_title}'])).trim();
  }

  /** Modes that a program may have switched on. */
  async modes(): Promise<{ readonly mouse: string; readonly cursor: string }> {
    const [mouse = '', cursor = ''] = (
      await this.#run(['display-message', '-p', '#{mouse_any_flag} #{cursor_flag}'])
    )
      .trim()
      .split(' ');
    return { mouse, cursor };
  }

  async untilShown(what: string, isThere: (rows: readonly string[]) => boolean): Promise<void> {
    let rows: readonly string[] = [];
    try {
      await eventually(what, async () => isThere((rows = await this.rows())), 20_000);
    } catch (cause) {
      throw new Error(`not shown: ${what}\n${rows.join('\n')}`, { cause });
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#run(['kill-server']).catch(() => undefined);
  }

  async #run(args: readonly string[]): Promise<string> {
    const env = { ...this.#sandbox.env, SHELL: '/bin/sh', PS1: '$ ', TERM: 'xterm' };
    const { stdout } = await execute('tmux', ['-S', this.#socket, ...args], { env });
    return stdout;
  }
}

/** A row says this and nothing else, but for the prompt that stood there when the command was typed. */
export function isSaid(rows: readonly string[], words: string): boolean {
  return rows.some((row) => row === words || row === `$ ${words}`);
}
