// Runs every benchmark of this folder, or those named: `pnpm bench drain`. Figures vary with the machine; compare ratios.
import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const folder = dirname(fileURLToPath(import.meta.url));
const wanted = process.argv.slice(2);
const all = readdirSync(folder).filter((file) => file.endsWith('.mjs') && file !== 'run.mjs');
const files = wanted.length === 0 ? all : all.filter((file) => wanted.includes(file.replace('.mjs', '')));
if (files.length === 0) {
  console.error(`no such benchmark; there are: ${all.map((file) => file.replace('.mjs', '')).join(', ')}`);
  process.exit(2);
}
let failed = 0;
for (const file of files) {
  console.log(`\n# ${file}`);
  const { status } = spawnSync(process.execPath, [join(folder, file)], { stdio: 'inherit' });
  if (status !== 0) failed += 1;
}
process.exit(failed === 0 ? 0 : 1);
