import { shellWord } from '../../contract/shell-word.ts';
import { isProblem, type Problem } from '../../errors/problem.ts';
import type { Runtime } from '../runtime.ts';

/** The options that select where a command runs, and how it gets there. */
export const placeOptions = [
  '--store',
  '--server',
  '--profile',
  '--token-file',
  '--org',
  '--ca-file',
] as const;
type PlaceFlag = (typeof placeOptions)[number] | '--as';

/** Commands that use no store or server, that choose one themselves, or that are for other people. */
const placeless =
  /^(?:-|(?:commands|completion|config|explain|help|invites accept|login|logout|profiles|schema|validate)\b)/;

/** The options that a command takes from the command line, if not all of them. */
const ownFlags: readonly (readonly [RegExp, ReadonlySet<PlaceFlag>])[] = [
  [/^(?:init|serve)\b/, new Set(['--store'])],
  [/^orgs\b/, new Set(placeOptions.filter((flag) => flag !== '--org'))],
];

type Line = Pick<Runtime, 'argv' | 'literalValues'>;

/**
 * Returns a text whose commands, written as `docsctl …`, run in the same place as the command line: they get its options --store,
 * --server, --profile, --token-file, --org and --ca-file. Commands that state where they run stay as they are. A URL with a
 * password is left out.
 */
export function withPlace(
  { argv, literalValues }: Line,
  text: string,
  flags: readonly PlaceFlag[] = placeOptions,
): string {
  // The tools of an assistant have no such options.
  if (literalValues === true || !text.includes('`docsctl')) return text;
  const given = flags.flatMap((flag) => {
    const value = valueOf(argv, flag);
    return value === undefined || value === '-' || hasPassword(value) ? [] : [[flag, value] as const];
  });
  if (given.length === 0) return text;
  return text.replace(/(?<=`)docsctl ([^`]+)(?=`)/g, (command, words: string) => {
    if (placeless.test(words) || / (?:--(?:store|server|profile|help)\b|\.\.\.$)/.test(` ${words}`))
      return command;
    const taken = ownFlags.find(([pattern]) => pattern.test(words))?.[1];
    const missing = given.filter(
      ([flag]) => !` ${words} `.includes(` ${flag} `) && taken?.has(flag) !== false,
    );
    return [command, ...missing.flatMap(([flag, value]) => [flag, shellWord(value)])].join(' ');
  });
}

/** Does the same in the hint of a problem. A person with other permissions has another profile and token. */
export function withPlaceInHint(line: Line, problem: Problem): Problem {
  const { hint = '' } = problem;
  const isForOthers = isProblem(problem, 'forbidden');
  const flags = isForOthers
    ? placeOptions.filter((flag) => flag !== '--profile' && flag !== '--token-file')
    : placeOptions;
  const placed = withPlace(line, hint, flags);
  return placed === hint ? problem : problem.withHint(placed);
}

/** Returns the last value of an option in a command line. */
function valueOf(argv: readonly string[], flag: string): string | undefined {
  const end = argv.indexOf('--');
  const words = end < 0 ? argv : argv.slice(0, end);
  const at = words.findLastIndex((word) => word === flag || word.startsWith(`${flag}=`));
  return words[at] === flag ? words[at + 1] : words[at]?.slice(flag.length + 1);
}

function hasPassword(value: string): boolean {
  return /:\/\/[^/@]*:[^/@]*@/.test(value);
}
