/**
 * Who may import whom (docs/architecture.md). The compiler holds the core's purity; this test holds the rest, and says
 * which file broke which rule.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const ROOT = fileURLToPath(new URL('..', import.meta.url));

interface Layer {
  readonly folder: string;
  /** What its files may import; a relative import counts as the path below `packages/`. */
  readonly may: readonly RegExp[];
}

const DAEMON_ROOT = /^daemon\/src\/[a-zA-Z]+\.ts$/;

/** The most special folder first: a file belongs to the first layer that its path begins with. */
const LAYERS: readonly Layer[] = [
  { folder: 'protocol/src/common', may: [/^zod$/, /^protocol\/src\/common\//] },
  { folder: 'protocol/src/node', may: [/^zod$/, /^node:/, /^ws$/, /^protocol\/src\//] },
  { folder: 'daemon/src/core/its', may: [/^daemon\/src\/core\//] },
  { folder: 'daemon/src/core', may: [/^daemon\/src\/core\//] },
  {
    folder: 'daemon/src/io',
    may: [
      /^node:/,
      /^@pidp10\/protocol\//,
      /^pino$/,
      /^ws$/,
      /^daemon\/src\/io\//,
      /^@lydell\/node-pty$/,
      /^@xterm\/headless$/,
      /^daemon\/src\/core\/(events|journal\/\w+)\.ts$/,
    ],
  },
  {
    folder: 'daemon/src/rpc',
    may: [/^zod$/, /^@pidp10\/protocol\/(?!node\/)/, /^daemon\/src\/(rpc|core)\//],
  },
  {
    folder: 'daemon/src/ctl',
    may: [/^node:/, /^yargs/, /^zod$/, /^@pidp10\/protocol\//, /^daemon\/src\/ctl\//, /version\.ts$/],
  },
  { folder: 'daemon/src/bin', may: [/^node:/, /^daemon\/src\/ctl\//, DAEMON_ROOT] },
  {
    folder: 'daemon/src',
    may: [/^node:/, /^zod$/, /^yargs$/, /^@pidp10\/protocol\//, /^daemon\/src\/(core|io|rpc)\//, DAEMON_ROOT],
  },
  {
    folder: 'mcp-bridge/src',
    may: [
      /^node:/,
      /^zod$/,
      /^yargs/,
      /^@pidp10\/protocol\//,
      /^@modelcontextprotocol\/server/,
      /^mcp-bridge\/src\//,
    ],
  },
  { folder: 'fakeline/src', may: [/^node:/, /^fakeline\/src\//] },
];

/** The MCP SDK is known to three files only (server, tools, resources and prompts), so that its next change stays small. */
const MAX_SDK_FILES = 3;

interface Import {
  readonly file: string;
  readonly target: string;
}

function filesBelow(folder: string): string[] {
  return readdirSync(join(ROOT, 'packages', folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.ts') && !entry.name.endsWith('.d.ts'))
    .map((entry) => relative(join(ROOT, 'packages'), join(entry.parentPath, entry.name)));
}

function importsOf(file: string): Import[] {
  const text = readFileSync(join(ROOT, 'packages', file), 'utf8');
  const found = text.matchAll(
    /(?:^|\n)\s*(?:import|export)\s[^'"`;]*?from\s*['"]([^'"]+)['"]|import\(\s*['"]([^'"]+)['"]/g,
  );
  return [...found].map((match) => {
    const specifier = match[1] ?? match[2] ?? '';
    return { file, target: specifier.startsWith('.') ? join(dirname(file), specifier) : specifier };
  });
}

const FILES = ['protocol', 'daemon', 'mcp-bridge', 'fakeline'].flatMap((name) => filesBelow(`${name}/src`));

describe('layers', () => {
  it('finds sources and imports at all', () => {
    expect(FILES.length).toBeGreaterThan(60);
    expect(FILES.flatMap(importsOf).length).toBeGreaterThan(FILES.length);
  });

  it.each(LAYERS)('$folder imports only what its layer may', ({ folder, may }) => {
    const own = FILES.filter(
      (file) => LAYERS.find((layer) => file.startsWith(`${layer.folder}/`))?.folder === folder,
    );
    const broken = own
      .flatMap(importsOf)
      .filter(({ target }) => !may.some((allowed) => allowed.test(target)));
    expect(broken).toEqual([]);
  });

  it('keeps the MCP SDK in three files', () => {
    const users = FILES.filter((file) =>
      importsOf(file).some(({ target }) => target.startsWith('@modelcontextprotocol/')),
    );
    expect(users.length).toBeLessThanOrEqual(MAX_SDK_FILES);
  });

  it('keeps every source file under 400 lines', () => {
    const long = FILES.filter(
      (file) => readFileSync(join(ROOT, 'packages', file), 'utf8').split('\n').length > 400,
    );
    expect(long).toEqual([]);
  });

  it('keeps clocks and chance out of the core', () => {
    const core = FILES.filter((file) => file.startsWith('daemon/src/core/'));
    const impure = core.filter((file) =>
      /Date\.now|new Date\b|Math\.random|performance\.|setTimeout|setInterval/.test(
        readFileSync(join(ROOT, 'packages', file), 'utf8'),
      ),
    );
    expect(impure).toEqual([]);
  });
});
