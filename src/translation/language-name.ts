/** Returns the English name of a language: `pt-br` is Brazilian Portuguese. Returns the code if it has no name. */
export function languageName(code: string): string {
  return new Intl.DisplayNames(['en'], { type: 'language' }).of(code) ?? code;
}
