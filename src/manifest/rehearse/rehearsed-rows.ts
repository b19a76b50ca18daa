import { Problem } from '../../errors/problem.ts';
import type { ApplyResult, ResultRow } from '../apply-plan.ts';
import type { PlanDocument } from '../plan-document.ts';
import type { Status } from '../walk-steps.ts';

/** How a step went in the copy; `unrehearsed`: a copy cannot show it. `id` is the live one: what is new has none yet. */
export interface RehearsedRow extends Omit<ResultRow, 'status'> {
  readonly status: Status | 'unrehearsed';
  /** Why it could not be rehearsed. */
  readonly why?: string;
}

/** The rows of an apply to a copy, in the order of the plan and with what is true of the live side only. */
export function toRehearsedRows(
  document: PlanDocument,
  { rows }: Pick<ApplyResult, 'rows'>,
  unfaithful: ReadonlyMap<string, string>,
): RehearsedRow[] {
  const byKey = new Map(rows.map((row) => [row.key, row]));
  const isNew = new Set(
    document.steps
      .filter(({ action, key, address }) => action === 'create' && key === address)
      .map(({ address }) => address),
  );
  const names = new Map(
    rows.flatMap(({ address, id }) =>
      id !== undefined && isNew.has(address) ? [[id, address] as const] : [],
    ),
  );
  return document.steps.flatMap((step): RehearsedRow[] => {
    const { key, address, kind, name, action, id } = step;
    const why = unfaithful.get(key);
    if (why !== undefined)
      return action === 'none'
        ? []
        : [
            {
              key,
              address,
              kind,
              name,
              action,
              status: 'unrehearsed',
              ...(id === undefined ? {} : { id }),
              why,
            },
          ];
    const row = byKey.get(key);
    if (row === undefined) return [];
    const { id: given, problem, ...rest } = row;
    return [
      {
        ...rest,
        ...(given === undefined || isNew.has(address) ? {} : { id: given }),
        ...(problem === undefined ? {} : { problem: renamed(problem, names) }),
      },
    ];
  });
}

/** Ids that only the copy has mean nothing to anybody: the address in the manifest stands for them. */
function renamed(problem: Problem, names: ReadonlyMap<string, string>): Problem {
  const rename = (text: string): string => text.replace(/[\w-]+/g, (word) => names.get(word) ?? word);
  const { reason, message, hint, violations } = problem;
  return new Problem(reason, rename(message), {
    hint: hint === undefined ? undefined : rename(hint),
    violations: violations.map((violation) => ({
      path: rename(violation.path),
      message: rename(violation.message),
    })),
    cause: problem,
  });
}
