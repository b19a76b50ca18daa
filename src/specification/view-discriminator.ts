import { pointerToken } from '../contract/paths.ts';
import { isRecord, recordOf } from '../contract/values.ts';
import { resolveReference, schemaName, schemasOf, toText } from './specification-tree.ts';

/** The property whose value says which variant of a schema a value is. */
export interface DiscriminatorView {
  readonly property: string;
  /** The values with the names of their schemas. If it is empty, the values are the names of the schemas. */
  readonly mapping: readonly (readonly [value: string, schema: string])[];
}

/**
 * Returns the discriminator of a schema with the schemas that its values stand for. Such a schema often is a part of those
 * schemas. One of them therefore has only its own value, and no variants.
 */
export function viewDiscriminator(
  root: Record<string, unknown>,
  { discriminator }: Record<string, unknown>,
  name: string,
): { view: DiscriminatorView; variants: readonly unknown[] } | undefined {
  const { propertyName, mapping } = recordOf(discriminator);
  // In Swagger 2, the discriminator is the name of the property.
  const property = toText(propertyName ?? discriminator);
  if (property === '') return undefined;
  const targets = Object.entries(recordOf(mapping)).map(([value, target]) => {
    const [given, schema] = [toText(target), referenceTo(root, toText(target))];
    const isKnown = schema.$ref.startsWith('#') && isRecord(resolveReference(root, schema.$ref));
    return { value, schema, isKnown, name: isKnown ? schemaName(schema) : given.replace(/^.*\//, '') };
  });
  const own = targets.filter((target) => name !== '' && target.name === name);
  const shown = own.length > 0 ? own : targets;
  return {
    view: { property, mapping: shown.map((target) => [target.value, target.name]) },
    variants: own.length > 0 ? [] : targets.flatMap(({ schema, isKnown }) => (isKnown ? [schema] : [])),
  };
}

/** Returns a reference to the target of a mapping, which is the name of a schema or an address. */
function referenceTo(root: Record<string, unknown>, target: string): { $ref: string } {
  if (target.startsWith('#') || !isRecord(schemasOf(root)[target])) return { $ref: target };
  const name = encodeURIComponent(pointerToken(target));
  return { $ref: 'swagger' in root ? `#/definitions/${name}` : `#/components/schemas/${name}` };
}
