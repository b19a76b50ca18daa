import { readFileSync, statSync } from 'node:fs';
import { resolve } from 'node:path';

/** @import { CommandLine, Environment, Settings } from './types.d.ts' */

/** The commands that take `-f`. */
const manifestCommands = ['plan', 'apply', 'drift', 'validate', 'rehearse'];

/** A mistake in the settings of a job. */
export class UsageError extends Error {}

/**
 * Reads what a job is asked to do from the variables that action.yml and gitlab.yml set.
 * @param {Environment} env
 * @param {string} cwd
 * @returns {Settings}
 */
export function readSettings(env, cwd) {
  const given = splitWords(env['DOCSCTL_CI_COMMAND'] || 'plan');
  const words = given[0] === 'docsctl' ? given.slice(1) : given;
  const [command = ''] = words;
  if (!/^[a-z][a-z-]*$/.test(command))
    throw new UsageError(
      `The command must begin with the name of a command, such as plan, not "${command}".`,
    );
  const manifests = (env['DOCSCTL_CI_MANIFEST'] ?? '')
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
  if (manifests.length > 0 && !manifestCommands.includes(command))
    throw new UsageError(
      `A manifest can be given for ${manifestCommands.join(', ')}, not for "${command}". Leave it out.`,
    );
  const version = (env['DOCSCTL_CI_VERSION'] ?? '').trim();
  if (!/^(?:[\w.+-]{0,100})$/.test(version))
    throw new UsageError(`"${version}" is not a version of docsctl. Use one such as 0.1.0, or latest.`);
  const path = env['DOCSCTL_CI_WORKING_DIRECTORY'] || '.';
  const folder = resolve(cwd, path);
  if (statSync(folder, { throwIfNoEntry: false })?.isDirectory() !== true)
    throw new UsageError(
      `The working directory ${path} does not exist. Is a checkout step missing before this one?`,
    );
  const firstOption = words.findIndex((word) => word.startsWith('-'));
  const ownKey = [...words.slice(0, firstOption === -1 ? undefined : firstOption), ...manifests, path];
  return {
    words,
    manifests,
    version,
    folder,
    comment: readSwitch(env['DOCSCTL_CI_COMMENT'], 'comment'),
    commentKey: env['DOCSCTL_CI_COMMENT_KEY'] || ownKey.join(' '),
  };
}

/**
 * Returns the tokens in the files that docsctl reads its token from, which are to be hidden. A file that cannot be read is
 * left out: docsctl says why.
 * @param {Settings} settings
 * @param {Environment} env
 */
export function readTokenFiles({ words, folder }, env) {
  const given = words.flatMap((word, index) =>
    words[index - 1] === '--token-file' ? [word] : word.startsWith('--token-file=') ? [word.slice(13)] : [],
  );
  return [env['DOCSCTL_TOKEN_FILE'], ...given].flatMap((path) => {
    try {
      if (!path || path === '-') return [];
      const file = resolve(folder, path);
      const found = statSync(file);
      return found.isFile() && found.size <= 65_536 ? [readFileSync(file, 'utf8').trim()] : [];
    } catch {
      return [];
    }
  });
}

/**
 * Returns the whole command line for settings: plans are saved and written in Markdown, an apply asks nobody, and a check
 * annotates where the host shows annotations. An earlier version of docsctl may not know how.
 * @param {Settings} settings
 * @param {{ readonly planFile: string, readonly annotates: boolean }} host `planFile` is the path for a plan, unless the command names one
 * @returns {CommandLine}
 */
export function commandLineOf({ words, manifests, folder, version }, { planFile, annotates }) {
  const [command] = words;
  const files = manifests.flatMap((path) => ['-f', path]);
  const isPlan = command === 'plan' || command === 'drift';
  const has = (/** @type {string} */ option) =>
    words.some((word) => word === option || word.startsWith(`${option}=`));
  const added = [];
  if (isPlan) added.push('--detailed-exitcode', '--output', 'markdown');
  if (command === 'plan' && !has('--out')) added.push('--out', planFile);
  if (command === 'apply' && !words.some((word) => /^(?:-y|--yes$)/.test(word))) added.push('--yes');
  if ((command === 'validate' || command === 'plan') && annotates && version === '' && !has('--format'))
    added.push('--format', 'github');
  const saved = command === 'plan' ? (valueOf(words, '--out') ?? planFile) : undefined;
  return {
    words: [...words, ...files, ...added],
    isPlan,
    planFile: saved === undefined ? undefined : resolve(folder, saved),
  };
}

/**
 * Returns settings that check the same files and need no token; undefined if there is nothing to check.
 * @param {Settings} settings
 * @returns {Settings | undefined}
 */
export function withoutToken(settings) {
  const [command = ''] = settings.words;
  if (command === 'validate') return settings;
  if (!manifestCommands.includes(command)) return undefined;
  const files = settings.words.flatMap((word, at) =>
    /^(?:-y*f|--file|--var)$/.test(word)
      ? [word.replace(/^-y+/, '-'), settings.words[at + 1] ?? '']
      : /^(?:-y*f.|--(?:file|var)=)/s.test(word)
        ? [word.replace(/^-y+/, '-')]
        : [],
  );
  return { ...settings, words: ['validate', ...files] };
}

/**
 * Splits a command into words at spaces and line breaks. Quotes keep a word together; nothing else is special, because
 * no shell reads it.
 * @param {string} line
 * @returns {string[]}
 */
export function splitWords(line) {
  const words = [...line.matchAll(/(?:[^\s"']|"[^"]*"|'[^']*')+/g)].map(([word]) => word);
  if (words.join('') !== line.replace(/\s+(?=(?:[^"']|"[^"]*"|'[^']*')*$)/g, ''))
    throw new UsageError('The command has a quote that is never closed.');
  return words.map((word) => word.replace(/"([^"]*)"|'([^']*)'/g, (_, double, single) => double ?? single));
}

/**
 * @param {readonly string[]} words
 * @param {string} option
 */
function valueOf(words, option) {
  const at = words.findIndex((word) => word === option || word.startsWith(`${option}=`));
  const word = words[at];
  return word === undefined ? undefined : word === option ? words[at + 1] : word.slice(option.length + 1);
}

/**
 * @param {string | undefined} text
 * @param {string} name
 */
function readSwitch(text, name) {
  const word = (text ?? '').trim().toLowerCase();
  if (word === 'true' || word === '') return true;
  if (word === 'false') return false;
  throw new UsageError(`"${text}" is not a value for ${name}. Use true or false.`);
}
