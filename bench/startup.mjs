// Time from spawning the bridge to the answer of `initialize`, beside an empty node. Medians of several runs.
import { spawn, spawnSync } from 'node:child_process';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const RUNS = 15;
const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const bridge = join(root, 'packages/mcp-bridge/bin/pidp10-mcp.js');
const initialize = `${JSON.stringify({
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'bench', version: '0' } },
})}\n`;

function median(values) {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)];
}

function empty() {
  const start = performance.now();
  spawnSync(process.execPath, ['-e', '0']);
  return performance.now() - start;
}

function answered() {
  return new Promise((resolve) => {
    const start = performance.now();
    const child = spawn(process.execPath, [bridge], { stdio: ['pipe', 'pipe', 'ignore'] });
    child.stdout.once('data', () => {
      child.stdin.end();
      resolve(performance.now() - start);
    });
    child.stdin.write(initialize);
  });
}

const node = [];
const bridges = [];
for (let run = 0; run < RUNS; run += 1) {
  node.push(empty());
  bridges.push(await answered());
}
console.log(`node -e 0            ${median(node).toFixed(0)} ms`);
console.log(
  `bridge to initialize ${median(bridges).toFixed(0)} ms (budget: 80 where an empty node takes 25)`,
);
