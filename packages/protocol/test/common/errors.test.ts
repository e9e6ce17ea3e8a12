import { expect, test } from 'vitest';
import {
  LOCAL_ERRORS,
  LocalError,
  RPC_ERRORS,
  RpcError,
  rpcError,
  rpcErrorName,
} from '../../src/common/errors.ts';

test('an error of the table carries number, name, what was found and the remedy', () => {
  const error = rpcError('line_busy', 'Line 0 is held.', { line: 0 });
  expect(error).toBeInstanceOf(RpcError);
  expect(error.code).toBe(1101);
  expect(error.data).toEqual({ name: 'line_busy', line: 0 });
  expect(error.message).toBe(`Line 0 is held. ${RPC_ERRORS.line_busy.remedy}`);
  expect(rpcError('line_busy').message).toContain(RPC_ERRORS.line_busy.meaning);
});

test('names and numbers are found both ways', () => {
  for (const [name, { code }] of Object.entries(RPC_ERRORS)) expect(rpcErrorName(code)).toBe(name);
  expect(rpcErrorName(999_999)).toBeUndefined();
});

test('no number is given twice, and ours are positive', () => {
  const codes = Object.values(RPC_ERRORS).map(({ code }) => code);
  expect(new Set(codes).size).toBe(codes.length);
  for (const code of codes) expect(code > 0 || (code >= -32_768 && code <= -32_000)).toBe(true);
});

test('each entry is made of sentences', () => {
  for (const { meaning, remedy } of [...Object.values(RPC_ERRORS), ...Object.values(LOCAL_ERRORS)]) {
    expect(meaning).toMatch(/\.$/);
    expect(remedy).toMatch(/[.…]$/);
  }
});

test('a local error keeps its cause', () => {
  const cause = new Error('ENOENT');
  const error = new LocalError('daemon_not_running', 'Nobody at /s.', cause);
  expect(error).toMatchObject({ code: 'daemon_not_running', cause });
  expect(error.message).toMatch(/^Nobody at \/s\. Start it/);
  expect('cause' in new LocalError('cancelled')).toBe(false);
});
