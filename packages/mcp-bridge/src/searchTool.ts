/** The tool that finds lines in everything the line, or a program, has ever said, as far as it is kept. Types nothing, reads nothing away. */
import type { MethodInput, MethodResult } from '@pidp10/protocol/methods';
import * as z from 'zod';
import type { CallOptions, DaemonLink } from './daemonLink.ts';
import { defineTool, type Tool, type ToolCall } from './defineTool.ts';
import { toTime } from './floorText.ts';
import type { Groups } from './groups.ts';
import { reportProgress } from './progress.ts';
import type { Requests } from './requests.ts';
import { strict } from './toolInputs.ts';
import { MAX_OUTPUT_CHARS, type ToolResult, toBlockResult } from './toolResult.ts';
import { toCount, toVisible } from './visibleText.ts';

/** Longest line that is shown; read from its offset gives all of it. */
const MAX_LINE_CHARS = 500;
/** Longest search for a client that sees its progress, in ms: minutes for each GB that only files hold. */
const MAX_SEARCH_MS = 600_000;
const MAX_MATCHES = 200;
const MAX_CONTEXT_LINES = 20;
const MAX_TERM_CHARS = 1_000;

/** Not as a schema's pattern: that is a kB of tokens for every conversation. */
const MOMENT = /^\d{4}-\d\d-\d\d(?:T\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:\d\d)?)?$/;

function makeInputs() {
  const term = z.string().min(1).max(MAX_TERM_CHARS).optional();
  const time = z
    .string()
    .refine(
      (text) => MOMENT.test(text) && !Number.isNaN(Date.parse(text)),
      'a time such as 2031-01-01T09:30Z',
    )
    .optional();
  const offset = z.int().min(0).optional();
  const shape = {
    text: term.describe('Words as they stand; or pattern'),
    pattern: term.describe('RE2 regex within one line'),
    ignore_case: z.boolean().default(false),
    order: z.enum(['newest', 'oldest']).default('newest'),
    limit: z.int().min(1).max(MAX_MATCHES).default(20),
    context: z.int().min(0).max(MAX_CONTEXT_LINES).default(0).describe('Lines around each'),
    since: time.describe('ISO 8601'),
    until: time,
    from: offset,
    to: offset,
  };
  const session = z.string().min(1).max(64);
  const ofSession = {
    session_id: session.optional().describe('Search a program instead of the line'),
    stderr: z.boolean().default(false).describe('Of a program with split_stderr'),
  };
  return {
    line: strict(shape),
    both: strict({ ...ofSession, ...shape }),
    commands: strict({ ...ofSession, session_id: session, ...shape }),
  };
}

type Inputs = ReturnType<typeof makeInputs>;
type SearchArgs = z.output<Inputs[keyof Inputs]>;
type Found = MethodResult<'line.search'>;

export interface SearchToolOptions {
  readonly requests: Requests;
  readonly link: DaemonLink;
}

export function defineSearchTool(options: SearchToolOptions): Tool {
  const { groups } = options.requests.settings;
  return defineTool({
    name: 'search',
    title: 'Search all output',
    description: toDescription(groups),
    input: () => toInputs(groups),
    hints: { readOnlyHint: true, idempotentHint: true, openWorldHint: true },
    run: (args, call) => options.requests.attempt('search', () => search(options, args, call)),
  });
}

function toInputs(groups: Groups): Inputs[keyof Inputs] {
  const inputs = makeInputs();
  if (!groups.has('line')) return inputs.commands;
  return groups.has('commands') ? inputs.both : inputs.line;
}

function toDescription(groups: Groups): string {
  const what = groups.has('line')
    ? `Finds lines in everything the line ever showed, older sessions too; each with the offset for read(from=) or screen(at=).${groups.has('commands') ? ' With session_id: in the output of a program, for read_output(from=).' : ''}`
    : 'Finds lines in everything a program printed; each with the offset for read_output(from=).';
  return `${what} Give text or pattern. Nothing counts as read.`;
}

async function search(options: SearchToolOptions, args: SearchArgs, call: ToolCall): Promise<ToolResult> {
  const { result } = await ask(options, toRequest(args), call);
  return toBlockResult(toTexts(result, args));
}

