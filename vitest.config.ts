import { configDefaults, defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { clearSettings } from './test/support/clear-settings.ts';
import { createMemoryFolder } from './test/support/memory-folder.ts';
import { hasPostgres } from './test/support/postgres-server.ts';

// Packages are tested as users run them: micromark's development build checks every token, for a fifth of the suite's time.
process.env['NODE_ENV'] = 'production';
clearSettings(process.env);
// Stores sync their files to the disk, and a third of the suite's time would be waiting for it.
const folder = process.env['TMPDIR'] ?? createMemoryFolder();
if (folder !== undefined) process.env['TMPDIR'] = folder;

/** Slow tests that take longest although their files are short. Begun first, so that no core waits for one of them in the end. */
const longest = [
  'process/',
  'script-runtime/',
  'ci/',
  'content-sync/git-sync/',
  'cli/help/examples',
  'cli/list-tables',
  'docs/published',
  'resources/conversations/engine',
  'stores/check/damages',
  'stores/killed-',
  'transcripts',
];

/** Begins with what takes longest. Vitest knows how long files take only after it has run them once, and begins with large ones. */
class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const isLong = ({ moduleId }: TestSpecification): boolean =>
      longest.some((part) => moduleId.includes(`/test/${part}`) && moduleId.endsWith('.slow.test.ts'));
    return [...sorted.filter(isLong), ...sorted.filter((file) => !isLong(file))];
  }
}

if (!hasPostgres())
  console.warn(
    'PostgreSQL was not found: its tests are left out. Install it, for example with `apt-get install postgresql`.',
  );

export default defineConfig({
  test: {
    // Those need a browser: `npm run test:browser`.
    exclude: [
      ...configDefaults.exclude,
      'test/browser/**',
      ...(hasPostgres() ? [] : ['test/stores/postgres/**']),
    ],
    // Test files share the modules they load, and both cores work.
    isolate: false,
    maxWorkers: '100%',
    setupFiles: [
      'test/support/kept-validators.ts',
      'test/support/compare-bytes.ts',
      'test/support/fixed-seed.ts',
    ],
    globalSetup: ['test/support/shared-postgres.ts'],
    sequence: { sequencer: LongestFirst },
    // Files that did not change are not transformed again.
    experimental: { fsModuleCache: true },
    // Short-lived objects are most of what tests make: in a larger young generation fewer of them are copied.
    execArgv: ['--max-semi-space-size=64'],
    // Far above what any test takes: a slow machine is no failure.
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
});
