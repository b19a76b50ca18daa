import type { Command } from 'commander';
import { maxNearest, nearest, strictShare } from '../contract/nearest.ts';
import { isOperation } from '../contract/operation.ts';
import { joinOr } from '../contract/values.ts';
import { Problem } from '../errors/problem.ts';
import { nouns } from '../resources/index.ts';
import { wordsOf } from './command-words.ts';
import { compositeCommands } from './commands/index.ts';
import { nounFor, verbFor, wordsFor } from './verbs.ts';

/**
 * Checks the words after a command, without flags: each must be a command below the previous one, up to a command with arguments.
 * After `help`, all words must be commands.
 * @throws Problem(usage) with suggestions
 */
export async function checkKnown(
  stub: Command,
  words: readonly string[],
  isAfterHelp = false,
): Promise<void> {
  let command = stub;
  for (const [index, word] of words.entries()) {
    const { commands, registeredArguments } = command;
    const isLast = commands.length === 0 || registeredArguments.length > 0;
    if (isLast && !isAfterHelp) return;
    const inner = commands.find((one) => one.name() === word || one.aliases().includes(word));
    if (inner === undefined)
      throw isLast ? noSubcommand(command, word) : await unknownCommand(command, word, words[index + 1]);
    command = inner;
  }
}

function noSubcommand(command: Command, word: string): Problem {
  const words = wordsOf(command);
  return new Problem('usage', `\`docsctl ${words}\` has no subcommand "${word}".`, {
    hint: `To see its help, run \`docsctl help ${words}\`.`,
  });
}

/** Returns the Problem for an unknown word. `next` is the word after it, because `list spaces` means `spaces list`. */
async function unknownCommand(parent: Command, word: string, next: string | undefined): Promise<Problem> {
  const words = wordsOf(parent);
  const path = `docsctl ${words}`.trimEnd();
  const isTop = parent.parent === null;
  const names = [...parent.commands.map((command) => command.name()), ...(isTop ? ['help'] : [])];
  const isSwapped = next !== undefined && isTop && word !== 'help' && word !== 'auth';
  const swapped = isSwapped ? (nounFor(next, names) ?? next) : undefined;
  const meant = await commandsMeant(words, names, word, next);
  const hint =
    swapped !== undefined && names.includes(swapped)
      ? `The noun comes first: \`docsctl ${swapped} ${word}\`.`
      : meant.length > 0
        ? `Did you mean ${joinOr(meant.map((command) => `\`docsctl ${command}\``))}?`
        : names.length <= maxNames
          ? `Commands of \`${path}\`: ${names.toSorted().join(', ')}.`
          : `To see the commands, run \`${path} --help\`.`;
  return new Problem('usage', `Unknown command "${word}".`, { hint });
}

/** Returns the commands that an unknown word after the words `path` may mean, given the names of the existing commands. */
async function commandsMeant(
  path: string,
  names: readonly string[],
  word: string,
  next: string | undefined,
): Promise<readonly string[]> {
  if (word === 'help') return [['help', path, next ?? ''].filter((one) => one !== '').join(' ')];
  const elsewhere = wordsOfOthers[`${path} ${word}`.trim()];
  if (elsewhere !== undefined) return [elsewhere].flat();
  const inner = path === '' ? innerNouns(word) : [];
  if (inner.length > 0) return withVerb(inner, next);
  const commands = new Map(
    names.flatMap((name) => wordsFor(name, path !== '').map((one) => [one, name] as const)),
  );
  for (const name of names) commands.set(name, name);
  const close = nearest(word, [...commands.keys()], strictShare).map((one) => commands.get(one) ?? one);
  if (close.length > 0 || path !== '') return [...new Set(close)].map((name) => `${path} ${name}`.trim());
  const [near] = nearest(word, innerWords.map(lastWord), strictShare);
  return near === undefined ? [] : withVerb(innerNouns(near), next);
}

