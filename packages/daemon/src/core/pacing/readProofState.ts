/** What a read proof remembers, and how many characters may go without one. */

/**
 * So many that come at one moment prove themselves on a line that prints: that they are painted is known a moment later,
 * and until then the beginning of a picture could pass for echo where all lines are alike.
 */
export const AT_ONCE_CHARS = 8;
/** Without proof at most: what ITS keeps (ts3tty TIBS), less those, less one for a key that passes by, a pager's. */
export const FAR_BUFFER_CHARS = 65 - AT_ONCE_CHARS - 1;
/** Without proof in one round: long, since each ends in silence; the rest of the buffer is for probes. */
export const ROUND_CHARS = 40;
export interface ReadProofSnapshot {
  /** Bytes written and not proved read, in order. */
  readonly unproved: readonly number[];
  /** How many of them, the newest, were written at `writtenMs`: what comes at that moment is no echo of them. */
  readonly fresh: number;
  readonly writtenMs: number;
  /** Line ends at the front whose echo may have come: a message makes one too, so what follows must confirm them. */
  readonly lineEnds: number;
  /** Characters of the echo of the one behind these that have come. */
  readonly partial: number;
  /** How many were proved by their echo at `followedMs`. */
  readonly followed: number;
  readonly followedMs: number;
  /** Nothing but echo has come since the last proof. */
  readonly isFollowing: boolean;
  /** What came since the last silence and was no proof by itself. */
  readonly heard: string;
  readonly heardMs: number;
  /** Line ends left out it is so many characters of the echo that was to come next, in order; -1: it is something else. */
  readonly matched: number;
  /** Some of it came while a program painted. */
  readonly isPainted: boolean;
  /** Bytes written since the last silence. */
  readonly round: number;
  /** So many may be without proof now. */
  readonly limit: number;
  /** A send was the first to be written in this round, nothing else being under way. */
  readonly isOpening: boolean;
  /** Such rounds in a row that were answered at once. */
  readonly answers: number;
  readonly trail: string;
  readonly column: number | undefined;
}

export const NOTHING_TYPED: ReadProofSnapshot = {
  unproved: [],
  fresh: 0,
  writtenMs: 0,
  lineEnds: 0,
  partial: 0,
  followed: 0,
  followedMs: 0,
  isFollowing: true,
  heard: '',
  heardMs: 0,
  matched: -1,
  isPainted: false,
  round: 0,
  limit: ROUND_CHARS,
  isOpening: false,
  answers: 0,
  trail: '',
  column: undefined,
};
