/** Spans of a stream, in order and without overlap. */
import type { Span } from './events.ts';

/** What is left of `[start, end)` when `cuts` are taken out; cuts in any order. */
export function remainderOf(span: Span, cuts: Iterable<Span>): readonly Span[] {
  const parts: Span[] = [];
  let { start: from } = span;
  const inside = [...cuts].filter(
    (cut) => cut.end > span.start && cut.start < span.end && cut.end > cut.start,
  );
  for (const cut of inside.sort((a, b) => a.start - b.start)) {
    if (cut.start > from) parts.push({ start: from, end: cut.start });
    from = Math.max(from, cut.end);
  }
  if (from < span.end) parts.push({ start: from, end: span.end });
  return parts;
}
