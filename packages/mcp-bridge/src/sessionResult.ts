/** Outcomes of command sessions as a model reads them: blocks of output, then the trailer, as those of the line. */
import type { SessionOutcome } from '@pidp10/protocol/sessionSchemas';
import { toWordBlock, toWordLines } from './clientWords.ts';
import { toSessionTrailer } from './sessionTrailer.ts';
import {
  FACTS_KEY,
  keepStart,
  MAX_OUTPUT_CHARS,
  type OutcomeContext,
  ours,
  type ToolResult,
  toBefore,
  toBlockResult,
  toFloorFacts,
  toSpanFacts,
} from './toolResult.ts';
import { toVisible } from './visibleText.ts';

export function toSessionResult(
  outcome: SessionOutcome,
  { undelivered, words: earlier = [], note }: OutcomeContext,
): ToolResult {
  const words = toWordBlock([...earlier, ...toWordLines(outcome)]);
  const room = MAX_OUTPUT_CHARS - words.length;
  const tool = outcome.stream === 'err' ? 'read_stderr' : 'read_output';
  const text = keepStart(toVisible(outcome.output.text), room, outcome.output, tool);
  const older = [...undelivered, ...(outcome.before === undefined ? [] : [outcome.before])];
  return {
    ...toBlockResult([
      toBefore(older, room - text.length, tool),
      text,
      words,
      ...(note === undefined ? [] : [ours(note)]),
      toSessionTrailer(outcome),
    ]),
    _meta: { [FACTS_KEY]: toFacts(outcome) },
  };
}

/** All of the outcome but its text, what others say in it, and the name, which its caller chose. */
function toFacts(outcome: SessionOutcome): Record<string, unknown> {
  const { output, before, floor, news: _news, messages: _messages, name: _name, ...facts } = outcome;
  return {
    ...facts,
    ...toSpanFacts(output),
    lines: output.lines,
    chars: output.text.length,
    ...(before !== undefined && { before: toSpanFacts(before) }),
    ...(floor !== undefined && { floor: toFloorFacts(floor) }),
  };
}
