/** Whether the output ends where somebody waits for a secret. */
import { compilePattern, Matcher, type Pattern } from './pattern/pattern.ts';
import type { Transcript } from './transcript.ts';

/** Characters that may stand behind a prompt's words on its line: ` for rms: `. */
export const MAX_BEHIND_PROMPT_CHARS = 20;

/** `pattern`, which compiles, instead of the words that commonly ask for a password. Only the last, unfinished line counts. */
export function standsAtSecretPrompt(transcript: Transcript, pattern: string | undefined): boolean {
  if (pattern === undefined) return transcript.asksForSecret;
  const compiled = compilePattern(pattern);
  return compiled.kind === 'pattern' && endsIn(compiled.pattern, transcript.scrollback.lastLine().line);
}

/** A match is told at its earliest end, so that a later one is looked for behind it. */
function endsIn(pattern: Pattern, line: string): boolean {
  for (let from = 0; from <= line.length; ) {
    const matcher = new Matcher(pattern, { atLineStart: from === 0 });
    const end = matcher.push(line.slice(from));
    if (end === undefined) return matcher.matchesAtSilence();
    if (line.length - (from + end) <= MAX_BEHIND_PROMPT_CHARS) return line !== '';
    from += Math.max(end, 1);
  }
  return false;
}
