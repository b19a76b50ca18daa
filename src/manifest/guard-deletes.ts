import { listSome, plural } from '../contract/values.ts';
import { Problem } from '../errors/problem.ts';
import type { Owned } from './manifest-state.ts';
import type { Step } from './plan-document.ts';

/** A maximum number of deletes, or the percentage of the resources in the state file that may be deleted. */
export type DeleteLimit = number | `${number}%`;

/** The deletes that a run may do, and the texts for a refusal. */
interface DeleteGuard {
  readonly deletes: readonly Step[];
  readonly entryOf: (address: string) => Owned | undefined;
  /** Whether to delete protected resources. */
  readonly force?: boolean;
  /** The number of resources in the state file. The default of `maxDeletes` depends on it. */
  readonly owned: number;
  /** A percentage is rounded down. Default: 5, or 10% of `owned` if that is more. */
  readonly maxDeletes: DeleteLimit | undefined;
  /**
   * Returns the end of the sentence about protected resources: ` is protected, but …`. Absent if no protected resource can be
   * deleted.
   */
  readonly whyProtected?: (many: boolean) => string;
  readonly hintProtected?: string;
  /** Returns a command that shows the deletes, with a sufficient `--max-deletes`. */
  readonly look: (needed: number) => string;
  readonly verb: 'apply' | 'undo';
}

/**
 * Returns the refusal if protected resources would be deleted, or too many, counting the resources inside them; otherwise
 * undefined.
 */
export function guardDeletes(guard: DeleteGuard): Problem | undefined {
  const { deletes, entryOf, force = false, owned, maxDeletes, whyProtected, look, verb } = guard;
  const kept = force ? [] : deletes.flatMap((step) => protectedIn(step, entryOf));
  if (kept.length > 0 && whyProtected !== undefined)
    return new Problem('guard-refused', `${listProtected(kept)}, but ${whyProtected(kept.length > 1)}.`, {
      hint: guard.hintProtected,
      violations: kept.map((address) => ({
        path: address,
        message: `${describeOwned(address, entryOf)} is protected`,
      })),
    });
  const lost = deletes.flatMap(({ address, drops = [] }) => [address, ...drops]);
  const shareOf = (percent: number): number => Math.floor((owned * percent) / 100);
  const budget =
    typeof maxDeletes === 'string'
      ? shareOf(Number.parseInt(maxDeletes, 10))
      : (maxDeletes ?? Math.max(5, shareOf(10)));
  if (lost.length <= budget) return undefined;
  const inside = lost.length - deletes.length;
  const limit =
    maxDeletes === undefined
      ? `the limit is ${budget} unless --max-deletes allows more`
      : typeof maxDeletes === 'string'
        ? `--max-deletes ${maxDeletes} allows only ${budget} of ${owned}`
        : `--max-deletes allows only ${budget}`;
  const them = lost.length === 1 ? 'it' : 'them';
  return new Problem(
    'guard-refused',
    `This would delete ${plural(lost.length, 'resource')}${inside === 0 ? '' : `: ${deletes.length}, and ${inside} more inside ${deletes.length === 1 ? 'it' : 'them'}`}; ${limit}.`,
    {
      hint: `Review ${them} with \`${look(lost.length)}\`. To delete ${them}, ${verb} with the same options.`,
      violations: lost.slice(0, 20).map((address) => ({
        path: address,
        message: `would be deleted: ${describeOwned(address, entryOf)}`,
      })),
    },
  );
}

/** Returns the step for a refused plan. If it deletes a protected resource, it becomes unsupported. */
export function markProtected(step: Step, entryOf: DeleteGuard['entryOf']): Step {
  const kept = protectedIn(step, entryOf);
  if (kept.length === 0) return step;
  return { ...step, action: 'unsupported', calls: 0, reason: `not deleted: ${listProtected(kept)}` };
}

/** Writes `space.a, space.b are protected`. */
export function listProtected(addresses: readonly string[]): string {
  return `${listSome(addresses)} ${addresses.length === 1 ? 'is' : 'are'} protected`;
}

function protectedIn({ address, drops = [] }: Step, entryOf: DeleteGuard['entryOf']): string[] {
  return [address, ...drops].filter((one) => entryOf(one)?.protect === true);
}

function describeOwned(address: string, entryOf: DeleteGuard['entryOf']): string {
  const owned = entryOf(address);
  return owned === undefined ? address : `${owned.kind} ${owned.id}`;
}
