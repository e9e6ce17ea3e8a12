import { describe, expect, it } from 'vitest';
import { parseArguments, tryParseFast } from '../src/cli.ts';

const FLAGS = [
  '--name',
  'vt05',
  '--socket=/s',
  '--state-dir',
  '/d',
  '--host',
  'h',
  '--port=7',
  '--reader',
  'r',
  '--no-spawn',
];

describe('the command line', () => {
  it('is the same to both ways of reading it', async () => {
    const flags = {
      name: 'vt05',
      socket: '/s',
      stateDir: '/d',
      host: 'h',
      port: '7',
      reader: 'r',
      spawn: false,
    };
    expect(tryParseFast(FLAGS)).toEqual({ kind: 'flags', flags });
    expect(await parseArguments(FLAGS)).toEqual({ kind: 'flags', flags });
    expect(tryParseFast([])).toMatchObject({ kind: 'flags', flags: { host: undefined, spawn: true } });
    expect(await parseArguments([])).toMatchObject({
      kind: 'flags',
      flags: { host: undefined, spawn: true },
    });
  });

  it.each([['--help'], ['--version'], ['--porter', '1'], ['stray'], ['--port']])(
    'leaves %s to the slow way',
    (...argv) => {
      expect(tryParseFast(argv)).toBeUndefined();
    },
  );

  it('answers --help and --version with text, and names what is wrong', async () => {
    expect(await parseArguments(['--version'])).toEqual({ kind: 'text', text: '0.1.0' });
    expect(await parseArguments(['--help'])).toMatchObject({
      kind: 'text',
      text: expect.stringContaining('--state-dir'),
    });
    expect(await parseArguments(['--porter', '1'])).toMatchObject({
      kind: 'wrong',
      problem: expect.stringContaining('porter'),
    });
    expect(await parseArguments(['--port'])).toMatchObject({
      kind: 'wrong',
      problem: expect.stringContaining('port'),
    });
    expect(await parseArguments(['stray'])).toMatchObject({
      kind: 'wrong',
      problem: expect.stringContaining('stray'),
    });
  });
});
