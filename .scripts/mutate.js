// Mutation test: makes a seeded sample of small changes to src/, one at a time in a copy of the repository, runs the test
// files that run the changed place (coverage.js), the fastest first, and lists the changes that none of them noticed. Each
// room has its share of the sample, and two changes at least. A test that fails without a change too is left out, and so is
// one that hangs without it. Changes that no test could notice are listed with the reason (mutants.js), and counted apart.
// --timeout: seconds in which no test ends, after which a change counts as timed out. --files: how many test files are asked
// about a change at most; --after: without so many that an earlier run has asked. --imports: choose the tests that import the changed file, also over others, without counting first
// what each test runs; it begins at once, but asks more tests about a change. --skip: how many changes of the sample were tried
// in an earlier run. --again: a file with the output of an earlier run, whose survivors are tried again. --list: only print the
// sample.
//
//   npm run mutate -- --count 200 --seed 1 [--room content] [--jobs 2] [--imports] [--timeout 90] [--files 40] [--skip 100] [--list]
//   npm run mutate -- --again survivors.txt
import { fork } from 'node:child_process';
import {
  chmodSync,
  cpSync,
  existsSync,
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
import { equivalents } from './equivalent-mutants.js';
import { isProgram, mutantsOf } from './mutants.js';

const root = fileURLToPath(new URL('..', import.meta.url));
const { values: options } = parseArgs({
  options: {
    count: { type: 'string', default: '200' },
    seed: { type: 'string', default: '1' },
    room: { type: 'string' },
    jobs: { type: 'string', default: '2' },
    timeout: { type: 'string', default: '90' },
    files: { type: 'string', default: '10000' },
    after: { type: 'string', default: '0' },
    skip: { type: 'string', default: '0' },
    imports: { type: 'boolean', default: false },
    again: { type: 'string' },
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
  // The PostgreSQL server of the tests has its data below it, and may run as another user.
  chmodSync(folder, 0o755);
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
  return [...text.matchAll(/(import type [^;']*from|from|import\(|import) ?'(\.[^']+)'/g)]
    .filter(([, word = '']) => !word.startsWith('import type'))
    .map(([, , path = '']) => join(dirname(file), path));
}

/** Who imports a file. @type {Map<string, string[]>} */
const importers = new Map();
for (const file of [...filesIn('src', /\.ts$/), ...filesIn('test', /\.ts$/)])
  for (const path of importsOf(file)) importers.set(path, [...(importers.get(path) ?? []), file]);

/** Test files that fail without a mutant. @type {Set<string>} */
const broken = new Set();

const coverage = options.imports
  ? { sources: {}, tests: {} }
  : await readCoverage({ jobs: Number(options.jobs) });
for (const [test, { passed }] of Object.entries(coverage.tests)) if (!passed) broken.add(test);

/** Test files that passed without a mutant. @type {Set<string>} */
const sound = new Set();

/** Files that import a file, also over others, with how many imports lie between them. @param {string} file */
function importersOf(file) {
  const seen = new Map([[file, 0]]);
  for (const [path, distance] of seen)
    for (const importer of importers.get(path) ?? [])
      if (!seen.has(importer)) seen.set(importer, distance + 1);
  return seen;
}

/** The tests that import a file, also over others; those of its room for a file that none imports, as it is bundled. @param {string} file */
function testsByImports(file) {
  const found = [...importersOf(file).keys()].filter((path) => isTest(path));
  const [, room = ''] = file.split('/');
  if (found.length > 0 || !existsSync(join(root, 'test', room))) return found;
  return filesIn(`test/${room}`, /\.test\.ts$/).filter(isTest);
}

/** Whether a file is a test that can notice a mutant. @param {string} path */
function isTest(path) {
  return path.endsWith('.test.ts') && !leftOut.test(path);
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
    return testsByImports(file);
  if (!onLoad) return testsThat((run) => ranAt(run, file, start));
  const direct = importers.get(file) ?? [];
  return testsThat((run) => [file, ...direct].some((path) => run.files[path] !== undefined)).concat(
    direct.filter(isTest),
  );
}

/** How long test files took when vitest ran them last, in milliseconds. @type {Map<string, number>} */
const durations = new Map();
const cache = join(root, 'node_modules/.vite/vitest');
for (const path of existsSync(cache) ? readdirSync(cache, { recursive: true, encoding: 'utf8' }) : []) {
  if (!path.endsWith('results.json')) continue;
  /** @type {{ results: [string, { duration: number }][] }} */
  const { results } = JSON.parse(readFileSync(join(cache, path), 'utf8'));
  for (const [test, { duration }] of results) durations.set(test.replace(/^:/, ''), duration);
}

/** How many folders two files have in common. @param {string} one @param {string} other */
function sharedFolders(one, other) {
  const [folders, others] = [dirname(one).split('/').slice(1), dirname(other).split('/').slice(1)];
  const differs = folders.findIndex((folder, index) => folder !== others[index]);
  return differs === -1 ? folders.length : differs;
}

/**
 * The tests that run the place of a mutant, the one of its file first, then the fastest, in groups that grow: most mutants
 * are noticed by the first. Where nothing was counted, the nearest by folder and by imports come first.
 *
 * @param {Mutant} mutant
 */
function groupsOf(mutant) {
  const own = mutant.file.replace(/^src\//, 'test/').replace(/\.ts$/, '');
  const distances = options.imports ? importersOf(mutant.file) : undefined;
  const isOwn = (/** @type {string} */ test) => test === `${own}.test.ts` || test === `${own}.slow.test.ts`;
  /** @param {string} test */
  const cost = (test) => {
    if (isOwn(test)) return -1;
    if (distances === undefined) return coverage.tests[test]?.milliseconds ?? 0;
    const expected = test.endsWith('.slow.test.ts') ? 8000 : 0;
    const slowness = Math.log2(1 + (durations.get(test) ?? expected) / 250);
    return (distances.get(test) ?? 0) - 4 * sharedFolders(mutant.file, test) + slowness + 100;
  };
  const sorted = [...new Set(testsOf(mutant))]
    .filter((test) => !broken.has(test))
    .toSorted((one, other) => cost(one) - cost(other))
    .slice(Number(options.after), Number(options.files));
  // Alone, as vitest does not run the files of a group in this order.
  const first = sorted.filter(isOwn).length;
  const groups = [0, first, first + 6, 30, 100].map((start, index, starts) =>
    sorted.slice(start, starts[index + 1]),
  );
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
 * What became of a mutant. 'timed out': no test ended for too long, and the one that hung ends without the mutant; 'ended':
 * the process of the tests ended, and does not without the mutant; 'not run': no test runs its place.
 *
 * @typedef {'noticed' | 'survived' | 'not run' | 'timed out' | 'ended'} Outcome
 */

/**
 * How the tests answer to a mutant.
 *
 * @param {Place} place
 * @param {Mutant} mutant
 * @returns {Promise<Outcome>}
 */
async function tryMutant(place, mutant) {
  const { file, start, end, to } = mutant;
  const groups = groupsOf(mutant);
  if (groups.length === 0) return 'not run';
  const text = readFileSync(join(root, file), 'utf8');
  writeFileSync(join(place.copy, file), text.slice(0, start) + to + text.slice(end));
  const answer = await ask(place, { file, groups });
  writeFileSync(join(place.copy, file), text);
  const { outcome, test } = answer;
  if (outcome === 'survived' || test === undefined) return outcome;
  if (outcome === 'noticed' && sound.has(test)) return outcome;
  const second = await ask(place, { file, groups: [[test]] });
  if (second.outcome === 'survived') {
    sound.add(test);
    return outcome;
  }
  broken.add(test);
  console.log(
    `left out: ${test} ${second.outcome === 'noticed' ? 'fails' : 'does not end'} without a change`,
  );
  return tryMutant(place, mutant);
}

/**
 * Asks a runner, and replaces it if it does not answer. `test`: the test file that failed, or that ran last.
 *
 * @param {Place} place
 * @param {{ file: string, groups: string[][] }} question
 * @returns {Promise<{ outcome: Outcome, test?: string | undefined }>}
 */
async function ask(place, question) {
  const { child, ready } = place.runner;
  await ready;
  /** @type {{ outcome: Outcome, test?: string | undefined }} */
  const answer = await new Promise((resolve) => {
    let test = question.groups[0]?.[0];
    const wait = () =>
      setTimeout(() => resolve({ outcome: 'timed out', test }), Number(options.timeout) * 1000);
    let timer = wait();
    child.on('message', (/** @type {{ running: string } | { failed?: string }} */ message) => {
      clearTimeout(timer);
      if ('running' in message) {
        test = message.running;
        timer = wait();
      } else if (message.failed === undefined) resolve({ outcome: 'survived' });
      else resolve({ outcome: 'noticed', test: message.failed });
    });
    child.once('exit', () => {
      clearTimeout(timer);
      resolve({ outcome: 'ended', test });
    });
    child.send(question);
  });
  child.removeAllListeners();
  if (answer.outcome === 'timed out' || answer.outcome === 'ended') {
    stopRunner(child);
    place.runner = startRunner(place.copy);
  }
  return answer;
}

/** The room of a mutant: a folder of src/, or a file there. @param {Mutant} mutant */
function roomOf({ file }) {
  return file.split('/')[1] ?? '';
}

/**
 * Draws from each room as many mutants as its share of all, at least two, in an order of chance.
 *
 * @param {Mutant[]} mutants
 * @param {number} count
 */
function draw(mutants, count) {
  const random = createRandom(Number(options.seed));
  /** @type {(list: Mutant[]) => Mutant[]} */
  const shuffle = (list) =>
    list
      .map((mutant) => ({ mutant, place: random() }))
      .sort((one, other) => one.place - other.place)
      .map(({ mutant }) => mutant);
  const rooms = [...new Set(mutants.map(roomOf))].sort();
  const least = 2;
  const free = Math.max(0, count - least * rooms.length);
  const shuffled = shuffle(mutants);
  const drawn = rooms.flatMap((room) => {
    const list = shuffled.filter((mutant) => roomOf(mutant) === room);
    const share = least + Math.round((free * list.length) / mutants.length);
    return list
      .slice(0, share * 2)
      .filter(isProgram)
      .slice(0, share);
  });
  return shuffle(drawn);
}

const files = filesIn('src', /(?<!contract|\.d)\.ts$/).filter(
  (file) => options.room === undefined || file.startsWith(`src/${options.room}/`),
);
const testRuns = Object.values(coverage.tests);
/** Why no test can notice a mutant, if so. @type {(mutant: Mutant) => string | undefined} */
const whyUnnoticed = ({ why, forTypes, file, start }) =>
  forTypes && !testRuns.some((run) => ranAt(run, file, start)) ? 'satisfies the compiler only' : why;
const possible = files.flatMap(mutantsOf);
const all = possible.filter((mutant) => whyUnnoticed(mutant) === undefined);
const survivors =
  options.again === undefined
    ? undefined
    : new Set(
        [...readFileSync(options.again, 'utf8').matchAll(/^(?:SURVIVED|NOT RUN) +(.+)$/gm)].map(
          ([, text]) => text,
        ),
      );
const sample =
  survivors === undefined
    ? draw(all, Number(options.count)).slice(Number(options.skip))
    : possible.filter((mutant) => survivors.has(describe(mutant)));
console.log(
  `${sample.length} of ${all.length} possible changes in ${files.length} files, seed ${options.seed}`,
);
/** How many mutants are left out, by reason. @type {Map<string, number>} */
const reasons = new Map();
for (const why of possible.map(whyUnnoticed))
  if (why !== undefined) reasons.set(why, (reasons.get(why) ?? 0) + 1);
for (const [why, count] of reasons) console.log(`left out: ${count} (${why})`);
for (const one of equivalents)
  if (!possible.some(({ file, why, from }) => file === one.file && why === one.why && from === one.from))
    console.log(`no such change: ${one.file}: ${one.line}`);

if (options.list) {
  for (const mutant of sample)
    console.log(`${describe(mutant)}  (${groupsOf(mutant).flat().length} test files)`);
  process.exit(0);
}

/** @type {Set<Place>} */
const open = new Set();
/** Ends what runs for a place, and removes its copy. @param {Place} place */
const close = (place) => {
  open.delete(place);
  stopRunner(place.runner.child);
  rmSync(place.copy, { recursive: true, force: true });
};
for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM']))
  process.once(signal, () => {
    for (const place of open) close(place);
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
    open.add(place);
    try {
      for (let mutant = queue.shift(); mutant !== undefined; mutant = queue.shift()) {
        const outcome = await tryMutant(place, mutant);
        outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
        const room = roomOf(mutant);
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
