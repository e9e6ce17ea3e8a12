import { describe, expect, test } from 'vitest';
import { maskConfig, maskText } from '../../../src/ctl/doctor/mask.ts';

describe('C03: no secret leaves the machine in a report', () => {
  test('settings by their names, however deep, and secrets inside of others', () => {
    expect(
      maskConfig({
        host: 'pi',
        port: 10_018,
        web: { token: 'abc', readTokens: ['x', 7], on: true },
        authPassword: { a: 'b', on: false },
        url: 'ws://user:hunter2@pi/',
        list: ['password=hunter2'],
        nothing: null,
      }),
    ).toEqual({
      host: 'pi',
      port: 10_018,
      web: { token: '***', readTokens: ['***', '***'], on: true },
      authPassword: { a: '***', on: false },
      url: 'ws://user:***@pi/',
      list: ['password=***'],
      nothing: null,
    });
  });

  test.each([
    ['token=abc rest', 'token=*** rest'],
    ['{"password": "a \\"b\\" c", "x": 1}', '{"password": "***", "x": 1}'],
    ["passwd='a b' c", "passwd='***' c"],
    ['Authorization: Bearer abc.def', 'Authorization: Bearer ***'],
    ['id 0123456789abcdef0123456789abcdef end', 'id *** end'],
    ['0123456789abcdef0123456789abcde', '0123456789abcdef0123456789abcde'],
    ['aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa', 'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa'],
    ['{"level":30,"msg":"serving"}', '{"level":30,"msg":"serving"}'],
  ])('%s', (text, expected) => {
    expect(maskText(text)).toBe(expected);
  });
});
