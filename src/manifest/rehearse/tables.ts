import { Problem } from '../../errors/problem.ts';
import type { Desired } from '../desired.ts';
import type { Field, Kind } from '../kind.ts';
import type { Omissions } from './copy.ts';

/**
 * Limits the kinds to those that must be read; members are copied before. A field that needs a separate call is read only if the
 * manifest states it, or states something inside its resource that may depend on it. Data that the caller may not see counts as
 * absent.
 */
export function tableForReading(table: readonly Kind[], desired: Desired, omissions: Omissions): Kind[] {
  const needed = new Set<string>();
  for (const { kind, fields, inside } of desired.byAddress.values())
    for (const [name, { isIndependent }] of Object.entries(kind.fields))
      if (fields.has(name) || (inside.length > 0 && isIndependent !== true))
        needed.add(`${kind.name}.${name}`);
  // Teams are copied with their members, but members without their teams.
  if (needed.has('member.teams')) needed.add('team.members');
  const copied = table.filter(({ name }) => name !== 'member');
  return copied.map(withoutWaiting).map((kind) => ({
    ...kind,
    fields: Object.fromEntries(
      Object.entries(kind.fields).flatMap(([name, field]): [string, Field][] => {
        const { fetch } = field;
        const key = `${kind.name}.${name}`;
        if (fetch === undefined) return [[name, field]];
        if (!needed.has(key)) return [];
        return [[name, { ...field, fetch: (...given) => omissions.unlessForbidden(key, fetch(...given)) }]];
      }),
    ),
    list: (backend, parent) => omissions.unlessForbidden(kind.name, kind.list(backend, parent)),
  }));
}

/** Refuses the kinds that the live backend does not have. */
export function tableForCopy(table: readonly Kind[], unsupported: ReadonlyMap<string, string>): Kind[] {
  return table.map((kind) => {
    const why = unsupported.get(kind.name);
    if (why === undefined) return withoutWaiting(kind);
    return { ...kind, list: () => Promise.reject(new Problem('not-implemented', why)) };
  });
}

/** Skips waiting for specifications, because a copy has no workers to fetch them. */
function withoutWaiting(kind: Kind): Kind {
  if (kind.calls['wait'] === undefined) return kind;
  const fields = Object.entries(kind.fields).map(([name, field]): [string, Field] => [
    name,
    field.call === 'wait' ? { ...field, fetch: () => Promise.resolve(true) } : field,
  ]);
  const calls = { ...kind.calls, wait: { send: async () => {} } };
  return { ...kind, fields: Object.fromEntries(fields), calls };
}
