import { spawnSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { inheritableDescriptors, withoutDescriptors } from '../../../src/io/process/inheritedDescriptors.ts';
import { onPty } from './recorder.ts';

test('P11 · the master of a PTY is found, an ordinary file is not', async () => {
  const before = inheritableDescriptors();
  await onPty(['sleep', '60']);
  expect(inheritableDescriptors().length).toBe(before.length + 1);
});

test('nothing to close: nothing is changed', () => {
  const invocation = { file: '/bin/true', args: ['a'] };
  expect(withoutDescriptors(invocation, [])).toBe(invocation);
});

test('the program gets its arguments and environment as they are, and not the descriptors', () => {
  const { file, args } = withoutDescriptors(
    { file: '/bin/sh', args: ['-c', 'echo "$1|$2|$#"; echo /proc/$$/fd/*', 'x', '$(no)\n;', ''] },
    [11, 12],
  );
  const env = { PATH: '/usr/bin:/bin', BASH_ENV: '/dev/stdin', 'BASH_FUNC_exec%%': '() { echo hijacked; }' };
  // spawnSync hands descriptors on by position: 11 and 12 are open in the child.
  const stdio: ('pipe' | 'ignore' | number)[] = [
    'ignore',
    'pipe',
    'pipe',
    ...Array.from({ length: 8 }, () => 'ignore' as const),
    1,
    1,
  ];
  const { stdout, stderr } = spawnSync(file, args, { env, stdio, encoding: 'utf8' });
  expect(stderr).toBe('');
  const lines = stdout.split('\n');
  expect(lines.slice(0, 2).join('\n')).toBe('$(no)\n;||2');
  const open = [...(lines[2] ?? '').matchAll(/fd\/(\d+)/g)].map(([, fd]) => Number(fd));
  expect(open).toEqual(expect.arrayContaining([0, 1, 2]));
  expect(open).not.toEqual(expect.arrayContaining([11]));
  expect(open).not.toEqual(expect.arrayContaining([12]));
});
