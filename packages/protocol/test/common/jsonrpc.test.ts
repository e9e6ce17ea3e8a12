import { expect, test } from 'vitest';
import {
  classifyMessage,
  toFailureText,
  toNotificationText,
  toRequestText,
  toResultText,
} from '../../src/common/jsonrpc.ts';

function classify(json: string) {
  return classifyMessage(JSON.parse(json));
}

test.each([
  [
    'a request',
    '{"jsonrpc":"2.0","id":7,"method":"m","params":{"a":1}}',
    { kind: 'request', id: 7, method: 'm', params: { a: 1 } },
  ],
  [
    'I10 · id 0 is an id',
    '{"jsonrpc":"2.0","id":0,"method":"m"}',
    { kind: 'request', id: 0, method: 'm', params: {} },
  ],
  [
    'an empty string is an id',
    '{"jsonrpc":"2.0","id":"","method":"m"}',
    { kind: 'request', id: '', method: 'm', params: {} },
  ],
  [
    'params by position go through, for the schema to refuse',
    '{"jsonrpc":"2.0","id":1,"method":"m","params":[1]}',
    { kind: 'request', id: 1, method: 'm', params: [1] },
  ],
  ['a notification', '{"jsonrpc":"2.0","method":"m"}', { kind: 'notification', method: 'm', params: {} }],
  ['a result', '{"jsonrpc":"2.0","id":0,"result":null}', { kind: 'result', id: 0, result: null }],
  [
    'a failure',
    '{"jsonrpc":"2.0","id":1,"error":{"code":1,"message":"x"}}',
    { kind: 'failure', id: 1, error: { code: 1, message: 'x' } },
  ],
  [
    'a failure without id',
    '{"jsonrpc":"2.0","id":null,"error":{"code":1,"message":"x"}}',
    { kind: 'failure', id: undefined, error: { code: 1, message: 'x' } },
  ],
])('%s', (_title, json, message) => {
  expect(classify(json)).toEqual(message);
});

test.each([
  ['a batch', '[{"jsonrpc":"2.0","id":1,"method":"m"}]', undefined, 'Batches are not supported'],
  ['an empty batch', '[]', undefined, 'Batches are not supported'],
  ['a number', '1', undefined, 'not an object'],
  ['null', 'null', undefined, 'not an object'],
  ['no version', '{"id":1,"method":"m"}', 1, '"jsonrpc"'],
  ['another version', '{"jsonrpc":"1.0","id":1,"method":"m"}', 1, '"jsonrpc"'],
  ['a version as a number', '{"jsonrpc":2.0,"id":1,"method":"m"}', 1, '"jsonrpc"'],
  ['id null', '{"jsonrpc":"2.0","id":null,"method":"m"}', undefined, 'id must be'],
  ['a float id', '{"jsonrpc":"2.0","id":1.5,"method":"m"}', undefined, 'id must be'],
  ['id 2^53+1', '{"jsonrpc":"2.0","id":9007199254740993,"method":"m"}', undefined, 'id must be'],
  ['id 1e400', '{"jsonrpc":"2.0","id":1e400,"method":"m"}', undefined, 'id must be'],
  ['an object as id', '{"jsonrpc":"2.0","id":{},"method":"m"}', undefined, 'id must be'],
  ['id true', '{"jsonrpc":"2.0","id":true,"method":"m"}', undefined, 'id must be'],
  ['method as a number', '{"jsonrpc":"2.0","id":1,"method":1}', 1, '"method"'],
  ['params as text', '{"jsonrpc":"2.0","id":1,"method":"m","params":"x"}', 1, '"params"'],
  ['neither call nor answer', '{"jsonrpc":"2.0","id":1}', 1, 'no "method"'],
  ['result and error', '{"jsonrpc":"2.0","id":1,"result":1,"error":{"code":1,"message":"x"}}', 1, 'not both'],
  ['a result without id', '{"jsonrpc":"2.0","result":1}', undefined, 'id of an answer'],
  ['an error without code', '{"jsonrpc":"2.0","id":1,"error":{"message":"x"}}', 1, '"error"'],
  ['the method in __proto__', '{"jsonrpc":"2.0","id":1,"__proto__":{"method":"m"}}', 1, 'no "method"'],
])('D11 · invalid: %s', (_title, json, id, problem) => {
  const message = classify(json);
  expect(message).toMatchObject({ kind: 'invalid' });
  expect(message.kind === 'invalid' && [message.id, message.problem]).toEqual([
    id,
    expect.stringContaining(problem),
  ]);
});

test('D11 · __proto__ keys change nobody else', () => {
  classify('{"jsonrpc":"2.0","id":1,"method":"m","params":{"__proto__":{"polluted":1}}}');
  expect('polluted' in {}).toBe(false);
});

test('texts are what a classifier of the other side reads', () => {
  expect(classify(toRequestText(0, 'm', { a: 1 }))).toEqual({
    kind: 'request',
    id: 0,
    method: 'm',
    params: { a: 1 },
  });
  expect(classify(toNotificationText('m', {}))).toEqual({ kind: 'notification', method: 'm', params: {} });
  expect(classify(toResultText('', undefined))).toEqual({ kind: 'result', id: '', result: {} });
  expect(classify(toFailureText(undefined, { code: 1, message: 'x' }))).toMatchObject({
    kind: 'failure',
    id: undefined,
  });
});

test('I10 · an error whose data is not JSON is sent without it', () => {
  expect(toFailureText(1, { code: 2, message: 'x', data: { n: 1n } })).toBe(
    '{"jsonrpc":"2.0","id":1,"error":{"code":2,"message":"x"}}',
  );
});
