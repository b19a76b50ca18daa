const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

const characters = new Map(Object.entries(entities).map(([character, entity]) => [entity, character]));

/** Escapes the special characters of HTML. Removes characters that HTML or XML forbids. */
export function escapeHtml(text: string): string {
  // Most texts contain nothing to escape.
  return /[&<>"'\0-\x08\x0b\x0c\x0e-\x1f\x7f\ufffe\uffff]/.test(text)
    ? text.replace(
        /[&<>"'\0-\x08\x0b\x0c\x0e-\x1f\x7f\ufffe\uffff]/g,
        (character) => entities[character] ?? '',
      )
    : text;
}

/** Returns the text that `escapeHtml` escaped. */
export function unescapeHtml(html: string): string {
  return html.replace(/&(?:amp|lt|gt|quot|#39);/g, (entity) => characters.get(entity) ?? entity);
}
