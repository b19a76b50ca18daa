import type { RichDocumentValue } from '../../contract/shapes.ts';
import { readBlob } from '../../content/blobs.ts';
import { revisionOf, type ContentSource } from '../../content/content-source.ts';
import { evaluateDocument } from '../../content/evaluate-page.ts';
import {
  expandIncludes,
  openExpressions,
  withoutFrontMatter,
  type Evaluation,
} from '../../content/evaluate.ts';
import { ReferenceResolver, type ReferenceSource } from '../../content/links/reference-resolver.ts';
import { readPageNode } from '../../content/page-node.ts';
import { resolveDocument } from '../../content/resolve-document.ts';
import type { PageEntry, TextEntry } from '../../content/rows.ts';
import { Problem } from '../../errors/problem.ts';
import { isSlowToRead } from '../../richtext/guard.ts';
import { markdownToDocument } from '../../richtext/markdown.ts';
import { checkTextSize } from './shape.ts';

/**
 * Reads the document of a page or reusable content.
 *
 * @throws Problem(not-found) if the page is not a document, Problem(too-large)
 */
export async function readEntryDocument(
  content: ContentSource,
  entry: PageEntry | TextEntry,
  evaluation: Evaluation,
): Promise<RichDocumentValue> {
  const references = new ReferenceResolver(content);
  if (entry.kind === 'text') {
    const markdown = withoutFrontMatter(await readBlob(content.tx, entry.blob));
    const source = references.sourceOfReusable(entry);
    return readDocument(content, { markdown, source }, references, evaluation);
  }
  const node = await readPageNode(content.tx, revisionOf(content), entry.id);
  if (node === undefined || entry.type !== 'document' || entry.blob === undefined)
    throw new Problem('not-found', `The page "${entry.title}" is a ${entry.type}, which has no document.`);
  checkTextSize([node], { text: 'document' });
  const source = references.sourceOf(entry, node.path);
  const markdown = await readBlob(content.tx, entry.blob);
  return readDocument(content, { markdown, source, page: entry }, references, evaluation);
}

/** A Markdown text of a content, without front matter. */
interface WrittenText {
  readonly markdown: string;
  /** The base for resolving links of the text. */
  readonly source: ReferenceSource;
  /** The page of the text; absent for reusable content. */
  readonly page?: PageEntry;
}

/** Converts a text to a document. References get IDs, and the values and reusable contents of the evaluation are inserted. */
export async function readDocument(
  content: ContentSource,
  { markdown, source, page }: WrittenText,
  references: ReferenceResolver,
  { evaluated, dereferenced }: Evaluation,
): Promise<RichDocumentValue> {
  const text =
    dereferenced === undefined
      ? markdown
      : await expandIncludes(content, source.git ?? '', markdown, references);
  if (content.onHeavy !== undefined && isSlowToRead(text)) content.onHeavy();
  const expressions = await openExpressions(content, page, text, evaluated);
  const document = markdownToDocument(text);
  return resolveDocument(
    expressions === undefined ? document : evaluateDocument(document, expressions),
    references,
    source,
    { labels: dereferenced === 'true' },
  );
}
