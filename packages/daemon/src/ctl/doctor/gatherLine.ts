/** Where the line is, who holds it on this machine, and, only when asked to, what one connection to it says. */
import { lookup } from 'node:dns/promises';
import { readFileSync, readlinkSync } from 'node:fs';
import { connect } from 'node:net';
import { networkInterfaces } from 'node:os';
import { join } from 'node:path';
import * as z from 'zod';
import { tryList, tryRead } from './gatherPlaces.ts';
import { type Contact, isComplete } from './greetingChecks.ts';
import type { Owner } from './lineChecks.ts';
import { isLoopback, parseProcNetTcp, type TcpSocket } from './procNet.ts';

/** As the daemon's own defaults (config.ts), which this side may not import; a test holds them together. */
export const DEFAULT_HOST = 'pidp10.local';
export const DEFAULT_PORT = 10_018;
/** The simulator looks for connections once a second; a busy Pi takes longer. In ms. */
export const LISTEN_MS = 3_000;
/** A greeting has a tenth of it; who says more is no simulator. */
const MAX_BYTES = 4_096;

const configSchema = z.looseObject({
  host: z.string().optional(),
  port: z.coerce.number().optional(),
  telnet: z.string().optional(),
});

export interface LineTarget {
  readonly host: string;
  readonly port: number;
  readonly telnet: string | undefined;
}

export interface TargetInputs {
  /** Of the connection that the daemon has. */
  readonly live: { readonly host?: string | undefined; readonly port?: number | undefined };
  /** Flags over environment. */
  readonly given: { readonly host: string | undefined; readonly port: number | undefined };
  /** Environment of an installed service. */
  readonly service: Readonly<Record<string, string>>;
  readonly configPath: string;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** What a daemon that starts now would dial; what the running one has dialled comes first. */
export function findTarget({ live, given, service, configPath, env }: TargetInputs): LineTarget {
  const file = readConfigFile(configPath);
  const servicePort = service['PIDP10_PORT'];
  return {
    host: live.host ?? given.host ?? service['PIDP10_HOST'] ?? file.host ?? DEFAULT_HOST,
    port:
      live.port ??
      given.port ??
      (servicePort === undefined ? undefined : Number(servicePort)) ??
      file.port ??
      DEFAULT_PORT,
    telnet: env['PIDP10_TELNET'] || service['PIDP10_TELNET'] || file.telnet,
  };
}

export async function findAddresses(host: string): Promise<string[]> {
  try {
    return (await lookup(host, { all: true })).map(({ address }) => address);
  } catch {
    return [];
  }
}

export function isThisMachine(addresses: readonly string[]): boolean {
  const own = Object.values(networkInterfaces()).flatMap((list) => list?.map(({ address }) => address) ?? []);
  return addresses.some((address) => isLoopback(address) || own.includes(address));
}

/** Undefined without /proc. */
export function readTcpSockets(): TcpSocket[] | undefined {
  const texts = ['/proc/net/tcp', '/proc/net/tcp6'].map(tryRead).filter((text) => text !== undefined);
  return texts.length === 0 ? undefined : texts.flatMap(parseProcNetTcp);
}

/** Only processes that we may look into: our own, or all of them for root. */
export function findOwner(inode: number): Owner | undefined {
  const wanted = `socket:[${inode}]`;
  const pids = tryList('/proc').filter((name) => /^\d+$/.test(name));
  const pid = pids.find((name) => {
    const folder = join('/proc', name, 'fd');
    return tryList(folder).some((fd) => tryLink(join(folder, fd)) === wanted);
  });
  if (pid === undefined) return undefined;
  const words = tryRead(join('/proc', pid, 'cmdline'))?.split('\0') ?? [];
  return { pid: Number(pid), command: words.join(' ').trim().slice(0, 100) };
}

/** Connects once, types nothing, listens, resets: a connection that is closed otherwise is held on the far side for hours. */
export function contact({ host, port }: LineTarget, signal: AbortSignal): Promise<Contact> {
  return new Promise((resolve) => {
    const startMs = performance.now();
    const chunks: Buffer[] = [];
    const socket = connect({ host, port, autoSelectFamily: true });
    const settle = (problem: string | undefined, isClosed: boolean) => {
      clearTimeout(timer);
      signal.removeEventListener('abort', abort);
      socket.resetAndDestroy();
      resolve({
        problem,
        bytes: Buffer.concat(chunks),
        isClosed,
        waitedMs: Math.round(performance.now() - startMs),
      });
    };
    const abort = () => settle('interrupted', false);
    let isUp = false;
    const timer = setTimeout(() => settle(isUp ? undefined : 'no answer', false), LISTEN_MS);
    signal.addEventListener('abort', abort, { once: true });
    socket.once('connect', () => {
      isUp = true;
    });
    socket.on('data', (chunk: Buffer) => {
      chunks.push(chunk);
      const bytes = Buffer.concat(chunks);
      if (bytes.length >= MAX_BYTES || isComplete(bytes)) settle(undefined, false);
    });
    socket.on('error', (error: NodeJS.ErrnoException) =>
      settle(isUp ? undefined : (error.code ?? error.message), true),
    );
    socket.once('end', () => settle(undefined, true));
  });
}

function readConfigFile(path: string): z.infer<typeof configSchema> {
  try {
    return configSchema.parse(JSON.parse(readFileSync(path, 'utf8')));
  } catch {
    return {}; // absent, or wrong: then the daemon says so when it starts
  }
}

function tryLink(path: string): string | undefined {
  try {
    return readlinkSync(path);
  } catch {
    return undefined;
  }
}
