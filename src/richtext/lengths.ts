/** A width as the document has it: a number of pixels, or a number with a unit; any other text stays. */
export function lengthOf(text: string): number | string | { readonly value: number; readonly unit: string } {
  const [, digits, unit] = /^(\d{1,6}(?:\.\d{1,6})?)(%|[a-z]{1,4})?$/.exec(text) ?? [];
  if (digits === undefined || String(Number(digits)) !== digits) return text;
  return unit === undefined ? Number(digits) : { value: Number(digits), unit };
}

/** The text of a width. */
export function textOfLength(length: unknown): string | undefined {
  if (typeof length === 'string' || typeof length === 'number') return String(length);
  if (typeof length !== 'object' || length === null) return undefined;
  const { value, unit } = length as { value?: unknown; unit?: unknown };
  return typeof value === 'number' && typeof unit === 'string' ? `${value}${unit}` : undefined;
}
