// Mutation test: makes a seeded sample of small changes to src/, one at a time in a copy of the repository, runs the tests
// that reach the changed file, the nearest first, and lists the changes that no test noticed. A test that fails without a
// change too is left out. --timeout: seconds in which no test ends, after which a change counts as timed out. --files: how
// many test files, the nearest first, are asked about a change at most. --skip: how many changes of the sample were tried
// in an earlier run.
//
//   npm run mutate -- --count 200 --seed 1 [--room content] [--jobs 2] [--timeout 90] [--files 40] [--skip 100]
import { fork } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { parseSync, Visitor } from 'oxc-parser';

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
  },
});

/** @typedef {{ file: string, line: number, start: number, end: number, from: string, to: string }} Mutant */

/** Operators and what takes their place. @type {Readonly<Record<string, string>>} */
const swaps = {
  '<': '<=',
  '<=': '<',
  '>': '>=',
  '>=': '>',
  '===': '!==',
  '!==': '===',
  '+': '-',
  '-': '+',
  '*': '/',
  '&&': '||',
  '||': '&&',
  '??': '&&',
};

/** All mutants of a file. @param {string} file @returns {Mutant[]} */
function mutantsOf(file) {
  const text = readFileSync(join(root, file), 'utf8');
  /** @type {Mutant[]} */
  const found = [];
  /** @param {number} start @param {number} end @param {string} to */
  const add = (start, end, to) => {
    const line = text.slice(0, start).split('\n').length;
    found.push({ file, line, start, end, from: text.slice(start, end), to });
  };
  /** @param {{ operator: string, left: { end: number }, right: { start: number } }} node */
  const swapOperator = ({ operator, left, right }) => {
    const to = swaps[operator];
    const start = text.indexOf(operator, left.end);
    if (to !== undefined && start >= 0 && start < right.start) add(start, start + operator.length, to);
  };
  new Visitor({
    BinaryExpression: swapOperator,
    LogicalExpression: swapOperator,
    IfStatement: ({ test }) => add(test.start, test.end, `!(${text.slice(test.start, test.end)})`),
    ConditionalExpression: ({ test }) => add(test.start, test.end, `!(${text.slice(test.start, test.end)})`),
    ExpressionStatement: ({ start, end, expression }) => {
      const call = expression.type === 'AwaitExpression' ? expression.argument : expression;
      if (call.type === 'CallExpression') add(start, end, ';');
    },
    Literal: ({ start, end, value }) => {
      if (typeof value === 'boolean') add(start, end, String(!value));
      if (typeof value === 'number' && text[start - 1] !== '-')
        add(start, end, `(${text.slice(start, end)} + 1)`);
    },
  }).visit(parseSync(file, text).program);
  // Types are not run.
  return found.filter(({ start }) => !/^\s*(export )?(type|interface) /.test(lineAt(text, start)));
}

/** @param {string} text @param {number} at */
function lineAt(text, at) {
  return text.slice(text.lastIndexOf('\n', at - 1) + 1, text.indexOf('\n', at));
}

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
    if (!['.git', 'node_modules', 'dist'].includes(name))
      cpSync(join(root, name), join(folder, name), { recursive: true });
  for (const name of ['node_modules', 'dist']) symlinkSync(join(root, name), join(folder, name));
  return folder;
}

/** Paths of files that a file imports, statically or not. @param {string} file @returns {string[]} */
function importsOf(file) {
  const text = readFileSync(join(root, file), 'utf8');
  return [...text.matchAll(/(?:from|import\(|import) ?'(\.[^']+)'/g)].map(([, path = '']) =>
    join(dirname(file), path),
  );
}

/** @param {string} folder @param {RegExp} name */
function filesIn(folder, name) {
  return readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((path) => name.test(path))
    .map((path) => join(folder, path));
}

/** Who imports a file. @type {Map<string, string[]>} */
const importers = new Map();
for (const file of [...filesIn('src', /\.ts$/), ...filesIn('test', /\.ts$/)])
  for (const path of importsOf(file)) importers.set(path, [...(importers.get(path) ?? []), file]);

