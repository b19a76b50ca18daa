import { Problem } from '../../errors/problem.ts';
import type { Desired } from '../desired.ts';
import type { Field, Kind } from '../kind.ts';
import type { Omissions } from './copy.ts';

/**
 * The kinds as far as they have to be read: a field that takes a call for each resource is read where the manifest states
 * it, or something inside of what has it, which may depend on it. What the caller may not see is as if there were none.
 */
export function tableForReading(
  table: readonly Kind[],
  desired: Desired,
  omissions: Omissions,
): readonly Kind[] {
  const needed = new Set<string>();
  for (const { kind, fields, inside } of desired.byAddress.values()) {
    for (const [name, { fetch }] of Object.entries(kind.fields))
      if (fetch !== undefined && (fields.has(name) || inside.length > 0)) needed.add(`${kind.name} ${name}`);
  }
  return table.map(withoutWaiting).map((kind) => {
    const seen = async <T>(what: string, work: Promise<T>): Promise<T> => {
      try {
        return await work;
      } catch (error) {
        if (!(error instanceof Problem) || error.reason !== 'forbidden') throw error;
        omissions.add(what, undefined, error.message);
        throw new Problem('not-implemented', error.message, { cause: error });
      }
    };
    const read = Object.entries(kind.fields).filter(
      ([name, { fetch }]) => fetch === undefined || needed.has(`${kind.name} ${name}`),
    );
    const fields = read.map(([name, field]): [string, Field] => {
      const { fetch } = field;
      return [
        name,
        fetch === undefined
          ? field
          : {
              ...field,
              fetch: (backend, at, stated) => seen(`${kind.name}.${name}`, fetch(backend, at, stated)),
            },
      ];
    });
    return {
      ...kind,
      fields: Object.fromEntries(fields),
      list: (backend, parent) => seen(kind.name, kind.list(backend, parent)),
    };
  });
}

/** The kinds as a copy has them: what the live side does not have is refused here too, and nothing is waited for. */
export function tableForCopy(
  table: readonly Kind[],
  unsupported: ReadonlyMap<string, string>,
): readonly Kind[] {
  return table.map((kind) => {
    const why = unsupported.get(kind.name);
    if (why === undefined) return withoutWaiting(kind);
    return { ...kind, list: () => Promise.reject(new Problem('not-implemented', why)) };
  });
}

/** A description of an API is fetched and looked through by workers, which a copy does not have. */
function withoutWaiting(kind: Kind): Kind {
  if (kind.calls['wait'] === undefined) return kind;
  const fields = Object.entries(kind.fields).map(
    ([name, field]) =>
      [name, field.call === 'wait' ? { ...field, fetch: () => Promise.resolve(true) } : field] as const,
  );
  return {
    ...kind,
    fields: Object.fromEntries(fields),
    calls: { ...kind.calls, wait: { send: async () => {} } },
  };
}
