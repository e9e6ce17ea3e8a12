import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';

/**
 * The MCP SDK makes a schema of every type that MCP has while it loads, OAuth's too, and puts them all into a registry for
 * its users (`specTypeSchemas`): a quarter of the bridge's start, for what nobody here asks. Without the registry, and with
 * zod's calls marked as free of side effects, the bundler drops those that nothing uses.
 */
const SCHEMAS =
  /[/\\]@modelcontextprotocol[/\\](?:core|server)[/\\]dist[/\\](?:schemas|auth|src)-[^/\\]+\.mjs$/;
const REGISTRY =
  /^for \(const (?:key of SPEC_SCHEMA_KEYS|\[key, schema\] of Object\.entries\(authSchemas\))\) register\(.*$/gm;
/** `z.object(`, `ResultSchema.extend(`: the mark counts for the whole chain of calls behind it. */
const SCHEMA_CALL = /(?<![\w.$'"])(?:z|[A-Z]\w*Schema)\.\w+\(/g;

export const unusedSchemas = {
  name: 'unused-schemas',
  setup(b) {
    b.onLoad({ filter: SCHEMAS }, async ({ path }) => {
      const source = await readFile(path, 'utf8');
      if (!basename(path).startsWith('src-')) {
        return { contents: source.replace(SCHEMA_CALL, '/* @__PURE__ */ $&') };
      }
      // A registry that is written in another way is no fault, but would be noticed by nobody else.
      const found = source.match(REGISTRY)?.length ?? 0;
      const warnings =
        found === 2 ? [] : [{ text: `the SDK registers its schemas in ${found} places, not 2` }];
      return { contents: source.replace(REGISTRY, ''), warnings };
    });
  },
};
