import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['packages/*/test/**/*.test.ts', 'test/**/*.test.ts'],
    testTimeout: 30_000,
    // Integration tests start several processes each; more at once only slow each other down on two cores.
    maxWorkers: 4,
    reporters: ['default', './scripts/plain-reporter.mjs'],
    coverage: {
      provider: 'v8',
      include: ['packages/*/src/**'],
      reporter: ['text-summary', 'html'],
      thresholds: { 'packages/daemon/src/core/**': { lines: 95 } },
    },
  },
});