/** Returns the commands that a verb forms with the nouns. If it forms none, returns the help of each noun. */
async function withVerb(words: readonly string[], verb: string | undefined): Promise<readonly string[]> {
  const existing: string[] = [];
  for (const noun of verb === undefined ? [] : words) {
    const contract = await nouns.find((one) => one.words === noun)?.contract();
    const ids = Object.values(contract ?? {})
      .filter(isOperation)
      .map(({ id }) => id.replaceAll('.', ' '));
    const verbs = [...ids, ...compositeCommands.map((one) => one.words)]
      .filter((one) => one.startsWith(`${noun} `))
      .map((one) => one.slice(noun.length + 1));
    if (verbs.includes(`${verb}`) || verbFor(`${verb}`, verbs) !== undefined)
      existing.push(`${noun} ${verb}`);
  }
  return existing.length > 0 ? existing : words.map((noun) => `${noun} --help`);
}

/** Commands of other tools, with the corresponding commands of docsctl. */
export const wordsOfOthers: Readonly<Record<string, string | readonly string[]>> = {
  analytics: 'sites events aggregate',
  approve: 'change-requests reviews submit --status approved',
  ask: 'search',
  assets: 'spaces files list',
  'audit log': 'audit list',
  auth: ['login', 'whoami'],
  backlinks: 'spaces pages backlinks',
  backup: 'store backup',
  browse: 'open',
  build: 'sites build',
  'change-requests approve': 'change-requests reviews submit --status approved',
  'change-requests archive': 'change-requests update --status archived',
  'change-requests close': 'change-requests update --status archived',
  'change-requests delete': 'change-requests update --status archived',
  'change-requests open': 'change-requests update --status open',
  'change-requests preview': 'sites preview',
  'change-requests rebase': 'change-requests sync',
  'change-requests reopen': 'change-requests update --status open',
  'change-requests remove': 'change-requests update --status archived',
  'change-requests resolve': 'change-requests merge',
  'change-requests revert': 'revisions restore',
  check: 'validate',
  clone: 'spaces export',
  context: 'profiles list',
  contexts: 'profiles list',
  copy: 'pages copy',
  crs: 'change-requests list',
  'custom-hostnames add': 'custom-hostnames set',
  'custom-hostnames check': 'custom-hostnames verify',
  'custom-hostnames create': 'custom-hostnames set',
  'custom-hostnames status': 'custom-hostnames get',
  deploy: 'sites publish',
  describe: 'explain',
  diff: 'plan',
  domains: 'custom-hostnames list',
  download: 'spaces export',
  dump: 'export',
  edit: 'pages edit',
  find: 'search',
  grep: 'search',
  hostname: 'custom-hostnames list',
  hostnames: 'custom-hostnames list',
  images: 'spaces files list',
  import: 'spaces import',
  ingest: 'conversations ingest',
  'integrations install': 'integrations installations create',
  'integrations logs': 'integrations events list',
  'integrations uninstall': 'integrations installations delete',
  links: 'spaces links',
  lint: 'validate',
  listen: 'integrations events tail',
  log: 'history',
  logs: ['history', 'audit list'],
  manifest: 'validate',
  'members disable': 'members update --disabled',
  merge: 'change-requests merge',
  migrate: 'store migrate',
  move: 'pages move',
  mr: 'change-requests list',
  'openapi changes': 'openapi diff',
  'openapi lint': 'openapi validate',
  'openapi upload': 'openapi publish',
  'orgs use': 'config set',
  'pages history': 'revisions list',
  'pages restore': 'revisions restore',
  'pages search': 'spaces search',
  'pages update': 'pages edit',
  pr: 'change-requests list',
  preview: 'sites preview',
  'profiles add': 'login',
  'profiles create': 'login',
  'profiles current': 'whoami',
  'profiles show': 'profiles list',
  publish: 'sites publish',
  pull: 'spaces git-sync',
  push: 'spaces git-sync',
  rename: 'pages rename',
  report: 'access report',
  restore: ['revisions restore', 'spaces restore', 'store restore'],
  revert: 'revisions restore',
  'revisions revert': 'revisions restore',
  rollback: 'revisions restore',
  'sites domain': 'custom-hostnames set',
  'spaces ask': 'spaces search',
  'spaces clone': 'spaces duplicate',
  'spaces copy': 'spaces duplicate',
  'spaces download': 'spaces export',
  'spaces files upload': 'spaces files add',
  'spaces history': 'revisions list',
  'spaces images': 'spaces files list',
  'spaces members': 'spaces permissions effective',
  'spaces publish': 'sites publish',
  'spaces rename': 'spaces update',
  'spaces revisions': 'revisions list',
  'spaces sync': 'spaces git-sync',
  'spaces upload': 'spaces files add',
  'sso create': 'saml create',
  'state import': 'adopt',
  'state rm': 'forget',
  stats: 'sites events aggregate',
  status: 'doctor',
  'store dump': 'store backup',
  'store export': 'store backup',
  sync: 'spaces git-sync',
  tickets: 'conversations list',
  'tokens revoke': 'tokens delete',
  translate: 'translations create',
  'translations sync': 'translations run',
  undo: ['revisions restore', 'runs undo'],
  upload: 'spaces files add',
  version: '--version',
  versions: 'revisions list',
};

