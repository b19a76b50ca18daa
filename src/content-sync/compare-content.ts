import { posix } from 'node:path';
import type { Static } from '../contract/schema.ts';
import { groupBy } from '../contract/values.ts';
import { orUndefined } from '../errors/problem.ts';
import type { File, FolderText, PageBody } from '../resources/content/schemas.ts';
import { hunksOf, type Hunk } from '../richtext/diff-hunks.ts';
import { diffLists } from '../richtext/diff-lines.ts';
import { comparedFields, wholeText } from './page-text.ts';
import { storedSettings } from './plan-export.ts';
import { settingsFile } from './settings.ts';
import type { ContentReader } from './space-content.ts';

/** A page, file or text whose content is compared. */
export interface ContentPart {
  readonly kind: 'page' | 'file' | 'text';
  readonly id: string;
  /** Its path in an exported folder. */
  readonly path: string;
  /** The path of a page in its space. */
  readonly place?: string | undefined;
  readonly title: string;
  /** Properties that are compared besides the text, by name. */
  readonly fields: Readonly<Record<string, string | undefined>>;
  /** A text that is equal for equal content; undefined if the content must be read to compare it. */
  readonly stamp: string | undefined;
  /** Whether the content is text, which is compared line by line. */
  readonly isText: boolean;
  readonly size?: number;
  /** The parent page; null at the top level. */
  readonly parent?: { readonly id: string; readonly title: string } | null;
}

/** A part that differs between two contents. An added part has only `after`, a deleted part only `before`. */
export interface PartChange {
  /** The part after the change, or before it if it was deleted. */
  readonly part: ContentPart;
  readonly before?: ContentPart;
  readonly after?: ContentPart;
  /** Properties that differ, with both values. */
  readonly fields: readonly (readonly [name: string, before: string, after: string])[];
  /** The neighbor of a page that was reordered under its parent. */
  readonly neighbor?: Neighbor | undefined;
  /** Whether the text or the bytes differ, or may. */
  readonly content: boolean;
}

/** The page before or after another page under the same parent. */
export interface Neighbor {
  readonly side: 'before' | 'after';
  readonly title: string;
}

/**
 * Whether a change has nothing to show: its path, properties and order are equal, and no line differs.
 * @param hunks - the lines that differ; undefined for a part without lines
 */
export function isUnchanged(
  { before, after, fields, neighbor }: PartChange,
  hunks: readonly unknown[] | undefined,
): boolean {
  const isInBoth = before !== undefined && after !== undefined && before.path === after.path;
  return isInBoth && fields.length === 0 && neighbor === undefined && hunks?.length === 0;
}

/** Lists the parts of a content without their texts: pages in reading order, other texts, files. */
export async function listParts(content: ContentReader): Promise<ContentPart[]> {
  const pages = await content.pages(false);
  const files = await content.files();
  const texts = await readTexts(content, false);
  const parts = [...pageParts(pages), ...texts.map(textPart), ...files.map(filePart)];
  if (!texts.some(({ role }) => role === 'settings')) return parts;
  const { root } = storedSettings({ texts: [...(await readTexts(content, true))] }, []);
  return parts.map((part) =>
    part.path === settingsFile || (part.kind === 'page' && !part.isText)
      ? part
      : { ...part, path: posix.join(root, part.path) },
  );
}

/** Reads the whole text of a part, front matter included. */
export type TextReader = (part: ContentPart) => Promise<string>;

/** Returns a function that reads the texts of a content. */
export function createTextReader(content: ContentReader): TextReader {
  let texts: Promise<ReadonlyMap<string, string>> | undefined;
  return async (part) => {
    if (part.kind === 'page') return wholeText(await content.page(part.id));
    texts ??= readTexts(content, true).then((all) => new Map(all.map(({ id, text }) => [id, text ?? ''])));
    return (await texts).get(part.id) ?? '';
  };
}

/** Reads the lines of a change that differ, with unchanged ones around them; undefined for a part without lines. */
export async function readHunks(
  { part, before, after, content }: PartChange,
  texts: { readonly before: TextReader; readonly after: TextReader },
  context: number,
): Promise<readonly Hunk[] | undefined> {
  if (part.kind === 'file' || (!part.isText && before?.isText !== true)) return undefined;
  const textOf = async (read: TextReader, one: ContentPart | undefined) =>
    content && one?.isText === true ? read(one) : '';
  const [from, to] = await Promise.all([textOf(texts.before, before), textOf(texts.after, after)]);
  return hunksOf(from, to, context);
}

