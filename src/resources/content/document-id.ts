/**
 * Returns the ID of the document of a page or reusable content in a revision. It contains the revision, so the document of an ID
 * never changes, although it depends on its text and on the pages that its links lead to.
 */
export function documentId(revision: string, entry: string): string {
  return `${revision}-${entry}`;
}

/** Reads the ID of a document; undefined for any other text. */
export function parseDocumentId(id: string): { revision: string; entry: string } | undefined {
  const [, revision, entry] = /^(rev_\w+)-((?:pag|txt)_\w+)$/.exec(id) ?? [];
  return revision === undefined || entry === undefined ? undefined : { revision, entry };
}
