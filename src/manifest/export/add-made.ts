import type { Kind } from '../kind.ts';
import { unsupportedReason } from './read-live.ts';
import type { ResourceNames } from './name-resources.ts';

/** Adds the values that an export makes itself; they may depend on names, so all is named before. What the backend does not have is noted. */
export async function addComputedValues(
  { byId }: ResourceNames,
  table: readonly Kind[],
  unsupported: Map<string, string>,
): Promise<void> {
  for (const kind of table) {
    const named = [...byId.values()].filter(({ live }) => live.kind === kind);
    for (const [name, field] of Object.entries(kind.fields)) {
      if (field.export === undefined || named.length === 0) continue;
      try {
        const values = await field.export(named.map((one) => ({ body: one.live.body, name: one.name })));
        for (const [index, { live }] of named.entries()) live.values.set(name, values[index]);
      } catch (error) {
        unsupported.set(`${kind.name}.${name}`, unsupportedReason(error));
      }
    }
  }
}
