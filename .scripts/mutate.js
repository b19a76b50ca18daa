// Mutation test: makes a seeded sample of small changes to src/, one at a time in a copy of the repository, runs the test
// files that import the changed file, the nearest first, and lists the changes that none of them noticed. Each room has its
// share of the sample, and two changes at least. The nearest tests are asked about one change after another. The other tests
// are asked about all survivors at once, because they notice few of these; if such a test fails, the changes that it notices
// are found by halves. A test that fails or hangs without a change is left out. Changes that no test could notice are listed
// with the reason (mutants.js), and counted apart.
// --near: how many test files are asked about each change alone. --near-only: ask no others. --fast: ask no slow tests.
// --timeout: seconds in which no test ends, after which a change counts as timed out. --skip: how many changes of the sample
// were tried in an earlier run. --again: a file with the output of an earlier run, whose survivors are tried again. --at: try
// all changes of this line; can be repeated. --list: only print the sample.
//
//   npm run mutate -- --count 200 --seed 1 [--room content] [--jobs 2] [--near 20] [--near-only] [--fast] [--timeout 90] [--skip 100] [--list]
//   npm run mutate -- --again survivors.txt
//   npm run mutate -- --at src/content/trie.ts:42
import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { filesIn } from './coverage.js';
import { equivalents } from './equivalent-mutants.js';
import { isProgram, mutantsOf } from './mutants.js';
import { broken, MutantCopy } from './mutate-copy.js';
import { nearestTests } from './nearest-tests.js';

const { values: options } = parseArgs({
  options: {
    count: { type: 'string', default: '200' },
    seed: { type: 'string', default: '1' },
    room: { type: 'string' },
    jobs: { type: 'string', default: '2' },
    timeout: { type: 'string', default: '90' },
    near: { type: 'string', default: '20' },
    'near-only': { type: 'boolean', default: false },
    fast: { type: 'boolean', default: false },
    skip: { type: 'string', default: '0' },
    again: { type: 'string' },
    at: { type: 'string', multiple: true },
    list: { type: 'boolean', default: false },
  },
});

/** @typedef {import('./mutants.js').Mutant} Mutant */

/** What became of a mutant. 'not run': no test imports its file. @typedef {import('./mutate-copy.js').Outcome | 'not run'} Outcome */

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

/** The tests that can notice a mutant, the nearest first. @param {Mutant} mutant */
function testsOf({ file }) {
  return nearestTests(file).filter(
    (test) => !broken.has(test) && !(options.fast && test.endsWith('.slow.test.ts')),
  );
}

/**
 * Those of some mutants that a test notices: it is asked about all of them, then about halves.
 *
 * @param {MutantCopy} copy
 * @param {readonly Mutant[]} mutants
 * @param {string} test
 * @returns {Promise<readonly Mutant[]>}
 */
async function findNoticed(copy, mutants, test) {
  if (mutants.length === 0 || (await copy.ask(mutants, [test])).outcome === 'survived') return [];
  if (mutants.length === 1) return mutants;
  const middle = Math.ceil(mutants.length / 2);
  return [
    ...(await findNoticed(copy, mutants.slice(0, middle), test)),
    ...(await findNoticed(copy, mutants.slice(middle), test)),
  ];
}

/**
 * Asks the tests that were not asked yet about all survivors at once, and removes those that a test notices.
 *
 * @param {readonly MutantCopy[]} copies
 * @param {Set<Mutant>} survivors at most one of a file
 */
