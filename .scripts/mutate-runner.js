// Runs groups of test files for one mutant after another, in a process that keeps what vite has transformed. Started by
// mutate.js in a copy of the repository; answers each message with whether a test failed.
import { resolve } from 'node:path';
import { createVitest } from 'vitest/node';

const vitest = await createVitest('test', { watch: false, bail: 1, maxWorkers: 1, reporters: [{}] });

process.on('message', (/** @type {{ file: string, groups: string[][] }} */ { file, groups }) => {
  void answer(file, groups);
});

/** @type {string | undefined} */
let before;

/** @param {string} file @param {string[][]} groups */
async function answer(file, groups) {
  process.send?.({ failed: await fails(file, groups) });
}

/** @param {string} file @param {string[][]} groups */
async function fails(file, groups) {
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
    if (own.length !== paths.length) throw new Error(`tests did not run: ${paths.join(', ')}`);
    const failed = own.find((module) => !module.ok());
    if (failed !== undefined || unhandledErrors.length > 0) return true;
  }
  return false;
}
process.send?.({ ready: true });
