/** One line of text that is asked for in the status line. */
import { MAX_MESSAGE_CHARS } from '@pidp10/protocol/floorSchemas';

export type Edited =
  | { readonly kind: 'editing'; readonly text: string }
  | { readonly kind: 'done'; readonly text: string }
  | { readonly kind: 'cancelled' };

/** CR ends; ESC, ^C and ^G give up, and so does CR without any text; rubout and BS take back. What has no room is left out. */
export function editPrompt(before: string, typed: string): Edited {
  let text = before;
  for (const key of typed) {
    if (key === '\r' || key === '\n') return text === '' ? { kind: 'cancelled' } : { kind: 'done', text };
    if (key === '\x1b' || key === '\x03' || key === '\x07') return { kind: 'cancelled' };
    if (key === '\x7f' || key === '\b') text = text.slice(0, -1);
    else if (key >= ' ' && text.length < MAX_MESSAGE_CHARS) text += key;
  }
  return { kind: 'editing', text };
}
