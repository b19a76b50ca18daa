import { shellWord } from '../../contract/shell-word.ts';
import { isProblem, type Problem } from '../../errors/problem.ts';
import { hasFlag, valueOf } from '../option-value.ts';
import type { Runtime } from '../runtime.ts';

/** The options that select where a command runs, and how it gets there. */
export const placeOptions = [
  '--store',
  '--server',
  '--profile',
  '--token-file',
  '--org',
  '--ca-file',
  '--allow-http',
] as const;
type PlaceFlag = (typeof placeOptions)[number] | '--as';

/** Commands that use no store or server, that choose one themselves, or that are for other people. */
const placeless =
  /^(?:-|(?:commands|completion|config|explain|help|invites accept|logout|profiles|schema|store migrate|validate)\b)/;

/** The options that a command takes from the command line, if not all of them. */
const ownFlags: readonly (readonly [RegExp, ReadonlySet<PlaceFlag>])[] = [
  [/^(?:init|serve)\b/, new Set(['--store'])],
  [/^login\b/, new Set(['--ca-file', '--allow-http'])],
  [/^orgs\b/, new Set(placeOptions.filter((flag) => flag !== '--org'))],
];

type Line = Pick<Runtime, 'argv' | 'literalValues'>;

/**
 * Returns a text whose commands, written as `docsctl …`, run in the same place as the command line: they get its options --store,
 * --server, --profile, --token-file, --org, --ca-file and --allow-http. Commands that state where they run stay as they are. A URL
 * with a password is left out.
 */
export function withPlace(
  { argv, literalValues }: Line,
  text: string,
  flags: readonly PlaceFlag[] = placeOptions,
): string {
  // The tools of an assistant have no such options.
  if (literalValues === true || !text.includes('`docsctl')) return text;
  const given = flags.flatMap((flag): (readonly [PlaceFlag, ...string[]])[] => {
    if (flag === '--allow-http') return hasFlag(argv, flag) ? [[flag]] : [];
    const value = valueOf(argv, flag);
    return value === undefined || value === '-' || hasPassword(value) ? [] : [[flag, shellWord(value)]];
  });
  if (given.length === 0) return text;
  // `docsctl sites list` has no --foo: this command is described, and not suggested.
  const suggested =
    /(?<=`)(?<!(?:Commands|Tokens) of `)docsctl ([^`]+)(?=`(?! has no | exists| takes | wrote))/g;
  return text.replace(suggested, (command, words: string) => {
    const taken = ownFlags.find(([pattern]) => pattern.test(words))?.[1];
    const statesPlace = !words.startsWith('login') && / --(?:store|server|profile)\b/.test(words);
    if (placeless.test(words) || statesPlace || / (?:--help\b|\.\.\.$)/.test(words)) return command;
    const missing = given.filter(
      ([flag]) => !` ${words} `.includes(` ${flag} `) && taken?.has(flag) !== false,
    );
    return [command, ...missing.flat()].join(' ');
  });
}

/** Does the same in the hint of a problem. A person with other permissions, or a valid token, has another profile and token. */
export function withPlaceInHint(line: Line, problem: Problem): Problem {
  const { hint = '' } = problem;
  const isForOthers = isProblem(problem, 'forbidden', 'unauthenticated');
  const flags = isForOthers
    ? placeOptions.filter((flag) => flag !== '--profile' && flag !== '--token-file')
    : placeOptions;
  const placed = withPlace(line, hint, flags);
  return placed === hint ? problem : problem.withHint(placed);
}

function hasPassword(value: string): boolean {
  return /:\/\/[^/@]*:[^/@]*@/.test(value);
}
