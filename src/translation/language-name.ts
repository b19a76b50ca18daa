/** The English name of a language: `pt-br` is Brazilian Portuguese; the code itself where it has none. */
export function languageName(code: string): string {
  return new Intl.DisplayNames(['en'], { type: 'language' }).of(code) ?? code;
}