const innerWords = nouns.map(({ words }) => words).filter((words) => words.includes(' '));

/** Returns up to three inner nouns for a word: `sites sections` for `section`. */
function innerNouns(word: string): string[] {
  return innerWords
    .filter((words) => lastWord(words) === word || nounFor(word, [lastWord(words)]) === lastWord(words))
    .slice(0, maxNearest);
}

function lastWord(words: string): string {
  return words.split(' ').at(-1) ?? '';
}

const maxNames = 30;

/**
 * Returns up to three names that are similar to a missing one: with a similar spelling, with a word of similar spelling, or with
 * many common words.
 */
export function similarNames(wanted: string, names: readonly string[]): string[] {
  const close = nearest(comparable(wanted), names.map(comparable));
  if (close.length > 0)
    return close
      .flatMap((one) => [...new Set(names)].filter((name) => comparable(name) === one))
      .slice(0, maxNearest);
  const word = comparable(wanted).toLowerCase();
  const withWord = [...new Set(names)].filter(
    (name) => nearest(word, wordsIn(comparable(name)), Infinity).length > 0,
  );
  if (word.length >= minWord && withWord.length > 0) return withWord.slice(0, maxNearest);
  const stems = stemsOf(comparable(wanted));
  return [...new Set(names)]
    .map((name) => ({ name, score: [...stemsOf(comparable(name))].filter((stem) => stems.has(stem)).length }))
    .filter(({ score }) => score > 0)
    .sort((one, other) => other.score - one.score)
    .slice(0, maxNearest)
    .map(({ name }) => name);
}

/** Returns the part of a name that is compared: for an email, the part before the @, because many have the same domain. */
function comparable(name: string): string {
  return name.replace(/^([^\s@]+)@[^\s@]+$/, '$1');
}

/** Returns the first names of up to three resources with a name similar to a missing one. */
export function similarThings(wanted: string, things: readonly (readonly string[])[]): string[] {
  const firsts = new Map<string, string>();
  for (const names of things)
    for (const name of names) if (name !== '' && !firsts.has(name)) firsts.set(name, names[0] ?? '');
  return [...new Set(similarNames(wanted, [...firsts.keys()]).map((name) => firsts.get(name) ?? name))];
}

/** Minimum length of compared words. Shorter ones are similar by chance. */
const minWord = 4;

/** Returns the words of a name in lower case, and the segments of a path: "style" and "style-guide" for "writing/style-guide". */
function wordsIn(name: string): string[] {
  const lower = name.toLowerCase();
  return [...lower.split('/'), ...lower.split(/[^\p{L}\p{N}]+/u)].filter((word) => word.length >= minWord);
}

/** Returns the starts of the words of a text, without short words, so that "declined" is similar to "declining". */
function stemsOf(text: string): Set<string> {
  return new Set([...text.toLowerCase().matchAll(/[\p{L}\p{N}]{4,}/gu)].map(([word]) => word.slice(0, 5)));
}
