// Which parts of src/ each test file runs, counted by V8. The counts are kept in .coverage/, and only tests that changed, or
// that ran a source that changed, run again; --fresh: all tests run again (after a change of test/support or test/samples).
// As a program it lists the statements of src/ that no test runs.
//
//   npm run coverage -- [--room content] [--fresh]
import { createHash } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { parseSync, Visitor } from 'oxc-parser';
import { createVitest } from 'vitest/node';

const root = fileURLToPath(new URL('..', import.meta.url));
const kept = join(root, '.coverage/tests.json');

/**
 * What one test file ran. `hash`: of the test file. `files`: by source file, pairs of offsets: the first token that ran, and
 * the next one that did not. `milliseconds`: how long the test file takes.
 *
 * @typedef {{ hash: string, passed: boolean, milliseconds: number, files: Record<string, number[]> }} TestRun
 */

/** @typedef {{ sources: Record<string, string>, tests: Record<string, TestRun> }} Coverage hashes of sources, runs of tests */

/** Tests that say nothing about one line: they run the built program or a browser, or check the sources themselves. */
export const leftOut = /^test\/(?:browser|process|ci|contributing)\/|^test\/architecture\.test\.ts$/;

/** Paths of the files in a folder of the repository. @param {string} folder @param {RegExp} name */
export function filesIn(folder, name) {
  return readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((path) => name.test(path))
    .map((path) => join(folder, path))
    .sort();
}

/** @param {string} file */
function hashOf(file) {
  return createHash('sha256')
    .update(readFileSync(join(root, file)))
    .digest('base64url');
}

/** Whether a test file ran the token at an offset of a source. @param {TestRun} run @param {string} file @param {number} offset */
function ranAt({ files }, file, offset) {
  const pairs = files[file] ?? [];
  for (let at = 0; at < pairs.length; at += 2)
    if ((pairs[at] ?? 0) <= offset && offset < (pairs[at + 1] ?? 0)) return true;
  return false;
}

/**
 * Runs the tests whose counts are missing or old, and returns the counts of all.
 *
 * @param {boolean} fresh
 * @returns {Promise<Coverage>}
 */
async function readCoverage(fresh) {
  /** @type {Coverage} */
  const before =
    existsSync(kept) && !fresh ? JSON.parse(readFileSync(kept, 'utf8')) : { sources: {}, tests: {} };
  const sources = Object.fromEntries(filesIn('src', /\.ts$/).map((file) => [file, hashOf(file)]));
  /** @type {Record<string, TestRun>} */
  const tests = {};
  /** @type {Map<string, string>} */
  const toRun = new Map();
  for (const test of filesIn('test', /\.test\.ts$/)) {
    if (leftOut.test(test)) continue;
    const hash = hashOf(test);
    const run = before.tests[test];
    if (run?.hash === hash && Object.keys(run.files).every((file) => before.sources[file] === sources[file]))
      tests[test] = run;
    else toRun.set(test, hash);
  }
  if (toRun.size > 0) {
    console.log(`counting what ${toRun.size} of ${toRun.size + Object.keys(tests).length} test files run`);
    const runs = await runTests([...toRun.keys()]);
    for (const [test, run] of runs) tests[test] = { hash: toRun.get(test) ?? '', ...run };
  }
  mkdirSync(join(root, '.coverage'), { recursive: true });
  writeFileSync(kept, JSON.stringify({ sources, tests }));
  return { sources, tests };
}

/** @param {string[]} tests @returns {Promise<Map<string, Omit<TestRun, 'hash'>>>} */
async function runTests(tests) {
  const folder = mkdtempSync(join(tmpdir(), 'docsctl-coverage-'));
  process.env['COVERAGE_FOLDER'] = folder;
  const setup = fileURLToPath(new URL('coverage-setup.js', import.meta.url));
  const vitest = await createVitest('test', {
    root,
    watch: false,
    setupFiles: [setup],
    reporters: [{ onTestRunStart: () => {} }],
  });
  try {
    const project = vitest.getRootProject();
    const { testModules } = await vitest.runTestSpecifications(
      tests.map((test) => project.createSpecification(join(root, test))),
    );
    /** @type {Map<string, Omit<TestRun, 'hash'>>} */
    const runs = new Map();
    for (const module of testModules) {
      const test = relative(root, module.moduleId);
      const path = join(folder, `${test.replaceAll('/', '+')}.json`);
      /** @type {TestRun['files']} */
      const files = existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : {};
      const { duration } = module.diagnostic();
      runs.set(test, { passed: module.ok(), milliseconds: Math.round(duration), files });
    }
    return runs;
  } finally {
    await vitest.close();
    rmSync(folder, { recursive: true, force: true });
    delete process.env['COVERAGE_FOLDER'];
  }
}

/**
 * The statements of a source that no test runs, outermost only, as first and last line.
 *
 * @param {string} file
 * @param {TestRun[]} runs
 */
function notRunIn(file, runs) {
  const text = readFileSync(join(root, file), 'utf8');
  /** @type {{ start: number, end: number }[]} */
  const found = [];
  /** @param {{ start: number, end: number }} node */
  const visit = ({ start, end }) => {
    if (found.some((outer) => outer.start <= start && end <= outer.end)) return;
    if (!runs.some((run) => ranAt(run, file, start))) found.push({ start, end });
  };
  new Visitor({
    ExpressionStatement: visit,
    ReturnStatement: visit,
    ThrowStatement: visit,
    IfStatement: visit,
    ForStatement: visit,
    ForOfStatement: visit,
    WhileStatement: visit,
    SwitchStatement: visit,
    ContinueStatement: visit,
    BreakStatement: visit,
    ArrowFunctionExpression: ({ body }) => {
      if (body.type !== 'BlockStatement') visit(body);
    },
    ConditionalExpression: ({ consequent, alternate }) => {
      visit(consequent);
      visit(alternate);
    },
  }).visit(parseSync(file, text).program);
  /** @param {number} offset */
  const lineOf = (offset) => text.slice(0, offset).split('\n').length;
  return found.map(({ start, end }) => ({
    from: lineOf(start),
    to: lineOf(end),
    text: text.slice(start, end).replaceAll(/\s+/g, ' ').slice(0, 100),
  }));
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { values: options } = parseArgs({
    options: { room: { type: 'string' }, fresh: { type: 'boolean', default: false } },
  });
  const { tests } = await readCoverage(options.fresh);
  const runs = Object.values(tests);
  let total = 0;
  for (const file of filesIn('src', /(?<!\.d)\.ts$/)) {
    if (options.room !== undefined && !file.startsWith(`src/${options.room}/`)) continue;
    for (const { from, to, text } of notRunIn(file, runs)) {
      console.log(`${file}:${from}${to > from ? `-${to}` : ''}  ${text}`);
      total += to - from + 1;
    }
  }
  console.log(`${total} lines that no test runs`);
}
