/** The name of a language of the API in English: pt-br is Brazilian Portuguese. */
export function languageName(code: string): string {
  return new Intl.DisplayNames(['en'], { type: 'language' }).of(code) ?? code;
}
