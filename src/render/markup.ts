/** HTML that is safe in a page: it is made by `markup`, which escapes every text that is put into it. */
export class Markup {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

/** What may stand in a template: texts are escaped, markup stays, nothing is written for the rest. */
export type Content = Markup | string | number | null | undefined | false | readonly Content[];

/** Nothing. */
export const empty = new Markup('');

/** Makes markup of a template; a text in it may be an element's content or the value of an attribute in quotes. */
export function markup(strings: TemplateStringsArray, ...values: readonly Content[]): Markup {
  let text = strings[0] ?? '';
  for (const [index, value] of values.entries()) text += write(value) + (strings[index + 1] ?? '');
  return new Markup(text);
}

/** Joins pieces of markup and texts. */
export function join(pieces: readonly Content[]): Markup {
  return new Markup(write(pieces));
}

/** Writes attributes, each after a space: a text as its value, true as a name alone; false and undefined are left out. */
export function attributes(given: Readonly<Record<string, string | number | boolean | undefined>>): Markup {
  let text = '';
  for (const [name, value] of Object.entries(given))
    if (value === true) text += ` ${name}`;
    else if (value !== undefined && value !== false) text += ` ${name}="${escapeHtml(String(value))}"`;
  return new Markup(text);
}

/** Names of classes in one attribute, after a space; nothing where all are absent. */
export function classes(...names: readonly (string | false | undefined)[]): Markup {
  const given = names.filter((name) => name !== undefined && name !== false && name !== '');
  return given.length === 0 ? empty : new Markup(` class="${escapeHtml(given.join(' '))}"`);
}

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Escapes the characters that mean something in HTML. Characters that HTML or XML forbids are left out. */
function escapeHtml(text: string): string {
  // Most texts have nothing to escape.
  return /[&<>"'\0-\x08\x0b\x0c\x0e-\x1f\x7f\ufffe\uffff]/.test(text)
    ? text.replace(
        /[&<>"'\0-\x08\x0b\x0c\x0e-\x1f\x7f\ufffe\uffff]/g,
        (character) => entities[character] ?? '',
      )
    : text;
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
