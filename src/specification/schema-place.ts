const schemaFields: ReadonlySet<string> = new Set(['schema', 'items', 'additionalProperties', 'not', 'contains', 'unevaluatedProperties', 'unevaluatedItems', 'propertyNames', 'if', 'then', 'else']); // prettier-ignore
const schemaMaps: ReadonlySet<string> = new Set([
  'properties',
  'patternProperties',
  '$defs',
  'dependentSchemas',
]);
const schemaLists: ReadonlySet<string> = new Set(['allOf', 'anyOf', 'oneOf', 'prefixItems']);

/** Whether what the words lead to is a schema. Told by the words that lead there; the walk passes no data, so that only names could mislead, and those stand one above. */
export function isSchemaAt(pointer: readonly string[]): boolean {
  const [above, last] = pointer.slice(-2);
  if (last === undefined || above === 'securitySchemes') return false;
  if (
    above !== undefined &&
    (schemaMaps.has(above) ||
      (pointer.length === 3 && pointer[0] === 'components' && above === 'schemas') ||
      (pointer.length === 2 && above === 'definitions'))
  )
    return true;
  if (above !== undefined && schemaLists.has(above) && /^\d+$/.test(last)) return true;
  return schemaFields.has(last);
}
