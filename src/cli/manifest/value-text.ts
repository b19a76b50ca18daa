import { isReference } from '../../manifest/value.ts';

/** Formats a value on one line in the form of a manifest: `{ site: !ref site.docs }`. */
export function valueText(value: unknown): string {
  if (value === undefined || value === null) return 'null';
  if (isReference(value)) return `!ref ${value['docsctl:ref']}`;
  if (Array.isArray(value)) return `[${value.map(valueText).join(', ')}]`;
  if (typeof value !== 'object') return JSON.stringify(value);
  const fields = Object.entries(value).map(([name, inner]) => `${nameText(name)}: ${valueText(inner)}`);
  return fields.length === 0 ? '{}' : `{ ${fields.join(', ')} }`;
}

/** Formats a value on several lines: a text unchanged, a list or a map with one item per line. */
export function valueLines(value: unknown): string {
  if (typeof value === 'string') return value;
  if (value === undefined || value === null) return '';
  if (isReference(value) || typeof value !== 'object') return valueText(value);
  if (Array.isArray(value)) return value.map((item) => `- ${valueText(item)}\n`).join('');
  return Object.entries(value)
    .map(([name, inner]) => `${nameText(name)}: ${valueText(inner)}\n`)
    .join('');
}

/** Formats the name of a field, in quotes if it has other characters than letters, digits, - and _. */
export function nameText(name: string): string {
  return /^[\w-]+$/.test(name) ? name : JSON.stringify(name);
}
