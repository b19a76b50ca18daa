import { defined } from '../../contract/values.ts';
import { Problem } from '../../errors/problem.ts';
import type { ResultRow } from '../apply-plan.ts';
import type { PlanDocument } from '../plan-document.ts';
import type { Status } from '../walk-steps.ts';

/** The result of a step in the copy. The ID is the live one. */
export interface RehearsedRow extends Omit<ResultRow, 'status'> {
  /** `unrehearsed`: not done, for the reason in `why`. */
  readonly status: Status | 'unrehearsed';
  readonly why?: string;
}

/** Converts the results of an apply to a copy, in the order of the plan. */
export function toRehearsedRows(
  { steps }: PlanDocument,
  rows: readonly ResultRow[],
  unrehearsable: ReadonlyMap<string, string>,
): RehearsedRow[] {
  const byKey = new Map(rows.map((row) => [row.key, row]));
  const created = new Set(
    steps
      .filter(({ action, key, address }) => action === 'create' && key === address)
      .map((step) => step.address),
  );
  const addresses = new Map(
    rows.flatMap(({ address, id }) =>
      id !== undefined && created.has(address) ? [[id, address] as const] : [],
    ),
  );
  return steps.flatMap(({ key, address, kind, name, action, id }): RehearsedRow[] => {
    const why = unrehearsable.get(key);
    if (why !== undefined && action === 'none') return [];
    if (why !== undefined)
      return [{ key, address, kind, name, action, status: 'unrehearsed', ...defined({ id }), why }];
    const row = byKey.get(key);
    if (row === undefined) return [];
    const { id: idInCopy, problem, ...rest } = row;
    const idNow = created.has(address) ? undefined : idInCopy;
    return [{ ...rest, ...defined({ id: idNow, problem: problem && withAddresses(problem, addresses) }) }];
  });
}

/** Replaces IDs that only the copy has by addresses. */
function withAddresses(problem: Problem, addresses: ReadonlyMap<string, string>): Problem {
  const rename = (text: string) => text.replace(/[\w-]+/g, (word) => addresses.get(word) ?? word);
  const { reason, message, hint, violations } = problem;
  return new Problem(reason, rename(message), {
    hint: hint && rename(hint),
    violations: violations.map((violation) => ({
      path: rename(violation.path),
      message: rename(violation.message),
    })),
    cause: problem,
  });
}
