/** The state of a conversation, as plain JSON: for a successor of this process, and in part for what is read from the disk. */
import type { AttentionSnapshot } from './attention.ts';
import type { WaitSnapshot } from './expect.ts';
import type { FloorSnapshot } from './floor.ts';
import type { ReadersSnapshot } from './readers.ts';
import type { SecretMaskSnapshot } from './secretMask.ts';
import type { Author, TimelineSnapshot } from './timeline.ts';
import type { TranscriptSnapshot } from './transcript.ts';
import type { TypistSnapshot } from './typist.ts';

export interface ConversationSnapshot {
  readonly transcript: TranscriptSnapshot;
  readonly readers: ReadersSnapshot;
  readonly waits: readonly WaitSnapshot[];
  readonly typist: TypistSnapshot;
  readonly floor: FloorSnapshot;
  readonly timeline: TimelineSnapshot;
  readonly attention: AttentionSnapshot;
  readonly lastSender: Author | undefined;
  /** Has secrets in it: never to the disk. */
  readonly mask: SecretMaskSnapshot;
}

export type PartialConversationSnapshot = Partial<Omit<ConversationSnapshot, 'transcript'>> & {
  readonly transcript?: Partial<TranscriptSnapshot>;
};
