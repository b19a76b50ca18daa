import { configDefaults, defineConfig } from 'vitest/config';

// Packages are tested as users run them: micromark's development build checks every token, for a fifth of the suite's time.
process.env['NODE_ENV'] = 'production';

export default defineConfig({
  test: {
    // Those need a browser: `npm run test:browser`.
    exclude: [...configDefaults.exclude, 'test/browser/**'],
    // Test files share the modules they load, and both cores work.
    isolate: false,
    maxWorkers: '100%',
    // Far above what any test takes: a slow machine is no failure.
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
});
