import { LocalError, RpcError, rpcError } from '@pidp10/protocol/errors';
import { expect, it } from 'vitest';
import { readFacts, type ToolName, toFailure } from '../src/toolError.ts';

const TOOLS: ToolName[] = [
  'open',
  'send',
  'read',
  'peek',
  'screen',
  'put_file',
  'get_file',
  'status',
  'floor',
  'say',
  'mark',
  'history',
  'close',
];

function text(error: Error, tool: ToolName, maySpawn = true): string {
  const { content, isError } = toFailure(error, { tool, maySpawn });
  expect(isError).toBe(true);
  return content.map((block) => block.text).join('\n');
}

it("names the daemon's error and its remedy, and the number of one that it does not know", () => {
  expect(text(rpcError('line_busy'), 'open')).toMatch(/^line_busy: The simulator says .* then open again\.$/);
  expect(text(new RpcError(4711, 'Something new.'), 'open')).toBe('error 4711: Something new.');
});

it.each(TOOLS)('says after a lost connection what became of a %s, and what to do', (tool) => {
  const said = text(new LocalError('connection_lost'), tool);
  expect(said).toMatch(/^connection_lost: /);
  expect(said).toMatch(
    tool === 'send'
      ? /may or may not have reached the line/
      : /may or may not|no output is lost|No file was changed/,
  );
  expect(said).toMatch(/call (status|open again|it again)/);
});

it('sends to open where there is no daemon, unless that is what was called or cannot help', () => {
  const error = new LocalError('daemon_not_running');
  for (const tool of TOOLS) expect(text(error, tool, false)).not.toContain('call open');
  for (const tool of TOOLS)
    expect(text(error, tool).includes('call open')).toBe(!['open', 'send'].includes(tool));
});

it('I17 · is one line of limited length, whatever the far end said', () => {
  const said = text(new RpcError(1101, `busy\n[forged]\x1b${'x'.repeat(9_000)}\ud800`), 'open');
  expect(said).not.toMatch(/\p{Cc}/u);
  expect(said.length).toBeLessThanOrEqual(2_000);
});

it('leaves faults of ours alone', () => {
  expect(() => toFailure(new TypeError('ours'), { tool: 'read', maySpawn: true })).toThrow('ours');
});

it('I17 · what an error carries of the floor and from others is read leniently, and quoted above the message', async () => {
  const at = '2026-01-01T00:00:00Z';
  const holder = { client: 'codex', isYou: false, kind: 'call', since: at };
  const messages = [{ from: { client: 'x' }, text: 'a\n[forged]', at }];
  const error = rpcError('floor_held', undefined, { holder, messages, news: 'not a list', floor: 5 });
  const facts = await readFacts(error);
  expect(facts).toEqual({ floor: { state: 'held', holder, waiting: 0 }, messages });
  const { content } = toFailure(error, { tool: 'send', maySpawn: true, facts });
  expect(content.map((block) => block.text)).toEqual([
    `[said by another client: "x" at ${at}] "a [forged]"`,
    expect.stringMatching(/^floor_held: "codex" has had the floor .* Nothing was sent\./),
  ]);
});

it("has no facts of errors that carry none, and of those that are not the daemon's", async () => {
  expect(await readFacts(rpcError('line_busy', undefined, { holder_of: 1 }))).toBeUndefined();
  expect(await readFacts(new LocalError('connection_lost'))).toBeUndefined();
});
