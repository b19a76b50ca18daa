// Mutation test: makes a seeded sample of small changes to src/, one at a time in a copy of the repository, runs the test
// files that run the changed place (coverage.js), the fastest first, and lists the changes that none of them noticed. A test
// that fails without a change too is left out. --timeout: seconds in which no test ends, after which a change counts as timed
// out. --files: how many test files are asked about a change at most. --skip: how many changes of the sample were tried in an
// earlier run. --list: only print the sample.
//
//   npm run mutate -- --count 200 --seed 1 [--room content] [--jobs 2] [--timeout 90] [--files 40] [--skip 100] [--list]
import { fork } from 'node:child_process';
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { filesIn, leftOut, ranAt, readCoverage } from './coverage.js';
import { mutantsOf } from './mutants.js';

const root = fileURLToPath(new URL('..', import.meta.url));
const { values: options } = parseArgs({
  options: {
    count: { type: 'string', default: '200' },
    seed: { type: 'string', default: '1' },
    room: { type: 'string' },
    jobs: { type: 'string', default: '2' },
    timeout: { type: 'string', default: '90' },
    files: { type: 'string', default: '10000' },
    skip: { type: 'string', default: '0' },
    list: { type: 'boolean', default: false },
  },
});

/** @typedef {import('./mutants.js').Mutant} Mutant */

/** Numbers from 0 up to 1 that depend on the seed only (mulberry32). @param {number} seed */
function createRandom(seed) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** A copy of the repository in which one mutant at a time lives. */
function createCopy() {
  const folder = mkdtempSync(join(tmpdir(), 'docsctl-mutate-'));
  for (const name of readdirSync(root))
    if (!['.git', '.cache', '.coverage', 'node_modules', 'dist'].includes(name))
      cpSync(join(root, name), join(folder, name), { recursive: true });
  for (const name of ['node_modules', 'dist']) symlinkSync(join(root, name), join(folder, name));
  mkdirSync(join(folder, '.tmp'));
  return folder;
}

/** Paths of files that a file imports, statically or not. @param {string} file @returns {string[]} */
function importsOf(file) {
  const text = readFileSync(join(root, file), 'utf8');
  return [...text.matchAll(/(?:from|import\(|import) ?'(\.[^']+)'/g)].map(([, path = '']) =>
    join(dirname(file), path),
  );
}

/** Who imports a file. @type {Map<string, string[]>} */
const importers = new Map();
for (const file of [...filesIn('src', /\.ts$/), ...filesIn('test', /\.ts$/)])
  for (const path of importsOf(file)) importers.set(path, [...(importers.get(path) ?? []), file]);

/** Test files that fail without a mutant. @type {Set<string>} */
const broken = new Set();

const coverage = await readCoverage();
for (const [test, { passed }] of Object.entries(coverage.tests)) if (!passed) broken.add(test);

/** Test files that passed without a mutant. @type {Set<string>} */
const sound = new Set();

/** Files that import a file, also over others. @param {string} file */
function importersOf(file) {
  const seen = new Set([file]);
  for (const path of seen) for (const importer of importers.get(path) ?? []) seen.add(importer);
  return seen;
}

/**
 * The tests that run the place of a mutant. A constant is used by functions of its file or of the files that import it. A
 * file of which nothing was counted runs in a process of its own: all tests that import it, also over others, are asked.
 *
 * @param {Mutant} mutant
 */
function testsOf({ file, start, onLoad }) {
  const runs = Object.entries(coverage.tests);
  /** @param {(run: import('./coverage.js').TestRun) => boolean} matches */
  const testsThat = (matches) => runs.filter(([, run]) => matches(run)).map(([test]) => test);
  const inFile = testsThat((run) => run.files[file] !== undefined);
  if (inFile.length === 0 || (onLoad && (importers.get(file) ?? []).length === 0))
    return [...importersOf(file)].filter((path) => path.endsWith('.test.ts') && !leftOut.test(path));
  if (!onLoad) return testsThat((run) => ranAt(run, file, start));
  const direct = importers.get(file) ?? [];
  return testsThat((run) => [file, ...direct].some((path) => run.files[path] !== undefined)).concat(
    direct.filter((path) => path.endsWith('.test.ts') && !leftOut.test(path)),
  );
}

/**
 * The tests that run the place of a mutant, the one of its file first, then the fastest, in groups that grow: most mutants
 * are noticed by the first.
 *
 * @param {Mutant} mutant
 */
function groupsOf(mutant) {
  const own = mutant.file.replace(/^src\//, 'test/').replace(/\.ts$/, '.test.ts');
  /** @param {string} test */
  const cost = (test) => (test === own ? 0 : (coverage.tests[test]?.milliseconds ?? 0));
  const sorted = [...new Set(testsOf(mutant))]
    .filter((test) => !broken.has(test))
    .toSorted((one, other) => cost(one) - cost(other))
    .slice(0, Number(options.files));
  const groups = [sorted.slice(0, 6), sorted.slice(6, 30), sorted.slice(30, 100), sorted.slice(100)];
  return groups.filter((group) => group.length > 0);
}

/** A process that runs tests in a copy, with processes of its own. @param {string} copy */
function startRunner(copy) {
  const child = fork(join(copy, '.scripts/mutate-runner.js'), {
    cwd: copy,
    // What is left there by tests that are killed goes with the copy.
    env: { ...process.env, TMPDIR: join(copy, '.tmp') },
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    detached: true,
  });
  return {
    child,
    ready: new Promise((resolve) => {
      child.once('message', resolve);
    }),
  };
}

/** Ends a runner and its workers, which may be in a loop that does not end. @param {import('node:child_process').ChildProcess} child */
function stopRunner({ pid }) {
  if (pid === undefined) return;
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // It has ended already.
  }
}

