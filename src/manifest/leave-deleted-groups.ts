import { readField, type Body, type Kind } from './kind.ts';
import { kindNamed } from './kinds/index.ts';
import type { Desired, DesiredResource } from './desired.ts';
import type { Step } from './plan-document.ts';
import { scopeKey, type Survey } from './survey.ts';
import { resourcesById } from './bind-scope.ts';

/**
 * Adds to resources inside deleted groups the group that they move to, unless the manifest states one: the group around the
 * deleted one, or none. The moves come before the ordering of the list, because otherwise the deletes would change the order.
 * Returns undefined if no resource has to move.
 */
export function leaveDeletedGroups(
  desired: Desired,
  survey: Survey,
  deletes: readonly Step[],
  table: readonly Kind[],
): { desired: Desired; left: ReadonlySet<string> } | undefined {
  const deleted = new Set(deletes.map(({ kind, id }) => `${kind} ${id}`));
  const byId = resourcesById(survey.bindings);
  const moved = new Map<string, DesiredResource>();
  const left = new Set<string>();
  for (const resource of desired.byAddress.values()) {
    const { address, kind, parent, fields } = resource;
    const part = kind.ordered?.part;
    const body = survey.bindings.get(address)?.body;
    if (part === undefined || body === undefined || fields.has(part)) continue;
    const groupKind = kindNamed(kind.fields[part]?.refersTo ?? '', table);
    const groups = survey.live.get(scopeKey(groupKind.name, parent)) ?? [];
    const partOf = (of: Kind, item: Body): unknown => {
      const id = readField(of, of.ordered?.part ?? '', item, survey.people);
      const group = deleted.has(`${groupKind.name} ${String(id)}`)
        ? groups.find((one) => one.id === id)
        : undefined;
      return group === undefined ? id : partOf(groupKind, group);
    };
    const then = partOf(kind, body);
    if (then === readField(kind, part, body, survey.people)) continue;
    const other = byId.get(`${groupKind.name} ${String(then)}`)?.address;
    const value = other === undefined ? then : { 'docsctl:ref': other };
    moved.set(address, survey.withField(resource, part, value));
    left.add(`${address} ${part}`);
  }
  if (moved.size === 0) return undefined;
  const swap = (resource: DesiredResource): DesiredResource => moved.get(resource.address) ?? resource;
  return {
    desired: {
      ...desired,
      byAddress: new Map([...desired.byAddress].map(([address, one]) => [address, swap(one)])),
      scopes: desired.scopes.map((scope) => ({ ...scope, resources: scope.resources.map(swap) })),
    },
    left,
  };
}