/** Test files that fail without a mutant. @type {Set<string>} */
const broken = new Set();

/** Test files that passed without a mutant. @type {Set<string>} */
const sound = new Set();

/** Tests that say nothing about one mutant: they run the built program, or check the sources themselves. */
const leftOut = /^test\/(?:process|docs|contributing)\/|^test\/architecture\.test\.ts$/;

/**
 * The tests that reach a file, the nearest first, in groups that grow: most mutants are noticed by the first.
 *
 * @param {string} file
 */
function testsOf(file) {
  const own = file.replace(/^src\//, 'test/').replace(/\.ts$/, '');
  const seen = new Set([file]);
  const tests = existsSync(join(root, `${own}.test.ts`)) ? [`${own}.test.ts`] : [];
  for (const path of seen) {
    if (path.endsWith('.test.ts') && !leftOut.test(path) && !tests.includes(path)) tests.push(path);
    for (const importer of importers.get(path) ?? []) seen.add(importer);
  }
  const folders = dirname(own).split('/');
  /** How many folders a test shares with the file. @param {string} path */
  const nearness = (path) => {
    const others = dirname(path).split('/');
    const differs = folders.findIndex((folder, at) => folder !== others[at]);
    return differs < 0 ? folders.length : differs;
  };
  const sorted = tests
    .toSorted((one, other) => nearness(other) - nearness(one))
    .filter((path) => !broken.has(path))
    .slice(0, Number(options.files));
  const groups = [sorted.slice(0, 2), sorted.slice(2, 10), sorted.slice(10, 40), sorted.slice(40)];
  return groups.filter((group) => group.length > 0);
}

/** A process that runs tests in a copy, with processes of its own. @param {string} copy */
function startRunner(copy) {
  const child = fork(join(copy, '.scripts/mutate-runner.js'), {
    cwd: copy,
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
 * How the tests answer to a mutant. 'timed out': no test ended for too long; 'ended': the process of the tests ended.
 *
 * @param {Place} place
 * @param {Mutant} mutant
 * @returns {Promise<'noticed' | 'survived' | 'timed out' | 'ended'>}
 */
async function tryMutant(place, mutant) {
  const { file, start, end, to } = mutant;
  const text = readFileSync(join(root, file), 'utf8');
  writeFileSync(join(place.copy, file), text.slice(0, start) + to + text.slice(end));
  const answer = await ask(place, { file, groups: testsOf(file) });
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
const files = readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.ts') && !name.endsWith('.d.ts') && !name.endsWith('contract.ts'))
  .filter((name) => options.room === undefined || name.startsWith(`${options.room}/`))
  .map((name) => relative(root, join(root, 'src', name)))
  .sort();
const all = files.flatMap(mutantsOf);
const sample = [
  ...new Set(Array.from({ length: Number(options.count) * 2 }, () => Math.floor(random() * all.length))),
]
  .slice(Number(options.skip), Number(options.count))
  .map((index) => all[index])
  .filter((mutant) => mutant !== undefined);
console.log(
  `${sample.length} of ${all.length} possible changes in ${files.length} files, seed ${options.seed}`,
);

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
        rooms.set(room, { noticed: noticed + Number(outcome !== 'survived'), total: total + 1 });
        const label = (outcome === 'survived' ? 'SURVIVED' : outcome).padEnd(9);
        console.log(`${label} ${mutant.file}:${mutant.line}  ${brief(mutant.from)} → ${brief(mutant.to)}`);
      }
    } finally {
      close(place);
    }
  }),
);
for (const [room, { noticed, total }] of [...rooms].sort())
  console.log(`${room.padEnd(18)} ${noticed} of ${total}`);
for (const [outcome, count] of [...outcomes].sort()) console.log(`${outcome.padEnd(18)} ${count}`);
const noticed = sample.length - (outcomes.get('survived') ?? 0);
console.log(`${noticed} of ${sample.length} noticed (${Math.round((100 * noticed) / sample.length)} %)`);

/** @param {string} text */
function brief(text) {
  const line = text.replaceAll(/\s+/g, ' ');
  return line.length > 60 ? `${line.slice(0, 59)}…` : line;
}
