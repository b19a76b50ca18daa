import { readBlob } from '../content/blobs.ts';
import type { ContentSource } from '../content/content-source.ts';
import { describeBlocks } from '../content/describe-blocks.ts';
import { evaluateMarkdown } from '../content/evaluate-page.ts';
import { expandIncludes, openExpressions } from '../content/evaluate.ts';
import { ReferenceResolver } from '../content/links/reference-resolver.ts';
import { resolveDocument } from '../content/resolve-document.ts';
import type { RichDocumentValue } from '../contract/shapes.ts';
import { defined } from '../contract/values.ts';
import { withoutTitle } from '../richtext/nodes.ts';
import { hideUndecided } from '../content/hide-undecided.ts';
import { findComputed } from '../resources/content/computed-pages.ts';
import type { SiteView } from './site-view.ts';
import type { SitePage } from './space-pages.ts';

/**
 * Returns the text of a page for a visitor as Markdown, with included texts and the values of its expressions. `onRead` is called
 * for each included text with its length in characters.
 */
export async function readPageMarkdown(
  content: ContentSource,
  page: SitePage,
  onRead?: (length: number) => void,
): Promise<string> {
  const { entry, text: readText } = page;
  if (readText !== undefined) return hideUndecided(readText());
  if (entry === undefined)
    return (
      (await findComputed(content, { id: page.id }, { text: 'markdown', children: false }))?.markdown ?? ''
    );
  if (entry.blob === undefined) return '';
  const stored = await readBlob(content.tx, entry.blob);
  const references = new ReferenceResolver(content);
  const text = await expandIncludes(content, entry.git?.path ?? '', stored, references, {
    page: entry,
    onRead,
  });
  const expressions = await openExpressions(content, entry, text, 'true');
  const decided = expressions === undefined ? text : evaluateMarkdown(text, expressions, asText);
  return hideUndecided(decided);
}

/**
 * Returns the text of a page for a visitor as Markdown, with the operations and schemas that its blocks show, up to `maxLength`
 * characters of them. Generated pages already contain them. For `onRead`, see `readPageMarkdown`.
 */
export async function readDescribed(
  content: ContentSource,
  page: SitePage,
  { maxLength, onRead }: { readonly maxLength?: number; readonly onRead?: (length: number) => void } = {},
): Promise<string> {
  const isGenerated = page.entry === undefined && page.text === undefined;
  const text = await readPageMarkdown(content, page, onRead);
  return isGenerated ? text : describeBlocks(content, text, defined({ maxLength }));
}

/** Escapes a value so that it is plain text in Markdown and in HTML. A value of the visitor cannot become a link. */
function asText(value: string, expression: string): string {
  const text = /\bvisitor\b/.test(expression) ? value.replace(/:\/\/|www\.|@/gi, '$&\u2060') : value;
  return text.replace(/[^\p{L}\p{N} \u2060]/gu, (character) => `&#${character.codePointAt(0)};`);
}

/** Returns the document of a page for a visitor. Its links contain the IDs of their targets. */
export async function readPageDocument(
  view: SiteView,
  content: ContentSource,
  page: SitePage,
  markdown: string,
): Promise<RichDocumentValue> {
  const document = view.readMarkdown(markdown);
  const nodes = withoutTitle(document.nodes, page.storedTitle);
  const references = new ReferenceResolver(content);
  const source =
    page.entry === undefined
      ? { target: `page:${page.id}` as const, path: page.path }
      : references.sourceOf(page.entry, page.path);
  return resolveDocument({ ...document, nodes }, references, source, {
    labels: false,
    addresses: view.namesBroken,
  });
}