/** @typedef {{ copy: string, runner: ReturnType<typeof startRunner> }} Place */

/**
 * How the tests answer to a mutant. 'timed out': no test ended for too long; 'ended': the process of the tests ended;
 * 'not run': no test runs its place.
 *
 * @param {Place} place
 * @param {Mutant} mutant
 * @returns {Promise<'noticed' | 'survived' | 'not run' | 'timed out' | 'ended'>}
 */
async function tryMutant(place, mutant) {
  const { file, start, end, to } = mutant;
  const groups = groupsOf(mutant);
  if (groups.length === 0) return 'not run';
  const text = readFileSync(join(root, file), 'utf8');
  writeFileSync(join(place.copy, file), text.slice(0, start) + to + text.slice(end));
  const answer = await ask(place, { file, groups });
  writeFileSync(join(place.copy, file), text);
  if (typeof answer === 'string') return answer;
  const { failed } = answer;
  if (failed === undefined) return 'survived';
  if (sound.has(failed)) return 'noticed';
  const second = await ask(place, { file, groups: [[failed]] });
  if (typeof second !== 'string' && second.failed === undefined) {
    sound.add(failed);
    return 'noticed';
  }
  broken.add(failed);
  console.log(`left out: ${failed} fails without a change`);
  return tryMutant(place, mutant);
}

/**
 * Asks a runner, and replaces it if it does not answer.
 *
 * @param {Place} place
 * @param {{ file: string, groups: string[][] }} question
 * @returns {Promise<{ failed?: string } | 'timed out' | 'ended'>}
 */
async function ask(place, question) {
  if (question.groups.length === 0) return {};
  const { child, ready } = place.runner;
  await ready;
  /** @type {{ failed?: string } | 'timed out' | 'ended'} */
  const answer = await new Promise((resolve) => {
    const wait = () => setTimeout(() => resolve('timed out'), Number(options.timeout) * 1000);
    let timer = wait();
    child.on('message', (/** @type {{ progress: true } | { failed?: string }} */ message) => {
      clearTimeout(timer);
      if ('progress' in message) timer = wait();
      else resolve(message);
    });
    child.once('exit', () => {
      clearTimeout(timer);
      resolve('ended');
    });
    child.send(question);
  });
  child.removeAllListeners();
  if (typeof answer === 'string') {
    stopRunner(child);
    place.runner = startRunner(place.copy);
  }
  return answer;
}

const random = createRandom(Number(options.seed));
const files = filesIn('src', /(?<!contract|\.d)\.ts$/).filter(
  (file) => options.room === undefined || file.startsWith(`src/${options.room}/`),
);
const testRuns = Object.values(coverage.tests);
const all = files
  .flatMap(mutantsOf)
  .filter(({ forTypes, file, start }) => !forTypes || testRuns.some((run) => ranAt(run, file, start)));
const sample = [
  ...new Set(Array.from({ length: Number(options.count) * 2 }, () => Math.floor(random() * all.length))),
]
  .slice(Number(options.skip), Number(options.count))
  .map((index) => all[index])
  .filter((mutant) => mutant !== undefined);
console.log(
  `${sample.length} of ${all.length} possible changes in ${files.length} files, seed ${options.seed}`,
);

if (options.list) {
  for (const mutant of sample)
    console.log(`${describe(mutant)}  (${groupsOf(mutant).flat().length} test files)`);
  process.exit(0);
}

/** @type {Set<Place>} */
const places = new Set();
/** Ends what runs for a place, and removes its copy. @param {Place} place */
const close = (place) => {
  places.delete(place);
  stopRunner(place.runner.child);
  rmSync(place.copy, { recursive: true, force: true });
};
for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM']))
  process.once(signal, () => {
    for (const place of places) close(place);
    process.exit(1);
  });

/** @type {Map<string, { noticed: number, total: number }>} */
const rooms = new Map();
/** @type {Map<string, number>} */
const outcomes = new Map();
const queue = [...sample];
await Promise.all(
  Array.from({ length: Number(options.jobs) }, async () => {
    const copy = createCopy();
    const place = { copy, runner: startRunner(copy) };
    places.add(place);
    try {
      for (let mutant = queue.shift(); mutant !== undefined; mutant = queue.shift()) {
        const outcome = await tryMutant(place, mutant);
        outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
        const room = mutant.file.split('/')[1] ?? '';
        const { noticed, total } = rooms.get(room) ?? { noticed: 0, total: 0 };
        rooms.set(room, { noticed: noticed + Number(!isSurvivor(outcome)), total: total + 1 });
        console.log(
          `${(isSurvivor(outcome) ? outcome.toUpperCase() : outcome).padEnd(9)} ${describe(mutant)}`,
        );
      }
    } finally {
      close(place);
    }
  }),
);
for (const [room, { noticed, total }] of [...rooms].sort())
  console.log(`${room.padEnd(18)} ${noticed} of ${total}`);
for (const [outcome, count] of [...outcomes].sort()) console.log(`${outcome.padEnd(18)} ${count}`);
const noticed = sample.length - (outcomes.get('survived') ?? 0) - (outcomes.get('not run') ?? 0);
console.log(`${noticed} of ${sample.length} noticed (${Math.round((100 * noticed) / sample.length)} %)`);

/** Whether no test noticed a mutant. @param {string} outcome */
function isSurvivor(outcome) {
  return outcome === 'survived' || outcome === 'not run';
}

/** @param {Mutant} mutant */
function describe({ file, line, from, to }) {
  return `${file}:${line}  ${brief(from)} → ${brief(to)}`;
}

/** @param {string} text */
function brief(text) {
  const line = text.replaceAll(/\s+/g, ' ');
  return line.length > 60 ? `${line.slice(0, 59)}…` : line;
}