/** Returns the texts that are not pages; none for a server that does not support them. */
async function readTexts(
  content: ContentReader,
  withText: boolean,
): Promise<readonly Static<typeof FolderText>[]> {
  return (await orUndefined(content.texts(withText), 'not-found', 'not-implemented')) ?? [];
}

function filePart({ id, name, contentType, size, git, hash }: Static<typeof File>): ContentPart {
  return {
    kind: 'file',
    id,
    path: git?.path ?? name,
    title: name,
    fields: { name, contentType },
    stamp: hash ?? git?.oid ?? String(size),
    isText: false,
    size,
  };
}

function textPart({ id, role, title, size, git }: Static<typeof FolderText>): ContentPart {
  return {
    kind: 'text',
    id,
    path: git.path,
    title,
    fields: { title, role },
    stamp: git.oid,
    isText: true,
    size,
  };
}

function pageParts(pages: readonly PageBody[], parent: PageBody | null = null): ContentPart[] {
  return pages.flatMap((page) => {
    const isText = page.type === 'document';
    const where = page.path ?? page.title;
    const part: ContentPart = {
      kind: 'page',
      id: page.id,
      path: isText ? (page.git?.path ?? `${where}.md`) : where,
      place: page.path,
      title: page.title,
      fields: Object.fromEntries(
        comparedFields.map((name) => [name, page[name] === undefined ? undefined : String(page[name])]),
      ),
      stamp:
        page.hash === undefined ? (page.git?.oid ?? page.updatedAt) : `${page.hash} ${page.git?.oid ?? ''}`,
      isText,
      parent,
    };
    return [part, ...pageParts(page.pages ?? [], page)];
  });
}

/** Compares two lists of parts. Returns the changed and added parts in the order of `after`, then the deleted ones. */
export function compareParts(before: readonly ContentPart[], after: readonly ContentPart[]): PartChange[] {
  const old = new Map(before.map((part) => [part.id, part]));
  const now = new Set(after.map(({ id }) => id));
  const reordered = findReorderedPages(before, after);
  const kept = after.flatMap((part): PartChange[] => {
    const was = old.get(part.id);
    if (was === undefined) return [{ part, after: part, fields: [], content: true }];
    const names = [...new Set([...Object.keys(was.fields), ...Object.keys(part.fields)])];
    const fields = names
      .filter((name) => was.fields[name] !== part.fields[name])
      .map((name) => [name, was.fields[name] ?? '', part.fields[name] ?? ''] as const);
    const isMoved = was.parent?.id !== part.parent?.id;
    const parents = [['parent', was.parent?.title ?? '', part.parent?.title ?? '']] as const;
    const all = isMoved ? [...fields, ...parents] : fields;
    const neighbor = isMoved ? undefined : reordered.get(part.id);
    const content = was.stamp === undefined || was.stamp !== part.stamp;
    return all.length > 0 || neighbor !== undefined || content || was.path !== part.path
      ? [{ part, before: was, after: part, fields: all, neighbor, content }]
      : [];
  });
  return [
    ...kept,
    ...before
      .filter(({ id }) => !now.has(id))
      .map((part): PartChange => ({ part, before: part, fields: [], content: true })),
  ];
}

/** Returns the pages that were reordered under the same parent, each with the page that follows it, or else precedes it. */
function findReorderedPages(
  before: readonly ContentPart[],
  after: readonly ContentPart[],
): Map<string, Neighbor> {
  const old = byParent(before);
  const titles = new Map(after.map(({ id, title }) => [id, title]));
  const moved = new Map<string, Neighbor>();
  for (const [parent, ids] of byParent(after)) {
    const was = old.get(parent) ?? [];
    const [left, right] = [new Set(was), new Set(ids)];
    const neighborOf = (id: string): Neighbor => {
      const at = ids.indexOf(id);
      const next = ids[at + 1];
      return next === undefined
        ? { side: 'after', title: titles.get(ids[at - 1] ?? '') ?? '' }
        : { side: 'before', title: titles.get(next) ?? '' };
    };
    // Pages whose position changes only because a sibling was added or deleted are not reported as moved.
    const changes = diffLists(
      was.filter((id) => right.has(id)),
      ids.filter((id) => left.has(id)),
    );
    for (const { type, lines } of changes)
      if (type === 'added') for (const id of lines) moved.set(id, neighborOf(id));
  }
  return moved;
}

function byParent(parts: readonly ContentPart[]): Map<string, string[]> {
  const pages = parts.filter(({ kind }) => kind === 'page');
  const groups = groupBy(pages, ({ parent }) => parent?.id ?? '');
  return new Map([...groups].map(([parent, children]) => [parent, children.map(({ id }) => id)]));
}
