/**
 * A headless Chromium, spoken to by its DevTools protocol over a pipe (`--remote-debugging-pipe`: JSON documents, each with
 * a NUL behind it), so that there is no port that others could find. Profile and home are in the sandbox, and nothing but
 * this machine can be reached. Source: https://chromedevtools.github.io/devtools-protocol/
 */
import { type ChildProcess, spawn } from 'node:child_process';
import type { Readable, Writable } from 'node:stream';
import { z } from 'zod';
import type { Sandbox } from './sandbox.ts';

/** A command that is answered later than this, in ms, has failed: a browser starts in some seconds on a loaded machine. */
const PATIENCE_MS = 30_000;

/** Nothing is fetched that no page asked for, and no name but this machine's is resolved. */
const FLAGS = [
  '--headless=new',
  '--no-sandbox',
  '--remote-debugging-pipe',
  '--disable-gpu',
  '--disable-dev-shm-usage',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-extensions',
  '--disable-sync',
  '--disable-breakpad',
  '--no-default-browser-check',
  '--no-first-run',
  '--no-proxy-server',
  '--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE 127.0.0.1',
];

const replySchema = z.object({
  id: z.number().optional(),
  result: z.unknown().optional(),
  error: z.object({ message: z.string() }).optional(),
});
const targetSchema = z.object({ targetId: z.string() });
const sessionSchema = z.object({ sessionId: z.string() });
const evaluatedSchema = z.object({
  result: z.object({ value: z.unknown() }),
  exceptionDetails: z
    .object({ text: z.string(), exception: z.object({ description: z.string().optional() }).optional() })
    .optional(),
});

interface Waiter {
  readonly resolve: (result: unknown) => void;
  readonly reject: (error: Error) => void;
}

export class Chromium implements AsyncDisposable {
  readonly #child: ChildProcess;
  readonly #exited: Promise<void>;
  readonly #waiters = new Map<number, Waiter>();
  readonly #commands: Writable;
  #rest = '';
  #lastId = 0;
  #stderr = '';

  private constructor(child: ChildProcess, commands: Writable, replies: Readable) {
    this.#child = child;
    this.#commands = commands;
    this.#exited = new Promise((resolve) => {
      child.once('error', (error) => this.#fail(error.message, resolve));
      child.once('close', (code) => this.#fail(`ended with ${code}: ${this.#stderr}`, resolve));
    });
    commands.on('error', () => undefined); // that it has ended is said by `close`
    replies.setEncoding('utf8').on('data', (text: string) => this.#take(text));
    child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      this.#stderr += text;
    });
  }

  /** Starts one; it is ready when the first command is answered. To be disposed before the sandbox. */
  static start(sandbox: Sandbox): Chromium {
    const child = spawn('chromium', [...FLAGS, `--user-data-dir=${sandbox.folder}/chromium`], {
      cwd: sandbox.folder,
      env: sandbox.env,
      // A process group of its own: what it starts ends with it.
      detached: true,
      stdio: ['ignore', 'ignore', 'pipe', 'pipe', 'pipe'],
    });
    const [, , , commands, replies] = child.stdio;
    // Node makes a socket of each extra pipe, whose two types it does not tell apart.
    return new Chromium(child, commands as Writable, replies as Readable);
  }

  /** A page at this address; not all of it is loaded yet. */
  async open(url: string): Promise<Page> {
    const { targetId } = targetSchema.parse(
      await this.command('Target.createTarget', { url: 'about:blank' }),
    );
    const attached = await this.command('Target.attachToTarget', { targetId, flatten: true });
    const { sessionId } = sessionSchema.parse(attached);
    await this.command('Page.navigate', { url }, sessionId);
    return new Page(this, sessionId);
  }

  /** Result of one command; rejects with the browser's error, or when it has ended. */
  async command(method: string, params: object, sessionId?: string): Promise<unknown> {
    this.#lastId += 1;
    const id = this.#lastId;
    const answer = new Promise<unknown>((resolve, reject) => this.#waiters.set(id, { resolve, reject }));
    const late = setTimeout(() => {
      this.#waiters.get(id)?.reject(new Error(`chromium: no answer to ${method} in ${PATIENCE_MS} ms`));
    }, PATIENCE_MS);
    this.#commands.write(`${JSON.stringify({ id, method, params, sessionId })}\0`);
    try {
      return await answer;
    } finally {
      clearTimeout(late);
      this.#waiters.delete(id);
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.command('Browser.close', {}).catch(() => undefined);
    const { pid } = this.#child;
    try {
      if (pid !== undefined) process.kill(-pid, 'SIGKILL');
    } catch {
      // the whole group has ended
    }
    await this.#exited;
  }

  #take(text: string): void {
    const documents = (this.#rest + text).split('\0');
    this.#rest = documents.pop() ?? '';
    for (const document of documents) {
      const { id, result, error } = replySchema.parse(JSON.parse(document));
      const waiter = id === undefined ? undefined : this.#waiters.get(id);
      if (error === undefined) waiter?.resolve(result);
      else waiter?.reject(new Error(`chromium: ${error.message}`));
    }
  }

  #fail(why: string, done: () => void): void {
    for (const { reject } of this.#waiters.values()) reject(new Error(`chromium ${why}`));
    done();
  }
}

export class Page {
  readonly #chromium: Chromium;
  readonly #sessionId: string;

  constructor(chromium: Chromium, sessionId: string) {
    this.#chromium = chromium;
    this.#sessionId = sessionId;
  }

  /** Value of a JavaScript expression in the page, as JSON; a promise's when it is kept. Rejects with what was thrown. */
  async evaluate(expression: string): Promise<unknown> {
    const params = { expression, awaitPromise: true, returnByValue: true };
    const answer = await this.#chromium.command('Runtime.evaluate', params, this.#sessionId);
    const { result, exceptionDetails: thrown } = evaluatedSchema.parse(answer);
    if (thrown !== undefined) throw new Error(`page: ${thrown.exception?.description ?? thrown.text}`);
    return result.value;
  }
}
