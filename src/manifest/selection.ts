import { listSome } from '../contract/values.ts';
import { Problem } from '../errors/problem.ts';
import { matchName } from '../files/glob.ts';
import { nearestAddress } from './address.ts';
import { findField, type Kind } from './kind.ts';
import { emptyStep, mainSteps, type Step } from './plan-document.ts';
import { referencesIn } from './value.ts';

/** Patterns of addresses, such as `space.*`: the blocks to include in a plan, and the blocks to leave out. */
export interface SelectionPatterns {
  readonly only?: readonly string[] | undefined;
  readonly exclude?: readonly string[] | undefined;
}

export type Selection = (address: string) => boolean;

/**
 * Creates a selection from patterns, in which `*` stands for any characters and `?` for one. Undefined: everything is selected.
 * @throws Problem(invalid-input) for a pattern that matches no known address
 */
export function createSelection(
  { only, exclude }: SelectionPatterns,
  known: readonly string[],
): Selection | undefined {
  if (only === undefined && exclude === undefined) return undefined;
  const check = (patterns: readonly string[] = [], flag: string): void => {
    for (const pattern of patterns)
      if (!known.some((address) => matchName(pattern, address))) throw noMatch(flag, pattern, known);
  };
  check(only, '--only');
  check(exclude, '--exclude');
  const isIn = (patterns: readonly string[], address: string) =>
    patterns.some((pattern) => matchName(pattern, address));
  return (address) => (only === undefined || isIn(only, address)) && !isIn(exclude ?? [], address);
}

function noMatch(flag: string, pattern: string, known: readonly string[]): Problem {
  const kind = known
    .map((address) => address.replace(/\..*/s, ''))
    .find((one) => one === pattern.replace(/s$/, ''));
  const close = kind === undefined ? nearestAddress(pattern, known) : `"${kind}.*"`;
  return new Problem(
    'invalid-input',
    `${flag} "${pattern}" matches no resource of the manifest or the state file.`,
    {
      hint:
        close === undefined
          ? 'Name resources by kind and name, for example "space.*".'
          : `Did you mean ${close}?`,
    },
  );
}

/**
 * Limits steps to the selected addresses. Resources that are not selected do not change.
 * @throws Problem(usage) if a selected step needs one that is not selected
 */
export function selectSteps(
  steps: readonly Step[],
  isSelected: Selection | undefined,
  table: readonly Kind[],
  { only }: SelectionPatterns,
): readonly Step[] {
  const isLimited = only !== undefined;
  if (isSelected === undefined) return steps;
  const main = mainSteps(steps);
  const missing = new Map<string, string>();
  for (const step of steps.filter(({ address }) => isSelected(address)))
    for (const address of neededBy(step, main, table))
      if (!isSelected(address)) missing.set(address, step.address);
  if (missing.size > 0) throw missingSteps(missing, isLimited);
  const selected = steps.flatMap((step) => (isSelected(step.address) ? step : (unchanged(step) ?? [])));
  const keys = new Set(selected.map(({ key }) => key));
  return selected.map((step) => ({ ...step, after: step.after.filter((key) => keys.has(key)) }));
}

/**
 * Returns a step without changes for a resource, so that others can refer to it; undefined if the resource does not exist yet.
 */
function unchanged(step: Step): Step | undefined {
  const { key, address, kind, name, id, saw } = step;
  // A resource that would be adopted is not owned yet, so other steps must not rely on it.
  if (key !== address || id === undefined || saw === undefined || step.action === 'adopt') return undefined;
  return { ...emptyStep(address, kind, 'none', name, step), saw };
}

/** Returns the addresses whose steps a step needs: they create a resource, release a unique value, or are inside it. */
function neededBy(step: Step, main: ReadonlyMap<string, Step>, table: readonly Kind[]): string[] {
  const { changes, atCreation = {}, parent, beside, kind: kindName, action, drops = [], after } = step;
  if (action === 'none' || action === 'unsupported') return [];
  if (action === 'delete') {
    // The state file has the former address of a parent that gets a new one.
    const isMoved = parent !== undefined && main.get(parent)?.action === 'adopt';
    return isMoved ? [parent, ...drops] : [...drops];
  }
  const kind = table.find(({ name }) => name === kindName);
  const isUnique = (field: string) => kind !== undefined && findField(kind, field)?.unique === true;
  const taken = new Set(changes.map(({ field }) => field).filter(isUnique));
  const holders = after.filter((key) => {
    const other = main.get(key);
    return (
      other?.kind === kindName &&
      other.parent === parent &&
      other.action !== 'create' &&
      other.changes.some(({ field }) => taken.has(field))
    );
  });
  const created = [
    ...(parent === undefined ? [] : [parent]),
    ...referencesIn([changes.map(({ after: value }) => value), atCreation]),
    ...(beside === undefined ? [] : ['before' in beside ? beside.before : beside.after]),
  ].filter((address) => ['create', 'adopt'].includes(main.get(address)?.action ?? ''));
  const invited = after.filter(
    (key) => main.get(key)?.kind === 'member' && main.get(key)?.action === 'create',
  );
  return [...created, ...holders, ...invited];
}

function missingSteps(missing: ReadonlyMap<string, string>, isLimited: boolean): Problem {
  const addresses = [...missing.keys()];
  return new Problem(
    'usage',
    `The selected steps need ${listSome(addresses)}, which ${addresses.length === 1 ? 'is' : 'are'} not selected.`,
    {
      hint: isLimited
        ? `Add ${addresses
            .slice(0, 5)
            .map((address) => `--only ${address}`)
            .join(' ')}, or do not exclude ${addresses.length === 1 ? 'it' : 'them'}.`
        : `Do not exclude ${addresses.length === 1 ? 'it' : 'them'}, or also exclude ${listSome([...new Set(missing.values())])}.`,
      violations: [...missing]
        .slice(0, 50)
        .map(([address, by]) => ({ path: address, message: `${by} needs it` })),
    },
  );
}
