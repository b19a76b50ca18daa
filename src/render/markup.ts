import { escapeHtml } from '../contract/escape-html.ts';

/** HTML that is safe in a page: `markup` creates it, and escapes every text that is inserted. */
export class Markup {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

/** A value in a template: texts are escaped, markup is inserted unchanged, and all other values become empty. */
export type Content = Markup | string | number | null | undefined | false | readonly Content[];

/** Empty markup. */
export const empty = new Markup('');

/** Creates markup from a template. A text may be inserted as the content of an element or as a quoted attribute value. */
export function markup(strings: TemplateStringsArray, ...values: readonly Content[]): Markup {
  let text = strings[0] ?? '';
  for (const [index, value] of values.entries()) text += write(value) + (strings[index + 1] ?? '');
  return new Markup(text);
}

/** Joins pieces of markup and texts. */
export function join(pieces: readonly Content[]): Markup {
  return new Markup(write(pieces));
}

/** Returns attributes, each with a leading space. True writes only the name; false and undefined are left out. */
export function attributes(given: Readonly<Record<string, string | number | boolean | undefined>>): Markup {
  let text = '';
  for (const [name, value] of Object.entries(given))
    if (value === true) text += ` ${name}`;
    else if (value !== undefined && value !== false) text += ` ${name}="${escapeHtml(String(value))}"`;
  return new Markup(text);
}

/** Returns a `class` attribute with a leading space; empty if there are no classes. */
export function classes(...names: readonly (string | false | undefined)[]): Markup {
  const given = names.filter((name) => name !== undefined && name !== false && name !== '');
  return given.length === 0 ? empty : new Markup(` class="${escapeHtml(given.join(' '))}"`);
}

function write(value: Content): string {
  if (typeof value === 'string') return escapeHtml(value);
  if (value instanceof Markup) return value.text;
  if (typeof value === 'number') return String(value);
  if (value === null || value === undefined || value === false) return '';
  let text = '';
  for (const piece of value) text += write(piece);
  return text;
}
