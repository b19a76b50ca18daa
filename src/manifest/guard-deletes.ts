import { Problem } from '../errors/problem.ts';
import type { Owned } from './manifest-state.ts';
import type { Step } from './plan-document.ts';

/** What a run may lose, and what is said where it would lose more. */
export interface DeleteGuard {
  readonly deletes: readonly Step[];
  readonly entryOf: (address: string) => Owned | undefined;
  /** What is protected goes as well: somebody insists. */
  readonly force?: boolean;
  /** Resources that the lock owns: the default budget follows them. */
  readonly owned: number;
  /** Resources that may be lost at most. Default: 5, or 10 % of what is owned where that is more. */
  readonly maxDeletes: number | undefined;
  /** The end of the sentence on what is protected: ` is protected, and …`. */
  readonly whyProtected: (many: boolean) => string;
  readonly hintProtected: string;
  /** The command that shows them, given a budget that is enough, and what is done then. */
  readonly look: (needed: number) => string;
  readonly verb: 'apply' | 'undo';
}

/** Refuses deletes of what is protected, then those over the budget; what lies inside counts as well. */
export function guardDeletes({
  deletes,
  entryOf,
  force = false,
  owned,
  maxDeletes,
  whyProtected,
  hintProtected,
  look,
  verb,
}: DeleteGuard): Problem | undefined {
  const kept = force ? [] : deletes.flatMap((step) => protectedIn(step, entryOf));
  if (kept.length > 0) {
    return new Problem(
      'guard-refused',
      `${firstOf(kept)} ${kept.length === 1 ? 'is' : 'are'} protected, and ${whyProtected(kept.length > 1)}.`,
      {
        hint: hintProtected,
        violations: kept.map((address) => ({
          path: address,
          message: `${describeOwned(address, entryOf)} is protected`,
        })),
      },
    );
  }
  const lost = deletes.flatMap(({ address, drops = [] }) => [address, ...drops]);
  const budget = maxDeletes ?? Math.max(5, Math.floor(owned / 10));
  if (lost.length <= budget) return undefined;
  const within = lost.length - deletes.length;
  const limit =
    maxDeletes === undefined
      ? `without --max-deletes at most ${budget} go at once`
      : `--max-deletes allows ${budget}`;
  return new Problem(
    'guard-refused',
    `This would delete ${lost.length} resources${within === 0 ? '' : ` (${deletes.length}, and ${within} inside)`}; ${limit}.`,
    {
      hint: `Look at them with \`${look(lost.length)}\`; if they shall go, ${verb} with the same flags.`,
      violations: lost.slice(0, 20).map((address) => ({
        path: address,
        message: `would be deleted: ${describeOwned(address, entryOf)}`,
      })),
    },
  );
}

/** The step as a refused plan shows it: what is protected is not deleted. */
export function markProtected(step: Step, entryOf: DeleteGuard['entryOf']): Step {
  const kept = protectedIn(step, entryOf);
  if (kept.length === 0) return step;
  return {
    ...step,
    action: 'unsupported',
    calls: 0,
    reason: `not deleted: ${firstOf(kept)} ${kept.length === 1 ? 'is' : 'are'} protected`,
  };
}

function protectedIn({ address, drops = [] }: Step, entryOf: DeleteGuard['entryOf']): string[] {
  return [address, ...drops].filter((one) => entryOf(one)?.protect === true);
}

function describeOwned(address: string, entryOf: DeleteGuard['entryOf']): string {
  const owned = entryOf(address);
  return owned === undefined ? address : `${owned.kind} ${owned.id}`;
}

function firstOf(addresses: readonly string[]): string {
  return `${addresses.slice(0, 5).join(', ')}${addresses.length > 5 ? ` and ${addresses.length - 5} more` : ''}`;
}
