/**
 * The bridge's way to the daemon. Dials when a tool first needs it, says hello as the client that the MCP side named, dials
 * anew after the connection is gone, and starts a daemon where that is allowed. The client code loads with the first call,
 * so that it costs a start nothing.
 */

import type { RequestOptions } from '@pidp10/protocol/clientApi';
import { LocalError, rpcError } from '@pidp10/protocol/errors';
import type { MethodInput, MethodName, MethodResult } from '@pidp10/protocol/methods';
import type { DaemonClient, NotificationListener } from '@pidp10/protocol/node/daemonClient';
import type { StartedDaemon } from '@pidp10/protocol/node/spawnDaemon';
import type { Settings } from './settings.ts';
import { VERSION } from './version.ts';

/** Characters of a client's name that the daemon shows to people. */
const MAX_CLIENT_NAME_CHARS = 60;

export interface CallOptions extends RequestOptions {
  /** Name of the MCP client, known once it has introduced itself. */
  readonly clientName: string;
  /** The call may start a daemon: open and send, nothing else. */
  readonly mayStart: boolean;
}

export interface Answer<M extends MethodName> {
  readonly result: MethodResult<M>;
  /** What belongs to this result (its commit) goes to the same daemon. */
  readonly client: DaemonClient;
}

export interface LinkListeners {
  /** There is a new connection, and it is ready; nothing of an earlier one (watches) lives on. */
  readonly onConnect: () => void;
  readonly onNotification?: NotificationListener | undefined;
}

export class DaemonLink {
  readonly #settings: Settings;
  readonly #listeners: LinkListeners;
  #client: DaemonClient | undefined;
  #dialing: Promise<DaemonClient> | undefined;
  #starting: Promise<void> | undefined;
  #started: StartedDaemon | undefined;

  constructor(settings: Settings, listeners: LinkListeners) {
    this.#settings = settings;
    this.#listeners = listeners;
  }

  /** Rejects with what `DaemonClient` rejects with, and `daemon_not_running`, `spawn_failed` … */
  async call<M extends MethodName>(
    method: M,
    input: MethodInput<M>,
    options: CallOptions,
  ): Promise<Answer<M>> {
    const client = await this.#connect(options);
    if (method.startsWith('session.')) assertSessions(client);
    return { client, result: await client.request(method, input, options) };
  }

  /** Once after a daemon was started: what there is to say about it. */
  takeStartNote(): string | undefined {
    const started = this.#started;
    this.#started = undefined;
    if (started === undefined) return undefined;
    return `No daemon was running, so one was started: ${started.command.join(' ')}, pid ${started.pid}, log ${started.log}`;
  }

  async #connect({ clientName, mayStart }: CallOptions): Promise<DaemonClient> {
    if (this.#client?.isClosed === false) return this.#client;
    try {
      return await this.#dial(clientName);
    } catch (error) {
      const { isDaemonAbsent } = await import('@pidp10/protocol/node/dial');
      if (!isDaemonAbsent(error)) throw error;
      if (!this.#settings.maySpawn) throw await this.#notAllowed(error);
      if (!mayStart) throw error;
    }
    this.#starting ??= this.#start().finally(() => {
      this.#starting = undefined;
    });
    await this.#starting;
    return await this.#dial(clientName);
  }

  /** Calls at the same time share one connection, hence one attempt. */
  #dial(clientName: string): Promise<DaemonClient> {
    this.#dialing ??= this.#dialNow(clientName).finally(() => {
      this.#dialing = undefined;
    });
    return this.#dialing;
  }

  async #dialNow(clientName: string): Promise<DaemonClient> {
    const [{ DaemonClient }, { deriveReaderName }] = await Promise.all([
      import('@pidp10/protocol/node/daemonClient'),
      import('./readerName.ts'),
    ]);
    const { socket } = await this.#settings.resolvePaths();
    const shown = clientName.replace(/[^\x20-\x7e]/g, '?').slice(0, MAX_CLIENT_NAME_CHARS);
    this.#client = await DaemonClient.connect({
      socket,
      client: { name: `pidp10-mcp (${shown})`, version: VERSION },
      reader: this.#settings.reader ?? deriveReaderName(clientName, this.#settings.folder),
      commit: 'manual',
      onNotification: this.#listeners.onNotification,
    });
    this.#listeners.onConnect();
    return this.#client;
  }

  async #start(): Promise<void> {
    const [{ startDaemon }, paths] = await Promise.all([
      import('@pidp10/protocol/node/spawnDaemon'),
      this.#settings.resolvePaths(),
    ]);
    const { name, socket, stateDir } = paths;
    this.#started = await startDaemon({ name, socket, stateDir, ...this.#settings.spawn });
  }

  async #notAllowed(cause: unknown): Promise<LocalError> {
    const { name, socket } = await this.#settings.resolvePaths();
    const detail = `No daemon answers at ${socket}, and --no-spawn forbids this bridge to start one. Its command: pidp10d --name ${name}.`;
    return new LocalError('daemon_not_running', detail, cause);
  }
}

/** An older daemon knows no command sessions. What it would make of a parameter that it does not know is not tried. */
function assertSessions({ hello: { capabilities, daemon } }: DaemonClient): void {
  if (capabilities.includes('sessions')) return;
  const detail = `The daemon (version ${daemon.version}, pid ${daemon.pid}) cannot run commands; its line works as ever.`;
  throw rpcError('method_not_found', detail);
}
