/** Round proof: how many characters are read, judged by all that came between two silences, or by its last words. */
import { echoOf, endAt, mayShowNothing, wholeIn } from './echoForm.ts';
import type { ReadProofSnapshot } from './readProofState.ts';

/** So many in a row stand for themselves wherever they belong. */
const PIECE_CHARS = 8;
/** So many do as the last words on a line that prints, where any other output stands in front of them. */
const TAIL_CHARS = 24;
const CR = 0x0d;
const TAB = 0x09;

type Heard = Pick<ReadProofSnapshot, 'unproved' | 'heard' | 'isPainted' | 'round'>;

/** What came, exactly and all of it, is the echo of these: up to the end of the first place where it fits. */
export function readByRound(round: Heard): number {
  const isHidden = (byte: number): boolean => mayShowNothing(byte) && byte !== CR && byte !== TAB;
  let count = endOf(round, echoOf);
  if (count === 0) count = endOf(round, (byte) => (isHidden(byte) ? '' : echoOf(byte)));
  // A line end may be that of a row that was painted, or of a message.
  while (round.unproved[count - 1] === CR) count -= 1;
  return count;
}

/** The last words that came are the echo of these. */
export function readByTail({ unproved, heard, isPainted }: Heard): number {
  if (isPainted) return 0;
  const echoes = unproved.map((byte) => echoOf(byte).toLowerCase());
  const all = echoes.join('');
  // The last words are all that is unproved; a message ends in a line end, and could end alike.
  if (all.length >= PIECE_CHARS && !all.endsWith('\n') && heard.endsWith(all)) return unproved.length;
  if (heard.length < TAIL_CHARS) return 0;
  const at = all.indexOf(heard.slice(-TAIL_CHARS));
  return at < 0 ? 0 : wholeIn(echoes, at + TAIL_CHARS);
}

function endOf({ unproved, heard, isPainted, round }: Heard, form: (byte: number) => string): number {
  const isPrinting = !isPainted;
  // In front of it a message may have left line ends; those in it are passed over one by one.
  const said = isPrinting ? heard.replace(/^\n+/, '') : heard;
  const echoes = unproved.map((byte) => form(byte).toLowerCase());
  const all = echoes.join('');
  const roundChars = echoes.slice(unproved.length - round).join('').length;
  for (let at = 0; at < all.length; at += 1) {
    const end = endAt(all, at, said, isPrinting);
    if (end === undefined) continue;
    const isWholeRound = roundChars > 0 && end - at >= roundChars;
    return at > 0 && end - at < PIECE_CHARS && !isWholeRound ? 0 : wholeIn(echoes, end);
  }
  return 0;
}
