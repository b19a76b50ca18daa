import { Problem } from '../../errors/problem.ts';
import type { Desired } from '../desired.ts';
import type { Field, Kind } from '../kind.ts';
import type { Omissions } from './copy.ts';

/**
 * Makes the kinds that are read of the live side. A field that takes a call for each resource is read only if the manifest
 * states it, or something inside of its resource, which may depend on it. What the caller may not see counts as absent.
 */
export function tableForReading(table: readonly Kind[], desired: Desired, omissions: Omissions): Kind[] {
  const needed = new Set<string>();
  for (const { kind, fields, inside } of desired.byAddress.values())
    for (const name of Object.keys(kind.fields))
      if (fields.has(name) || inside.length > 0) needed.add(`${kind.name}.${name}`);
  const omitForbidden = async <T>(what: string, work: Promise<T>): Promise<T> => {
    try {
      return await work;
    } catch (error) {
      if (!(error instanceof Problem) || error.reason !== 'forbidden') throw error;
      omissions.add(what, undefined, error);
      throw new Problem('not-implemented', error.message, { cause: error });
    }
  };
  return table.map(withoutWaiting).map((kind) => ({
    ...kind,
    fields: Object.fromEntries(
      Object.entries(kind.fields).flatMap(([name, field]): [string, Field][] => {
        const { fetch } = field;
        const key = `${kind.name}.${name}`;
        if (fetch === undefined) return [[name, field]];
        if (!needed.has(key)) return [];
        return [[name, { ...field, fetch: (...given) => omitForbidden(key, fetch(...given)) }]];
      }),
    ),
    list: (backend, parent) => omitForbidden(kind.name, kind.list(backend, parent)),
  }));
}

/** Makes the kinds of a copy: kinds that the live side does not have are refused. */
export function tableForCopy(table: readonly Kind[], unsupported: ReadonlyMap<string, string>): Kind[] {
  return table.map((kind) => {
    const why = unsupported.get(kind.name);
    if (why === undefined) return withoutWaiting(kind);
    return { ...kind, list: () => Promise.reject(new Problem('not-implemented', why)) };
  });
}

/** Waits for nothing: a specification is fetched and checked by workers, which a copy does not have. */
function withoutWaiting(kind: Kind): Kind {
  if (kind.calls['wait'] === undefined) return kind;
  const fields = Object.entries(kind.fields).map(([name, field]): [string, Field] => [
    name,
    field.call === 'wait' ? { ...field, fetch: () => Promise.resolve(true) } : field,
  ]);
  const calls = { ...kind.calls, wait: { send: async () => {} } };
  return { ...kind, fields: Object.fromEntries(fields), calls };
}
