import type { Kind } from './kind.ts';
import { nearestAddress } from './address.ts';
import type { ManifestNode, ScalarNode } from './read/node.ts';
import { isIdSchema, schemaIn, type Schema } from './read/schema.ts';

/** Returns the plain texts of a value where the schema asks for ids. */
export function textsForIds(node: ManifestNode, schema: Schema | undefined): ScalarNode[] {
  if (schema === undefined) return [];
  if (node.kind === 'scalar') return isIdSchema(schema) && typeof node.value === 'string' ? [node] : [];
  if (node.kind === 'list') return node.items.flatMap((item) => textsForIds(item, schemaIn(schema, '0')));
  if (node.kind !== 'map') return [];
  return [...node.entries].flatMap(([name, { value }]) => textsForIds(value, schemaIn(schema, name)));
}

/** Why a text cannot be the id of one of a kind; it is shown only where it is an address of the manifest. */
export function wrongWithId(
  text: string,
  kind: Kind,
  byAddress: ReadonlyMap<string, unknown>,
): string | undefined {
  const own = byAddress.has(text);
  if (own && text.startsWith(`${kind.name}.`))
    return `"${text}" is a plain text here; did you mean !ref ${text}?`;
  if (own) return `${text} stands where a ${kind.name} is wanted`;
  if (/^[a-zA-Z0-9_-]{1,255}$/.test(text)) return undefined;
  const close = text.startsWith(`${kind.name}.`) ? nearestAddress(text, [...byAddress.keys()]) : undefined;
  if (close?.startsWith(`${kind.name}.`) === true) return `this text is no id; did you mean !ref ${close}?`;
  return `this text is no id; write !ref ${kind.name}.NAME for one of the manifest, !lookup { ${kind.keys[0]?.[0] ?? 'id'}: … } for another`;
}
