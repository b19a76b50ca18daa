declare const highlighter: {
  /** Finds a language by its name or an alias. */
  getLanguage(name: string): object | undefined;
  highlight(
    code: string,
    options: { readonly language: string; readonly ignoreIllegals?: boolean },
  ): { readonly value: string };
};
export default highlighter;
