// Copies of the repository in which mutate.js runs tests with mutants.
import { fork } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  chmodSync,
  cpSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** @typedef {import('./mutants.js').Mutant} Mutant */

const root = fileURLToPath(new URL('..', import.meta.url));

/**
 * What tests say about mutants. 'timed out': no test ended for too long, and the one that hung ends without the mutants;
 * 'ended': the process of the tests ended, and does not without the mutants.
 *
 * @typedef {'noticed' | 'survived' | 'timed out' | 'ended'} Outcome
 */

/** `test`: the test file that failed, or that ran last. @typedef {{ outcome: Outcome, test: string, passed: Set<string> }} Answer */

/** Test files that fail or hang without a mutant. @type {Set<string>} */
export const broken = new Set();

/** Test files that passed without a mutant. @type {Set<string>} */
const sound = new Set();

/** A copy of the repository in which tests are run with mutants. */
export class MutantCopy {
  #folder = createCopy();
  #runner = startRunner(this.#folder);
  #timeout;

  /** @param {{ timeout: number }} options `timeout`: seconds in which a test has to end */
  constructor({ timeout }) {
    this.#timeout = timeout;
  }

  /** Ends the tests, and removes the copy. */
  close() {
    stopRunner(this.#runner.child);
    rmSync(this.#folder, { recursive: true, force: true });
  }

  /**
   * Runs tests in order, with mutants of different files, until one fails that does not fail without mutants.
   *
   * @param {readonly Mutant[]} mutants
   * @param {readonly string[]} tests
   * @returns {Promise<Answer>}
   */
  async ask(mutants, tests) {
    const answer = await this.#run(mutants, tests);
    const { outcome, test, passed } = answer;
    if (outcome === 'survived' || (outcome === 'noticed' && sound.has(test))) return answer;
    const { outcome: without } = await this.#run([], [test]);
    if (without === 'survived') {
      sound.add(test);
      return answer;
    }
    broken.add(test);
    console.log(`left out: ${test} ${without === 'noticed' ? 'fails' : 'does not end'} without a change`);
    return this.ask(
      mutants,
      tests.filter((one) => one !== test && !passed.has(one)),
    );
  }

  /** @param {readonly Mutant[]} mutants @param {readonly string[]} tests */
  async #run(mutants, tests) {
    // From the copy, because the sources may be edited meanwhile.
    const texts = new Map(mutants.map(({ file }) => [file, readFileSync(join(this.#folder, file), 'utf8')]));
    for (const { file, start, end, to } of mutants) {
      const text = texts.get(file) ?? '';
      writeFileSync(join(this.#folder, file), text.slice(0, start) + to + text.slice(end));
    }
    const answer = await this.#send({ files: [...texts.keys()], tests: [...tests] });
    for (const [file, text] of texts) writeFileSync(join(this.#folder, file), text);
    return answer;
  }

  /**
   * Sends a question to the runner, and replaces the runner if it does not answer.
   *
   * @param {import('./mutate-runner.js').Question} question
   * @returns {Promise<Answer>}
   */
  async #send(question) {
    const { child, ready } = this.#runner;
    await ready;
    let test = question.tests[0] ?? '';
    /** @type {Set<string>} */
    const passed = new Set();
    /** @type {NodeJS.Timeout | undefined} */
    let timer;
    /** @type {Outcome} */
    const outcome = await new Promise((resolve) => {
      const wait = () => {
        clearTimeout(timer);
        timer = setTimeout(() => resolve('timed out'), this.#timeout * 1000);
      };
      wait();
      child.on('message', (/** @type {import('./mutate-runner.js').Message} */ { kind, file }) => {
        wait();
        if (kind === 'passed') passed.add(file);
        else if (kind === 'survived') resolve(kind);
        else test = file;
        if (kind === 'noticed') resolve(kind);
      });
      child.once('exit', () => resolve('ended'));
      child.send(question);
    });
    clearTimeout(timer);
    child.removeAllListeners();
    if (outcome === 'timed out' || outcome === 'ended') {
      stopRunner(child);
      this.#runner = startRunner(this.#folder);
    }
    return { outcome, test, passed };
  }
}

/** Copies the repository. The path is the same in each run, so that vitest finds what it has transformed. */
function createCopy() {
  const hash = createHash('sha256').update(root).digest('hex').slice(0, 8);
  let folder = '';
  for (let number = 1; folder === ''; number++) folder = createFolder(`docsctl-mutate-${hash}-${number}`);
  // The PostgreSQL server of the tests has its data below it, and may run as another user.
  chmodSync(folder, 0o755);
  for (const name of readdirSync(root))
    if (!['.git', '.cache', '.coverage', 'node_modules', 'dist'].includes(name))
      cpSync(join(root, name), join(folder, name), { recursive: true });
  for (const name of ['node_modules', 'dist']) symlinkSync(join(root, name), join(folder, name));
  mkdirSync(join(folder, '.tmp'));
  return folder;
}

/** Creates a temporary folder; returns an empty path if it exists, as another run may use it. @param {string} name */
function createFolder(name) {
  try {
    mkdirSync(join(tmpdir(), name));
    return join(tmpdir(), name);
  } catch (error) {
    if (/** @type {NodeJS.ErrnoException} */ (error).code === 'EEXIST') return '';
    throw error;
  }
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
