// Runs test files for one mutant after another, in a process that keeps what vite has transformed. Started by
// mutate-copy.js in a copy of the repository; answers each message with the test file that failed, if any.
import { relative, resolve } from 'node:path';
import { BaseSequencer, createVitest } from 'vitest/node';

/** @typedef {{ files: string[], tests: string[] }} Question `files`: those that have a mutant; `tests`: test files, in order */

/**
 * 'running': a test file has begun, or one of its tests has ended; 'passed': all its tests have passed. The last message is
 * 'survived', or 'noticed' with the test file that failed.
 *
 * @typedef {{ kind: 'ready' | 'running' | 'passed' | 'noticed' | 'survived', file: string }} Message
 */

/** @param {Message['kind']} kind @param {string} [file] */
const send = (kind, file = '') => process.send?.({ kind, file: relative('.', file) });

/** @type {import('vitest/node').Reporter} */
const reporter = {
  onTestModuleQueued: ({ moduleId }) => void send('running', moduleId),
  onTestCaseResult: ({ module }) => void send('running', module.moduleId),
  onTestModuleEnd: (module) => {
    if (module.state() === 'passed') send('passed', module.moduleId);
  },
};

class GivenOrder extends BaseSequencer {
  /** @override */
  async sort(/** @type {import('vitest/node').TestSpecification[]} */ files) {
    return files;
  }
}

const vitest = await createVitest('test', {
  watch: false,
  bail: 1,
  maxWorkers: 1,
  sequence: { sequencer: GivenOrder },
  reporters: [reporter],
});

process.on('message', (/** @type {Question} */ { files, tests }) => {
  void findFailing(files, tests).then((failed) => {
    if (failed === undefined) send('survived');
    else send('noticed', failed);
  });
});

/** Files that had a mutant in the run before. @type {string[]} */
let before = [];

/** @param {string[]} files @param {string[]} tests */
async function findFailing(files, tests) {
  // Those of the run before have their own texts again.
  for (const changed of [...before, ...files]) vitest.invalidateFile(resolve(changed));
  before = files;
  const project = vitest.getRootProject();
  const paths = tests.map((path) => resolve(path));
  const specifications = paths.map((path) => project.createSpecification(path));
  const { testModules, unhandledErrors } = await vitest.runTestSpecifications(specifications);
  // The result has the modules of earlier runs too.
  const own = testModules.filter(({ moduleId }) => paths.includes(moduleId));
  const failed = own.find((module) => !module.ok())?.moduleId;
  if (failed !== undefined) return failed;
  if (unhandledErrors.length > 0) return paths[0];
  if (own.length !== paths.length) throw new Error(`tests did not run: ${tests.join(', ')}`);
  return undefined;
}
send('ready');
