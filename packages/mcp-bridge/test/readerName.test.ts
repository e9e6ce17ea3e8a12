import { helloParams } from '@pidp10/protocol/daemonSchemas';
import { MAX_READER_NAME_CHARS } from '@pidp10/protocol/limits';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { deriveReaderName } from '../src/readerName.ts';

it('is the client and its folder, the same each time', () => {
  const name = deriveReaderName('claude-code', '/home/me/project');
  expect(name).toMatch(/^claude-code-[0-9a-f]{8}$/);
  expect(deriveReaderName('claude-code', '/home/me/project')).toBe(name);
  expect(deriveReaderName('claude-code', '/home/me/other')).not.toBe(name);
  expect(deriveReaderName('Visual Studio Code', '/')).toMatch(/^Visual-Studio-Code-[0-9a-f]{8}$/);
  expect(deriveReaderName('\u{1f600}', '/')).toMatch(/^client-[0-9a-f]{8}$/);
});

it('is a name that the daemon takes, with room for #2, whatever the client calls itself', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 200 }), (client) => {
      const name = deriveReaderName(client, '/');
      expect(helloParams.shape.reader.safeParse(name).success).toBe(true);
      expect(name.length).toBeLessThanOrEqual(MAX_READER_NAME_CHARS - 3);
    }),
  );
});