async function askOthers(copies, survivors) {
  const tests = [...survivors].flatMap((mutant) => testsOf(mutant).slice(Number(options.near)));
  const queue = [...new Set(tests)].sort();
  console.log(`asking ${queue.length} other test files about ${survivors.size} survivors at once`);
  await Promise.all(
    copies.map(async (copy) => {
      while (queue.length > 0 && survivors.size > 0) {
        let waiting = queue.splice(0, 30);
        while (waiting.length > 0 && survivors.size > 0) {
          const { outcome, test, passed } = await copy.ask([...survivors], waiting);
          if (outcome === 'survived') break;
          waiting = waiting.filter((one) => one !== test && !passed.has(one));
          for (const mutant of await findNoticed(copy, [...survivors], test)) {
            survivors.delete(mutant);
            report(mutant, outcome, test);
          }
        }
      }
    }),
  );
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
const possible = files.flatMap(mutantsOf);
const all = possible.filter(({ why }) => why === undefined);
const survivors =
  options.again === undefined
    ? undefined
    : new Set(
        [...readFileSync(options.again, 'utf8').matchAll(/^(?:SURVIVED|NOT RUN) +(.+)$/gm)].map(
          ([, text]) => text,
        ),
      );
const lines = options.at;
const sample =
  survivors !== undefined
    ? possible.filter((mutant) => survivors.has(describe(mutant)))
    : lines !== undefined
      ? possible.filter((mutant) => lines.includes(`${mutant.file}:${mutant.line}`) && isProgram(mutant))
      : draw(all, Number(options.count)).slice(Number(options.skip));
console.log(
  `${sample.length} of ${all.length} possible changes in ${files.length} files, seed ${options.seed}`,
);
/** How many mutants are left out, by reason. @type {Map<string, number>} */
const reasons = new Map();
for (const { why } of possible) if (why !== undefined) reasons.set(why, (reasons.get(why) ?? 0) + 1);
for (const [why, count] of reasons) console.log(`left out: ${count} (${why})`);
for (const one of equivalents)
  if (!possible.some(({ file, why, from }) => file === one.file && why === one.why && from === one.from))
    console.log(`no such change: ${one.file}: ${one.line}`);

if (options.list) {
  for (const mutant of sample) console.log(`${describe(mutant)}  (${testsOf(mutant).length} test files)`);
  process.exit(0);
}

/** @type {Map<Mutant, Outcome>} */
const outcomes = new Map();
/** Prints what became of a mutant, and which test noticed it. @param {Mutant} mutant @param {Outcome} outcome @param {string} test */
function report(mutant, outcome, test) {
  outcomes.set(mutant, outcome);
  if (isSurvivor(outcome)) console.log(`${outcome.toUpperCase().padEnd(9)} ${describe(mutant)}`);
  else console.log(`${outcome.padEnd(9)} ${describe(mutant)}  (${test})`);
}

/** @type {MutantCopy[]} */
const copies = [];
for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM']))
  process.once(signal, () => {
    for (const copy of copies) copy.close();
    process.exit(1);
  });
for (let count = Number(options.jobs); count > 0; count--)
  copies.push(new MutantCopy({ timeout: Number(options.timeout) }));
const queue = [...sample];
/** Survivors of the nearest tests, in sets with at most one of a file. @type {Set<Mutant>[]} */
const rounds = [];
await Promise.all(
  copies.map(async (copy) => {
    for (let mutant = queue.shift(); mutant !== undefined; mutant = queue.shift()) {
      const tests = testsOf(mutant).slice(0, Number(options.near));
      const { outcome, test } = await copy.ask([mutant], tests);
      if (tests.length === 0) report(mutant, 'not run', test);
      else if (outcome !== 'survived' || options['near-only']) report(mutant, outcome, test);
      else {
        console.log(`so far unnoticed: ${describe(mutant)}`);
        const { file } = mutant;
        const round = rounds.find((mutants) => [...mutants].every((other) => other.file !== file));
        if (round === undefined) rounds.push(new Set([mutant]));
        else round.add(mutant);
      }
    }
  }),
);
for (const round of rounds) {
  await askOthers(copies, round);
  for (const mutant of round) report(mutant, 'survived', '');
}
for (const copy of copies) copy.close();

for (const room of [...new Set(sample.map(roomOf))].sort()) {
  const mutants = sample.filter((mutant) => roomOf(mutant) === room);
  console.log(`${room.padEnd(18)} ${countNoticed(mutants)} of ${mutants.length}`);
}
for (const outcome of [...new Set(outcomes.values())].sort())
  console.log(`${outcome.padEnd(18)} ${[...outcomes.values()].filter((one) => one === outcome).length}`);
const noticed = countNoticed(sample);
console.log(`${noticed} of ${sample.length} noticed (${Math.round((100 * noticed) / sample.length)} %)`);

/** @param {readonly Mutant[]} mutants */
function countNoticed(mutants) {
  return mutants.filter((mutant) => !isSurvivor(outcomes.get(mutant) ?? 'not run')).length;
}

/** Whether no test noticed a mutant. @param {Outcome} outcome */
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
