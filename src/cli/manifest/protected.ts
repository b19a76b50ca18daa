import { Problem } from '../../errors/problem.ts';
import { listProtected } from '../../manifest/guard-deletes.ts';
import type { PlanDocument } from '../../manifest/plan-document.ts';

/**
 * Fails at the end of a plan or an apply that keeps protected resources.
 * @throws Problem(guard-refused) that lists the resources, followed by the `verdict` if there is one
 */
export function refuseProtected(kept: PlanDocument['protected'] = [], verdict = ''): void {
  if (kept.length === 0) return;
  const names = listProtected(kept.map(({ address }) => address));
  throw new Problem('guard-refused', `Not deleted: ${names}.${verdict === '' ? '' : ` ${verdict}`}`, {
    hint: 'Put the block back. To delete the resource, apply it once with "protect: false" before you remove the block.',
    violations: kept.slice(0, 50).map(({ address, kind, id }) => ({
      path: address,
      message: `${kind} ${id} is protected, or contains a protected resource`,
    })),
  });
}
