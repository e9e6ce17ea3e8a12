/** What the page for a secret says: who asks, for what, where it goes and where it does not go. */
import { toHtmlText } from './htmlText.ts';

export interface PageFacts {
  /** Name of the client that asks. */
  readonly client: string;
  readonly place: string;
  readonly message: string;
  /** ISO 8601. */
  readonly expiresAt: string;
  readonly lastLine: string;
}

/** Characters of the last line that are shown, its newest. */
const MAX_LAST_LINE_CHARS = 300;

export function toQuestionPage(
  facts: PageFacts,
  options: { nonce: string; maxChars: number; note?: string },
): string {
  const { client, place, message, expiresAt, lastLine } = facts;
  const { nonce, maxChars, note } = options;
  const shown = lastLine.trim() === '' ? '(nothing)' : lastLine.slice(-MAX_LAST_LINE_CHARS);
  return page(
    nonce,
    `<h1>A secret is asked for</h1>
${note === undefined ? '' : `<p class="note">${toHtmlText(note)}</p>\n`}<dl>
<dt>Asked by</dt><dd>${toHtmlText(client)}</dd>
<dt>It will be typed into</dt><dd>${toHtmlText(place)}</dd>
<dt>What stands there last</dt><dd><code>${toHtmlText(shown)}</code></dd>
<dt>What they say it is for</dt><dd>${toHtmlText(message).replaceAll('\n', '<br>')}</dd>
</dl>
<form method="post" autocomplete="off">
<label for="secret">The secret</label>
<input id="secret" name="secret" type="password" maxlength="${maxChars}" autocomplete="off" autofocus required>
<button type="submit">Type it there</button>
</form>
<p>Only the program that waits there gets it. Who asks does not: it is shown to no agent, and stands in no log and no record.
It is typed only while that program does not show it. If you do not know what this is about, close this page.</p>
<p>This page works once, until ${toHtmlText(expiresAt)}.</p>`,
  );
}

export function toNotePage(nonce: string, title: string, note: string): string {
  return page(nonce, `<h1>${toHtmlText(title)}</h1>\n<p>${toHtmlText(note)}</p>`);
}

function page(nonce: string, body: string): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>pidp10d</title>
<style nonce="${nonce}">
body { font: 16px/1.5 sans-serif; max-width: 42em; margin: 2em auto; padding: 0 1em; }
dt { font-weight: bold; }
dd { margin: 0 0 .7em; overflow-wrap: anywhere; }
code { white-space: pre-wrap; }
input { font: inherit; width: 20em; max-width: 100%; }
.note { border: 2px solid; padding: .5em; }
</style>
</head>
<body>
${body}
</body>
</html>
`;
}
