import { spaceAddress } from '../contract/open-address.ts';
import type { RichDocumentValue, RichNode } from '../contract/shapes.ts';
import type { PageMetadata } from '../richtext/front-matter.ts';
import type { PageSettings } from '../richtext/page-settings.ts';
import { headingText, idInBraces, tidy } from '../richtext/plain-text.ts';
import { defined, isRecord, truncate } from '../contract/values.ts';

/** The text of a page in two parts; `frontMatter + body` is the whole text. */
export interface PageTextInput {
  readonly frontMatter: string;
  readonly body: string;
  /** The settings in the front matter, if they were already parsed. */
  readonly settings?: PageSettings;
}

/**
 * Returns the Markdown of a text that is given as Markdown or as a document; '' if there is none. `includePath` returns the path
 * of reusable content with an ID. References to pages and files of `space` become links by ID.
 */
export async function markdownOf(
  { markdown, document }: { markdown?: string; document?: RichDocumentValue },
  includePath: (reusableContent: string) => string | undefined = () => undefined,
  space?: string,
): Promise<string> {
  if (markdown !== undefined) return markdown;
  if (document === undefined) return '';
  const { documentToMarkdown } = await import('../richtext/markdown.ts');
  const nodeOf = (node: RichNode): RichNode => {
    const { nodes, data } = node;
    const ref = node.type === 'reusable-content' && isRecord(data?.['ref']) ? data['ref'] : undefined;
    const path = ref === undefined ? undefined : includePath(String(ref['reusableContent']));
    return {
      ...node,
      ...(nodes === undefined ? {} : { nodes: nodes.map(nodeOf) }),
      ...(path === undefined ? {} : { data: { ...data, ref: { ...ref, reusableContent: path } } }),
    };
  };
  let written = documentToMarkdown(document);
  if (space !== undefined && written.includes(spaceAddress(space, '')))
    written = documentToMarkdown((document = withoutSpace(document, space)));
  return written.includes('{% include "txt_')
    ? documentToMarkdown({ ...document, nodes: document.nodes.map(nodeOf) })
    : written;
}

/** Leaves out a space in the references of a document to its pages and files. */
function withoutSpace(document: RichDocumentValue, space: string): RichDocumentValue {
  return JSON.parse(JSON.stringify(document), (_, value) =>
    isRecord(value) && /^(?:page|anchor|file)$/.test(String(value['kind'])) && value['space'] === space
      ? { ...value, space: undefined }
      : value,
  );
}

/** Splits the front matter from a text and reads its metadata and first heading. */
export async function readText(
  markdown: string,
): Promise<PageTextInput & { readonly metadata: PageMetadata; readonly heading: string | undefined }> {
  // YAML is loaded only for texts that start with a fence.
  const { frontMatter, body, metadata, settings } = /^\uFEFF?(?:---|\+\+\+)/.test(markdown)
    ? (await import('../richtext/front-matter.ts')).readPageText(markdown)
    : { frontMatter: '', body: markdown, metadata: {}, settings: undefined };
  return { frontMatter, body, metadata, heading: firstHeading(body), ...defined({ settings }) };
}

/**
 * Returns the text of the heading at the start of a page, without marks and escapes of Markdown, at most 255 characters; undefined
 * if there is none. Imports of MDX and targets of MyST, such as `(setup)=`, may precede it.
 */
export function firstHeading(body: string): string | undefined {
  const line = body
    .slice(0, 10_000)
    .split('\n')
    .find((text) => !/^\s*(?:import\s.*\sfrom\s*["'][^]*|\([^()\s]+\)=\s*)?$/.test(text));
  const [, heading = ''] = /^# (.*)$/.exec(line?.trim() ?? '') ?? [];
  return truncate(shownHeading(heading.replace(/\s#+$/, '')), 255) || undefined;
}

/** Replaces the text of the heading at the start of a page, and keeps its anchor. */
export function withFirstHeading(body: string, heading: string): string {
  const text = shownHeading(heading) === heading ? heading : heading.replace(/[!-/:-@[-`{-~]/g, '\\$&');
  return body.replace(
    /^(\s*# +)(.*?)((?:\s+\{:?[ \t]*#[^{}]*\})?[ \t]*)$/m,
    (_, mark: string, __, end: string) => `${mark}${text}${end}`,
  );
}

/** Returns the words of a heading. An anchor at its end is not one of them. */
function shownHeading(heading: string): string {
  return tidy(headingText(heading.replace(idInBraces, '')));
}
