import { Problem } from '../../errors/problem.ts';
import { listProtected } from '../../manifest/guard-deletes.ts';
import type { PlanDocument } from '../../manifest/plan-document.ts';

/**
 * Fails at the end of a plan or an apply that does not delete what is protected.
 *
 * @throws Problem(guard-refused) that lists the resources, after the `verdict` if there is one
 */
export function refuseProtected(kept: PlanDocument['protected'] = [], verdict = ''): void {
  if (kept.length === 0) return;
  const names = listProtected(kept.map(({ address }) => address));
  throw new Problem('guard-refused', `${verdict === '' ? '' : `${verdict} `}Not deleted: ${names}.`, {
    hint: 'Put the block back. To delete the resource, apply it once with "protect: false" before you remove the block.',
    violations: kept.slice(0, 50).map(({ address, kind, id }) => ({
      path: address,
      message: `${kind} ${id} is protected, or contains something that is`,
    })),
  });
}