type SearchRequest =
  | { readonly method: 'line.search'; readonly params: MethodInput<'line.search'> }
  | { readonly method: 'session.search'; readonly params: MethodInput<'session.search'> };

/** A client that sees no progress gives up on long calls: it gets what was found by then, and how to go on. */
async function ask({ requests, link }: SearchToolOptions, request: SearchRequest, call: ToolCall) {
  const { signal, clientName, notifyProgress, startMs } = call;
  const { returnAfterMs, progressEveryMs } = requests.settings;
  const waitMs = notifyProgress === undefined ? returnAfterMs : MAX_SEARCH_MS;
  const asked = {
    signal: AbortSignal.any([signal, AbortSignal.timeout(waitMs)]),
    clientName,
    mayStart: false,
    waitMs,
  };
  if (notifyProgress === undefined) return await send(link, request, {}, asked);
  await using report = reportProgress(notifyProgress, { everyMs: progressEveryMs, startMs });
  return await send(link, request, { progressEveryMs }, { ...asked, onProgress: report.update });
}

function send(
  link: DaemonLink,
  { method, params }: SearchRequest,
  more: { readonly progressEveryMs?: number },
  options: CallOptions,
) {
  return method === 'line.search'
    ? link.call(method, { ...params, ...more }, options)
    : link.call(method, { ...params, ...more }, options);
}

function toRequest(args: SearchArgs): SearchRequest {
  const params = toParams(args);
  if (!('session_id' in args) || args.session_id === undefined) return { method: 'line.search', params };
  const { session_id: session, stderr } = args;
  return { method: 'session.search', params: { ...params, session, stream: stderr ? 'err' : 'out' } };
}

function toParams(args: SearchArgs): MethodInput<'line.search'> {
  const { text, pattern, ignore_case: ignoreCase, order, limit, context, since, until, from, to } = args;
  const utc = (each: string) => new Date(each).toISOString();
  return {
    ignoreCase,
    order,
    limit,
    context,
    ...(text !== undefined && { text }),
    ...(pattern !== undefined && { pattern }),
    ...(since !== undefined && { since: utc(since) }),
    ...(until !== undefined && { until: utc(until) }),
    ...(from !== undefined && { from }),
    ...(to !== undefined && { to }),
  };
}

/** Every row of output stands behind an offset or `-`, so that it cannot pass for a line of ours (I17). */
function toTexts({ matches, searched, isComplete }: Found, args: SearchArgs): [string, string] {
  const { order } = args;
  const shown: string[] = [];
  let room = MAX_OUTPUT_CHARS;
  for (const match of matches) {
    const text = toMatch(match);
    room -= text.length + 1;
    if (room < 0) break;
    shown.push(text);
  }
  const isCut = shown.length < matches.length;
  const last = matches[shown.length - 1];
  const edge = isCut && last !== undefined ? { from: last.start, to: last.end } : searched;
  const goOn = order === 'newest' ? `to=${edge.from}` : `from=${edge.to}`;
  const parts = [
    `search: ${shown.length === 1 ? '1 line' : `${toCount(shown.length)} lines`}`,
    isComplete && !isCut
      ? `all of offsets ${searched.from}-${searched.to}`
      : `there may be more: search again with ${goOn}`,
    ...(shown.length > 0 ? [toPlaceWords(args)] : []),
  ];
  return [shown.join('\n'), `[${parts.join(' · ')}]`];
}

function toMatch({ start, at, line, before = [], after = [] }: Found['matches'][number]): string {
  const row = (text: string) => toVisible(toVisible(text).slice(0, MAX_LINE_CHARS)).trimEnd();
  const place = at === undefined ? `${start}` : `${start} ${toTime(at)}`;
  const around = (text: string) => `  - ${row(text)}`.trimEnd();
  return [...before.map(around), `${place}: ${row(line)}`, ...after.map(around)].join('\n');
}

function toPlaceWords(args: SearchArgs): string {
  if (!('session_id' in args) || args.session_id === undefined)
    return 'read(from=OFFSET) or screen(at=OFFSET) shows a place';
  return `${args.stderr ? 'read_stderr' : 'read_output'}(from=OFFSET) shows a place`;
}
