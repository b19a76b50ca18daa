import type { PageBody } from '../resources/content/schemas.ts';
import { readPageText, setFields, type PageMetadata } from '../richtext/front-matter.ts';
import { pageTitle } from './page-reader.ts';
import { relativeLink } from './resolve-link.ts';

/** The context that the exported text of a page depends on. */
interface ExportTextContext {
  /** The path of the file of the page. */
  readonly path: string;
  readonly pathOf: (kind: 'pages' | 'files', id: string) => string | undefined;
  /** The title of the page in the stored table of contents, if it is listed there. */
  readonly listedTitle: string | undefined;
  /** Whether the page is hidden because no table of contents names it. */
  readonly isUnlisted: boolean;
}

const keys = {
  description: 'description',
  icon: 'icon',
  emoji: 'emoji',
  condition: 'if',
  hidden: 'hidden',
  noIndex: 'noIndex',
  noRobotsIndex: 'noRobotsIndex',
} as const;

/** Returns the text of the file of a page. It equals the imported file, except for edited fields and links by ID. */
export function exportText(page: PageBody, context: ExportTextContext): string {
  const { markdown = '' } = page;
  const frontMatter = rewriteIds(
    page.frontMatter ?? '',
    /(?<=[\s"'[{,])\/(pages|files)\/([\w-]{1,64})(?=["'\s,}\]])/g,
    context,
  );
  const { metadata } = readPageText(frontMatter);
  const body = rewriteIdLinks(markdown, context);
  const fields = editedFields(page, metadata, context);
  if (Object.keys(fields).length === 0) return frontMatter + body;
  const mark = (frontMatter + body).startsWith('\uFEFF') ? '\uFEFF' : '';
  const newline = (frontMatter || body.slice(0, 10_000)).includes('\r\n') ? '\r\n' : '\n';
  const changes = Object.entries(fields).map(([key, value]) => [[key], value] as const);
  const written = setFields(frontMatter, changes, newline);
  const gap = frontMatter === '' && written !== '' && body !== '' ? newline : '';
  return mark + written + gap + body.replace(/^\uFEFF/, '');
}

/** Returns the fields in which the page differs from its front matter, by key; undefined for a field to remove. */
function editedFields(
  page: PageBody,
  metadata: PageMetadata,
  { path, listedTitle, isUnlisted }: ExportTextContext,
): Record<string, string | boolean | undefined> {
  const fields: Record<string, string | boolean | undefined> = {};
  for (const [name, key] of Object.entries(keys) as [keyof typeof keys, string][]) {
    const value = page[name] || undefined;
    if (value !== (metadata[name] || undefined) && !(name === 'hidden' && isUnlisted)) fields[key] = value;
  }
  // A page that is not in the table of contents has its title only from its file.
  const title = metadata.title ?? (isUnlisted ? pageTitle(path, metadata, page.markdown ?? '') : undefined);
  if (title !== undefined && page.title !== title && page.title !== listedTitle) fields['title'] = page.title;
  return fields;
}

/** Replaces links by ID, which edits in the app create, by relative paths. */
export function rewriteIdLinks(text: string, context: Pick<ExportTextContext, 'path' | 'pathOf'>): string {
  return rewriteIds(
    text,
    /(?<=\]\(<?|="|='|\]:[ \t]<?)\/(pages|files)\/([\w-]{1,64})(?=[#?)>"'\s]|$)/g,
    context,
  );
}

function rewriteIds(
  text: string,
  pattern: RegExp,
  { path, pathOf }: Pick<ExportTextContext, 'path' | 'pathOf'>,
): string {
  if (!text.includes('/pages/') && !text.includes('/files/')) return text;
  return text.replace(pattern, (link, kind: 'pages' | 'files', id: string) => {
    const target = pathOf(kind, id);
    return target === undefined ? link : relativeLink(path, target);
  });
}
