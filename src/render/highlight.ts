import highlighter from './highlighter.js';

/** Highlights code. Returns HTML with `<span class="hljs-…">` around words; undefined for an unknown language. */
export function highlightCode(code: string, language: string): string | undefined {
  if (language === '' || highlighter.getLanguage(language) === undefined) return undefined;
  return highlighter.highlight(code, { language, ignoreIllegals: true }).value;
}
