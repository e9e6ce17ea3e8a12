import { cpSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { unusedSchemas } from './unused-schemas.mjs';

/**
 * The MCP SDK makes an Ajv at start (14 ms here, ten times that on a small Pi) and uses it only for elicitation. Its server
 * asks the shims for the validator: given is one that loads the real one, from a file of its own, when it is first needed.
 */
const AJV_FILE = './ajv.cjs';
const lazyAjv = {
  name: 'lazy-ajv',
  setup(b) {
    b.onResolve({ filter: /^@modelcontextprotocol\/server\/_shims$/ }, (a) => ({
      path: a.resolveDir,
      namespace: 'lazy-ajv',
    }));
    b.onLoad({ filter: /./, namespace: 'lazy-ajv' }, (a) => ({
      contents: `export { default as process } from 'node:process';
      export class DefaultJsonSchemaValidator {
        #real;
        getValidator(schema) {
          this.#real ??= new (require(${JSON.stringify(AJV_FILE)}).AjvJsonSchemaValidator)();
          return this.#real.getValidator(schema);
        }
      }`,
      resolveDir: a.path,
    }));
  },
};
const common = {
  bundle: true,
  platform: 'node',
  target: 'node20',
  format: 'esm',
  minify: true,
  legalComments: 'linked',
  // CommonJS dependencies inside an ESM bundle call require() for node's own modules
  banner: {
    js: "import { createRequire as __cr } from 'node:module';const require = __cr(import.meta.url);",
  },
  outExtension: { '.js': '.mjs' },
  logLevel: 'warning',
  splitting: true,
  chunkNames: 'chunk-[hash]',
  external: ['@lydell/node-pty', '@xterm/headless', '@xterm/addon-serialize', AJV_FILE],
  // yargs 18 -> cliui -> string-width makes an Intl.Segmenter: 40 ms; our help is ASCII
  alias: { 'string-width': fileURLToPath(new URL('./string-width-ascii.mjs', import.meta.url)) },
  plugins: [lazyAjv, unusedSchemas],
};

function bundle(pkg, ...entries) {
  const outdir = `packages/${pkg}/bundle`;
  rmSync(outdir, { recursive: true, force: true });
  return build({ ...common, entryPoints: entries.map((e) => `packages/${pkg}/src/bin/${e}.ts`), outdir });
}
// With names of packages only those: `node scripts/bundle.mjs mcp-bridge`
const PROGRAMS = { daemon: ['pidp10d', 'pidp10ctl'], 'mcp-bridge': ['pidp10-mcp'] };
const names = process.argv.length > 2 ? process.argv.slice(2) : Object.keys(PROGRAMS);
await Promise.all(names.map((name) => bundle(name, ...PROGRAMS[name])));
if (names.includes('mcp-bridge')) {
  await build({
    bundle: true,
    platform: 'node',
    target: 'node20',
    format: 'cjs',
    minify: true,
    legalComments: 'linked',
    stdin: {
      contents: "module.exports = require('@modelcontextprotocol/server/validators/ajv');",
      resolveDir: 'packages/mcp-bridge',
    },
    outfile: join('packages/mcp-bridge/bundle', AJV_FILE),
  });
}
if (names.includes('daemon')) {
  // Units, man pages and completion files belong to the package: `pidp10ctl service install` takes them from there.
  const packaging = 'packages/daemon/packaging';
  rmSync(packaging, { recursive: true, force: true });
  cpSync('packaging', packaging, { recursive: true });
}
