/** The line's journal and what it tells of the past. A folder that cannot be used is said, and the line held without it. */
import { join } from 'node:path';
import { ChannelJournal, type ChannelJournalOptions } from './channelJournal.ts';
import type { Config } from './config.ts';
import { Transcript } from './core/transcript.ts';
import { monotonicMs } from './coreLoop.ts';
import type { Log } from './io/log.ts';
import { makePrivateFolder } from './io/unixListener.ts';
import { type Past, resume } from './resume.ts';

export interface Kept {
  readonly journal?: ChannelJournal;
  readonly past?: Past;
}

export async function openJournal(config: Config, log: Log): Promise<Kept> {
  if (config.journalMode === 'off') return {};
  const { paths, quotaBytes, ringBytes } = config;
  const root = join(paths.stateDir, 'journal');
  const onStorage: ChannelJournalOptions['onStorage'] = (status) =>
    status.storage === 'ok' ? log.info(status, 'storage') : log.warn(status, 'storage');
  try {
    makePrivateFolder(root, process.getuid?.());
    const blank = new Transcript(config);
    const folder = join(root, paths.name);
    const { journal, recovered } = await ChannelJournal.open({ folder, quotaBytes, blank, onStorage });
    for (const note of recovered.notes) log.warn({ note }, 'journal');
    return { journal, past: await resume(journal, recovered, { ringBytes, nowMs: monotonicMs() }) };
  } catch (error) {
    log.error({ err: error }, 'the journal cannot be used: output is kept in memory only');
    return {};
  }
}
