import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isMethodName, METHODS } from '../../src/common/methods.ts';
import { MAX_WAIT_MS } from '../../src/common/schemas.ts';

describe('parameters', () => {
  test('defaults are those of pidp10-mcp', () => {
    expect(METHODS['line.send'].params.parse({ input: 'x' })).toEqual({
      input: 'x',
      floor: 'wait',
      floorWaitMs: 30_000,
      timeoutMs: 10_000,
      quietMs: 700,
      autoMore: true,
      raw: false,
      dryRun: false,
      paste: false,
      confirm: false,
      maxPages: 20,
      echo: 'keep',
      settleMs: 150,
      maxChars: 20_000,
      tidy: true,
    });
    expect(METHODS['line.read'].params.parse({})).toMatchObject({
      timeoutMs: 2_000,
      quietMs: 700,
      autoMore: true,
    });
    expect(METHODS['line.peek'].params.parse({})).toEqual({ chars: 2_000 });
    expect(METHODS['line.open'].params.parse({})).toEqual({
      timeoutMs: 5_000,
      floor: 'wait',
      floorWaitMs: 30_000,
    });
  });

  test.each([
    ['line.send', {}],
    ['line.send', { input: 'x', timeoutMs: MAX_WAIT_MS + 1 }],
    ['line.send', { input: 'x', timeoutMs: -1 }],
    ['line.send', { input: 'x', timeoutMs: 0.5 }],
    ['line.send', { input: 'x', expect: '' }],
    ['line.open', { port: 0 }],
    ['line.open', { port: 65_536 }],
    ['line.open', { host: '' }],
    ['line.open', { terminal: '' }],
    ['line.open', { terminal: 'BADTYPE' }],
    ['line.open', { terminal: 'VT5' }],
    ['reader.commit', { end: -1 }],
    ['reader.commit', { end: 2 ** 53 }],
    ['hello', { protocol: { major: 1, minor: 0 }, client: { name: '', version: '1' } }],
  ] as const)('%s refuses %j', (method, params) => {
    expect(METHODS[method].params.safeParse(params).success).toBe(false);
  });

  test('I14 · unknown fields are ignored everywhere', () => {
    expect(METHODS['line.status'].params.parse({ later: 1 })).toEqual({});
    expect(METHODS['line.read'].params.parse({ later: 1 })).not.toHaveProperty('later');
  });

  test('D11 · I18 · no JSON makes a schema throw, and __proto__ is a field like any other', () => {
    fc.assert(
      fc.property(fc.json(), fc.constantFrom(...Object.values(METHODS)), (json, { params }) => {
        params.safeParse(JSON.parse(json));
      }),
    );
    METHODS['line.read'].params.parse(JSON.parse('{"__proto__":{"polluted":1}}'));
    expect('polluted' in {}).toBe(false);
  });
});

test('what every object inherits is no method', () => {
  expect(isMethodName('line.send')).toBe(true);
  for (const name of ['constructor', '__proto__', 'toString', '', 'line.'])
    expect(isMethodName(name)).toBe(false);
});
