import type { Static } from '../../../contract/schema.ts';
import type { RichDocumentValue } from '../../../contract/shapes.ts';
import { readEntry } from '../../../content/trie.ts';
import { revisionOf, type ContentSource } from '../../../content/content-source.ts';
import { readContent, readRevision } from '../../../content/revisions.ts';
import type { TextEntry } from '../../../content/rows.ts';
import { pageOfArray, type Page, type PageQuery } from '../../../core/listing.ts';
import { notFound } from '../../../errors/problem.ts';
import { evaluationOf, type EvaluationQuery } from '../evaluation-of.ts';
import type { ReusableContent } from '../schemas.ts';
import { shapeReusableContent } from '../shape.ts';

type Params = { readonly params: { readonly reusableContentId: string } };
type Flags = { readonly metadata?: boolean };

/** Handles the operations that list reusable contents of a space, change request or revision. */
export async function listReusableContents(
  content: ContentSource,
  { query }: { query: Flags & PageQuery },
): Promise<Page<Static<typeof ReusableContent>>> {
  const entries = (await readContent(content.tx, revisionOf(content)))
    .filter((entry) => entry.kind === 'text' && entry.role === 'include')
    .sort((one, other) => (one.id < other.id ? -1 : 1));
  const page = pageOfArray(entries as TextEntry[], query);
  return { ...page, items: page.items.map((entry) => shapeReusableContent(content, entry, query)) };
}

/** Handles the operations that read one reusable content. */
export async function getReusableContent(
  content: ContentSource,
  { params, query }: Params & { query: Flags },
): Promise<Static<typeof ReusableContent>> {
  return shapeReusableContent(content, await reusableContentOf(content, params.reusableContentId), query);
}

/** Handles the operation that reads the document of a reusable content. */
export async function getReusableContentDocument(
  content: ContentSource,
  { params, query }: Params & { query: EvaluationQuery },
): Promise<RichDocumentValue> {
  const entry = await reusableContentOf(content, params.reusableContentId);
  const { readEntryDocument } = await import('../read-document.ts');
  return readEntryDocument(content, entry, evaluationOf(query));
}

/** Returns a reusable content of a space, change request or revision. @throws Problem(not-found) */
async function reusableContentOf(content: ContentSource, id: string): Promise<TextEntry> {
  const entry = await readEntry(content.tx, (await readRevision(content.tx, revisionOf(content))).root, id);
  if (entry?.kind !== 'text' || entry.role !== 'include') throw notFound('reusable content', id);
  return entry;
}
