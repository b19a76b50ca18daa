/** Matches IDs of docsctl (`spc_01J…`; the IDs of events end in `_4`) and of hosted platforms (20 to 40 letters and digits). */
const idPattern = /^(?:[a-z]{2,8}_)?(?=[0-9A-Za-z]*[0-9])(?=[0-9A-Za-z]*[A-Z])[0-9A-Za-z]{20,40}(?:_\d+)?$/;
/** IDs start with the time of their creation and end with random characters, so their ends differ. */
const minLength = 6;

/** Whether a text is a generated ID, which only programs need completely. */
export function isGeneratedId(text: string): boolean {
  return idPattern.test(text);
}

/** Shortens each generated ID to `…` and its shortest unique end among the texts. Other texts are not changed. */
export function shortenIds(texts: readonly string[]): string[] {
  const ids = [...new Set(texts.filter(isGeneratedId))];
  const maxLength = ids.reduce((max, id) => Math.max(max, id.length), 0);
  let length = minLength;
  while (length < maxLength && new Set(ids.map((id) => id.slice(-length))).size < ids.length) length++;
  return texts.map((text) =>
    isGeneratedId(text) && text.length > length + 1 ? `…${text.slice(-length)}` : text,
  );
}

/** Returns the end of an ID that a person may have copied from a table: `…3F8K2M` or `3F8K2M`; undefined for other words. */
export function idEnding(word: string): string | undefined {
  const [, dots = '', end = ''] = /^(…|\.\.\.)?([0-9A-Za-z]{4,39}|[0-9A-Za-z]{1,39}_\d+)$/.exec(word) ?? [];
  if (end === '') return undefined;
  // IDs of docsctl have no lower-case letters, and their ends may have no digits. Only digits are a number.
  const isLikely = /[A-Z]/.test(end) && (/[0-9]/.test(end) || !/[a-z]/.test(end));
  return dots !== '' || (end.length >= minLength && isLikely) ? end : undefined;
}
