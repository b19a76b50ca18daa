type JsonSchema = Readonly<Record<string, unknown>>;

/** Characters of a schema that is worth a definition of its own. */
const minLength = 80;

/** Characters of a schema that gets a definition although it occurs once, so that nothing is indented deeply. */
const maxInline = 700;

/** Keywords whose members are schemas by names that are not keywords. */
const mapKeywords: ReadonlySet<string> = new Set(['properties', 'patternProperties', '$defs']);

/** Writes each schema that is long, or that occurs more than once, into `$defs`, named by the field that has it first. */
export function shareSchemas(schema: JsonSchema): JsonSchema {
  const counts = new Map<string, number>();
  const count = (value: unknown): void => {
    if (Array.isArray(value)) return value.forEach(count);
    if (typeof value !== 'object' || value === null) return;
    const text = JSON.stringify(value);
    const seen = counts.get(text) ?? 0;
    counts.set(text, seen + 1);
    // The parts of a schema that is shared are written once.
    if (seen === 0) Object.values(value).forEach(count);
  };
  count(schema);
  const { $defs = {}, ...rest } = schema;
  const names = new Map<string, string>();
  const isTaken = (name: string): boolean => definitions.has(name) || Object.hasOwn($defs as object, name);
  const definitions = new Map<string, unknown>();
  const share = (value: unknown, name: string, isSchema: boolean): unknown => {
    if (Array.isArray(value)) return value.map((item) => share(item, name, isSchema));
    if (typeof value !== 'object' || value === null) return value;
    const text = JSON.stringify(value);
    const known = names.get(text);
    if (known !== undefined && isSchema) return { $ref: `#/$defs/${known}` };
    const isShared =
      isSchema &&
      value !== rest &&
      text.length >= minLength &&
      ((counts.get(text) ?? 0) > 1 || text.length > maxInline);
    const own = isShared ? freeName(name, isTaken) : undefined;
    if (own !== undefined) {
      names.set(text, own);
      definitions.set(own, undefined);
    }
    const copy = Object.fromEntries(
      Object.entries(value).map(([key, inner]) => [
        key,
        isSchema
          ? share(inner, name, !mapKeywords.has(key))
          : share(inner, /^[$\w-]+$/.test(key) ? key : name, true),
      ]),
    );
    if (own === undefined) return copy;
    definitions.set(own, copy);
    return { $ref: `#/$defs/${own}` };
  };
  const written = share(rest, 'manifest', true) as JsonSchema;
  const recursive = share($defs, '', false) as JsonSchema;
  return { ...written, $defs: { ...recursive, ...Object.fromEntries(definitions) } };
}

function freeName(name: string, isTaken: (name: string) => boolean): string {
  const base = name.replace(/[^A-Za-z0-9]+/g, '') || 'value';
  for (let number = 1; ; number++) {
    const free = number === 1 ? base : `${base}${number}`;
    if (!isTaken(free)) return free;
  }
}
