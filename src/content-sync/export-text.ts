import type { PageBody } from '../resources/content/schemas.ts';
import { readPageText, type PageMetadata } from '../richtext/front-matter.ts';
import { titleOf } from './page-reader.ts';
import { linkTo } from './resolve-link.ts';
import { Document, isMap, parseDocument } from 'yaml';

/** What the text of a page depends on beside itself. */
export interface TextSurroundings {
  /** Where the page is written to. */
  readonly path: string;
  /** Where pages and files are written to, by their id. */
  readonly pathOf: (kind: 'pages' | 'files', id: string) => string | undefined;
  /** The title that the stored table of contents gives the page, if it names it. */
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

/** The file of a page: byte for byte what was imported, but for fields that were edited here and links by id. */
export function exportText(page: PageBody, surroundings: TextSurroundings): string {
  const { frontMatter = '', markdown = '' } = page;
  const { metadata } = readPageText(frontMatter);
  const body = relativeLinks(markdown, surroundings);
  const fields = editedFields(page, metadata, surroundings);
  if (Object.keys(fields).length === 0) return frontMatter + body;
  const mark = (frontMatter + body).startsWith('\uFEFF') ? '\uFEFF' : '';
  const newline = (frontMatter || body.slice(0, 10_000)).includes('\r\n') ? '\r\n' : '\n';
  const written = writeFrontMatter(frontMatter, fields, newline);
  const gap = frontMatter === '' && written !== '' && body !== '' ? newline : '';
  return mark + written + gap + body.replace(/^\uFEFF/, '');
}

/** The fields that the page has otherwise than its front matter says. */
function editedFields(
  page: PageBody,
  metadata: PageMetadata,
  { path, listedTitle, isUnlisted }: TextSurroundings,
): FrontMatterFields {
  const fields: Record<string, string | boolean | undefined> = {};
  for (const [name, key] of Object.entries(keys) as [keyof typeof keys, string][]) {
    const value = page[name] || undefined;
    if (value !== (metadata[name] || undefined) && !(name === 'hidden' && isUnlisted)) fields[key] = value;
  }
  // A page that no table of contents names has its title from its file alone.
  const title = metadata.title ?? (isUnlisted ? titleOf(path, metadata, page.markdown ?? '') : undefined);
  if (title !== undefined && page.title !== title && page.title !== listedTitle) fields['title'] = page.title;
  return fields;
}

/** The text with paths where edits made here have links by id. */
export function relativeLinks(
  text: string,
  { path, pathOf }: Pick<TextSurroundings, 'path' | 'pathOf'>,
): string {
  if (!text.includes('/pages/') && !text.includes('/files/')) return text;
  return text.replace(
    /(?<=\]\(<?|="|='|\]:[ \t]<?)\/(pages|files)\/([\w-]{1,64})(?=[#?)>"'\s]|$)/g,
    (link, kind: 'pages' | 'files', id: string) => {
      const target = pathOf(kind, id);
      return target === undefined ? link : linkTo(path, target);
    },
  );
}

/** Fields of front matter by their key; undefined takes one away. */
type FrontMatterFields = Readonly<Record<string, string | boolean | undefined>>;

/** Front matter with these fields and with all else that it had, comments too; "" where nothing is left. It must have been read before, within limits. */
function writeFrontMatter(frontMatter: string, fields: FrontMatterFields, newline: string): string {
  const parsed = parseDocument(
    frontMatter
      .trimEnd()
      .split(/\r?\n/)
      .slice(1, -1)
      .map((line) => `${line}\n`)
      .join(''),
    { schema: 'core', uniqueKeys: false },
  );
  const document = isMap(parsed.contents) ? parsed : new Document({});
  const comment = document === parsed ? undefined : (parsed.commentBefore ?? parsed.comment);
  if (comment) document.commentBefore = comment;
  for (const [key, value] of Object.entries(fields)) {
    if (value === undefined) document.delete(key);
    else document.set(key, value);
  }
  const isEmpty = isMap(document.contents) && document.contents.items.length === 0;
  if (isEmpty && !document.commentBefore && !document.comment) return '';
  const text = isEmpty
    ? `#${(document.commentBefore ?? document.comment)!.replaceAll('\n', '\n#')}\n`
    : document.toString({ lineWidth: 0 });
  return `---\n${text}---\n`.replaceAll('\n', newline);
}
