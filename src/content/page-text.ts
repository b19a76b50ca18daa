import type { RichDocumentValue } from '../contract/shapes.ts';
import type { PageMetadata } from '../richtext/front-matter.ts';

/** A page's text taken apart: `frontMatter + body` is what was given. */
export interface PageTextInput {
  readonly frontMatter: string;
  readonly body: string;
}

/** The Markdown of a text that is given as Markdown, as a document or not at all. */
export async function markdownOf({
  markdown,
  document,
}: {
  readonly markdown?: string;
  readonly document?: RichDocumentValue;
}): Promise<string> {
  if (markdown !== undefined) return markdown;
  if (document === undefined) return '';
  const { documentToMarkdown } = await import('../richtext/markdown.ts');
  return documentToMarkdown(document);
}

/** Takes the front matter off a text and looks for its first heading. */
export async function readText(
  markdown: string,
): Promise<PageTextInput & { readonly metadata: PageMetadata; readonly heading: string | undefined }> {
  // YAML is loaded for the few texts that begin with a fence only.
  const { frontMatter, body, metadata } = /^\uFEFF?---/.test(markdown)
    ? (await import('../richtext/front-matter.ts')).readPageText(markdown)
    : { frontMatter: '', body: markdown, metadata: {} };
  return { frontMatter, body, metadata, heading: firstHeading(body) };
}

/** The text of the heading that a page begins with. */
export function firstHeading(body: string): string | undefined {
  const line = body
    .slice(0, 10_000)
    .split('\n')
    .find((text) => text.trim() !== '');
  const title =
    line === undefined ? undefined : /^# (?<title>.*)$/.exec(line.trim())?.groups?.['title']?.trim();
  return title === undefined || title === '' ? undefined : title.slice(0, 255);
}
