/** A table of command sessions for tests, in a folder of its own, with all it starts gone at the end. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import type { Expectation, Settlement } from '../src/core/events.ts';
import type { ChannelService } from '../src/rpc/channelService.ts';
import type { SessionRequest, SessionService } from '../src/rpc/sessionService.ts';
import type { CommandTable, SessionTableOptions } from '../src/sessionTable.ts';
import { openPlain, request } from './commandRequests.ts';

export { request } from './commandRequests.ts';

export const never = new AbortController().signal;

export const PATIENT = {
  timeoutMs: 20_000,
  quietMs: 1_000_000,
  settleMs: 0,
  autoMore: false,
  maxPages: 0,
  maxChars: 20_000,
} as const;

export async function scratch(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'pidp10d-commands-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

export async function openTable(
  folder: string,
  options: Partial<SessionTableOptions> = {},
): Promise<CommandTable> {
  const table = await openPlain(folder, options);
  onTestFinished(() => table[Symbol.asyncDispose]());
  return table;
}

export const script = (text: string, more: Partial<SessionRequest> = {}) => request(['sh', '-c', text], more);

/** Waits for all of the session's output and its exit. */
export async function over(session: SessionService): Promise<void> {
  await session.whenOver('end', never);
}

export function textOf(stream: ChannelService | undefined): string {
  const { scrollback } = stream?.conversation ?? {};
  return scrollback?.text(scrollback.oldest, scrollback.end).text ?? '';
}

export function read(
  stream: ChannelService,
  expectation: Partial<Expectation> = {},
  from?: number,
): Promise<Settlement> {
  const wait = { kind: 'read', reader: 'r', expectation: { ...PATIENT, ...expectation } } as const;
  return stream.wait({ ...wait, ...(from !== undefined && { from }) }, never).settled;
}

export function send(
  session: SessionService,
  text: string,
  expectation: Partial<Expectation> = {},
  { closesInput = false } = {},
): Promise<Settlement> {
  const bytes = new TextEncoder().encode(text);
  const wait = { kind: 'send', reader: 'r', bytes, isEchoed: false, closesInput } as const;
  return session.out.wait({ ...wait, expectation: { ...PATIENT, ...expectation } }, never).settled;
}
