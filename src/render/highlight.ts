import highlighter from './highlighter.js';

/** Colors code: HTML with `<span class="hljs-…">` around its words; undefined for a language that is not known. */
export function highlightCode(code: string, language: string): string | undefined {
  if (language === '' || highlighter.getLanguage(language) === undefined) return undefined;
  return highlighter.highlight(code, { language, ignoreIllegals: true }).value;
}
