import { expect, test } from 'vitest';
import { parseTrace, startTrace } from '../src/index.ts';
import { TestClient } from './client.ts';
import { readRecording, toSteps } from './recordings.ts';

test('a recording is served as it was recorded, to each client', async () => {
  const entries = readRecording('04b-more-cmd');
  await using server = await startTrace({ entries });
  for (const round of [1, 2]) {
    await using client = await TestClient.open(server.port);
    let expected = '';
    for (const step of toSteps(entries)) {
      client.send(step.sent);
      expected += step.received;
      await client.until(() => client.received.length >= expected.length, step.sent);
      expect(client.text).toBe(expected);
    }
    await server.waitFor(() => server.completed === round, { what: 'the end of the replay' });
  }
  expect(server.mismatches).toEqual([]);
});

test('other bytes than the recorded are reported with their place and the replay goes on', async () => {
  const entries = parseTrace(
    ['{"t":0,"dir":"in","hex":"41"}', '{"t":1,"dir":"out","hex":"1a"}', '{"t":2,"dir":"in","hex":"42"}'].join(
      '\n',
    ),
  );
  await using server = await startTrace({ entries });
  await using client = await TestClient.open(server.port);
  client.send('x');
  await client.untilEnd('AB');
  expect(server.mismatches).toEqual([
    { connection: 1, line: 2, offset: 0, expected: Buffer.from('\x1a'), found: Buffer.from('x') },
  ]);
});

test.each([
  ['eof', 'fin'],
  ['rst', 'reset'],
])('%s of a recording is carried out', async (dir, how) => {
  await using server = await startTrace({ entries: parseTrace(`{"t":0,"dir":"${dir}"}`) });
  await using client = await TestClient.open(server.port);
  await client.untilClosed();
  expect(client.ended).toBe(how);
});

test('with timing an answer comes as late as it was recorded', async () => {
  const entries = parseTrace('{"t":0,"dir":"in","hex":"41"}\n{"t":0.06,"dir":"in","hex":"42"}\n');
  await using server = await startTrace({ entries, hasTiming: true });
  await using client = await TestClient.open(server.port);
  await client.untilEnd('A');
  const fromMs = performance.now();
  await client.untilEnd('B');
  expect(performance.now() - fromMs).toBeGreaterThan(40);
});

test.each(['[]', '{"t":"0","dir":"in"}', '{"t":0,"dir":"up"}'])('%s is no recording', (text) => {
  expect(() => parseTrace(text)).toThrow('line 1 of the recording');
});
