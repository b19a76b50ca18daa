// Runs groups of test files for one mutant after another, in a process that keeps what vite has transformed. Started by
// mutate.js in a copy of the repository; answers each message with the test file that failed, if any.
import { relative, resolve } from 'node:path';
import { createVitest } from 'vitest/node';

/** Says which test file runs, and that its tests still end. */
const reporter = {
  onTestModuleQueued: (/** @type {import('vitest/node').TestModule} */ { moduleId }) => {
    process.send?.({ running: relative('.', moduleId) });
  },
  onTestCaseResult: (/** @type {import('vitest/node').TestCase} */ { module }) => {
    process.send?.({ running: relative('.', module.moduleId) });
  },
};
const vitest = await createVitest('test', { watch: false, bail: 1, maxWorkers: 1, reporters: [reporter] });

process.on('message', (/** @type {{ file: string, groups: string[][] }} */ { file, groups }) => {
  void answer(file, groups);
});

/** @type {string | undefined} */
let before;

/** @param {string} file @param {string[][]} groups */
async function answer(file, groups) {
  process.send?.({ failed: await findFailing(file, groups) });
}

/** @param {string} file @param {string[][]} groups */
async function findFailing(file, groups) {
  // The file of the mutant before has its own text again.
  for (const changed of [before, file]) if (changed !== undefined) vitest.invalidateFile(resolve(changed));
  before = file;
  const project = vitest.getRootProject();
  for (const group of groups) {
    const paths = group.map((path) => resolve(path));
    const specifications = paths.map((path) => project.createSpecification(path));
    const { testModules, unhandledErrors } = await vitest.runTestSpecifications(specifications);
    // The result has the modules of earlier runs too.
    const own = testModules.filter(({ moduleId }) => paths.includes(moduleId));
    const failed = own.find((module) => !module.ok())?.moduleId;
    if (failed !== undefined) return relative('.', failed);
    if (unhandledErrors.length > 0) return group[0];
    if (own.length !== paths.length) throw new Error(`tests did not run: ${paths.join(', ')}`);
  }
  return undefined;
}
process.send?.({ ready: true });
