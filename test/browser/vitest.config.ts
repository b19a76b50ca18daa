import { defineConfig } from 'vitest/config';
import { clearSettings } from '../support/clear-settings.ts';

clearSettings(process.env);

// The tests that need a browser: `npm run test:browser`. `npm test` needs none.
export default defineConfig({
  test: {
    include: ['test/browser/**/*.test.ts'],
    globalSetup: ['test/browser/serve-samples.ts'],
    // One site serves all tests. Each worker has a browser.
    isolate: false,
    maxWorkers: 2,
    experimental: { fsModuleCache: true },
    testTimeout: 120_000,
    hookTimeout: 120_000,
    // A busy machine shows a page late.
    expect: { poll: { timeout: 30_000 } },
  },
});
