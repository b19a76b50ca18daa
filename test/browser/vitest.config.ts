import { defineConfig } from 'vitest/config';

// The tests that need a browser: `npm run test:browser`. `npm test` needs none.
export default defineConfig({
  test: {
    include: ['test/browser/**/*.test.ts'],
    globalSetup: ['test/browser/serve-samples.ts'],
    // One site and one browser serve all tests.
    isolate: false,
    maxWorkers: 1,
    testTimeout: 120_000,
    hookTimeout: 120_000,
  },
});
