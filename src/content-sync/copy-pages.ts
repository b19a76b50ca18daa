import { spaceAddress } from '../contract/open-address.ts';
import type { Api } from '../contract/api.ts';
import { defined, flattenPages } from '../contract/values.ts';
import type { Static } from '../contract/schema.ts';
import type {
  AffectedPageBody,
  ContentChange,
  InsertedFileBody,
  InsertPageChange,
  UpdatePageChange,
} from '../content/changes.ts';
import { freeSlug, slugKey } from '../content/slugs.ts';
import type { File, PageBody } from '../resources/content/schemas.ts';
import { CopiedIncludes } from './copied-includes.ts';
import {
  anchorIn,
  fileOf,
  readLinkTargets,
  rewriteFrontMatter,
  rewriteText,
  type LinkTargets,
} from './copied-links.ts';
import { scanLinks } from '../richtext/scan-links.ts';
import { comparedFields, wholeText } from './page-text.ts';
import { relativeLink, resolveLink } from './resolve-link.ts';
import { openContent, type ContentRef } from './space-content.ts';

type FileBody = Static<typeof File>;

/** A page to copy, with its text, in which included files are inserted, and the targets of its links by their addresses as written. */
interface CopiedPage {
  readonly page: PageBody;
  /** The ID of its parent, if that page is copied too. */
  readonly parent: string | undefined;
  readonly targets: LinkTargets;
}

/** Pages with their descendants, and the related data of the content. */
export interface PagesToCopy {
  readonly source: ContentRef;
  /** The pages, parents before children. */
  readonly pages: readonly CopiedPage[];
  /** The files that the pages use. */
  readonly files: readonly FileBody[];
  /** The files of all pages of the content, as links name them, by the ID of the page. */
  readonly paths: ReadonlyMap<string, string>;
  /** The files of the content, by the path from which they were imported. */
  readonly filesByPath: ReadonlyMap<string, string>;
  readonly download: (fileId: string) => Promise<Uint8Array>;
}

/** Reads pages with their descendants, and the files that they use. */
export async function readPagesToCopy(
  api: Api,
  source: ContentRef,
  roots: ReadonlySet<string>,
  signal: AbortSignal,
): Promise<PagesToCopy> {
  const reader = await openContent(api, source, signal);
  const tree = await reader.pages(false);
  const allFiles = await reader.files();
  const paths = new Map(flattenPages(tree).map((page) => [page.id, fileOf(page)]));
  const filesByPath = new Map(
    allFiles.flatMap(({ id, git }) => (git === undefined ? [] : [[git.path, id] as const])),
  );
  const ids = new Map([...paths].map(([id, path]) => [path, id]));
  let allTexts: ReadonlyMap<string, string> | undefined;
  let open: ReadonlyMap<string, PageBody> | undefined;
  const includes = new CopiedIncludes({
    texts: async () =>
      (allTexts ??= new Map((await reader.texts()).map(({ git, text = '' }) => [git.path, text]))),
    readPage: async (path) => {
      // Of several pages with one file, the first counts.
      open ??= new Map(
        openPages(tree)
          .toReversed()
          .map((each) => [fileOf(each), each]),
      );
      const page = open.get(path);
      return page?.type === 'document' ? (await reader.page(page.id)).markdown : undefined;
    },
  });
  const pages: CopiedPage[] = [];
  const used = new Set<string>();
  const take = async (page: PageBody, parent: string | undefined): Promise<void> => {
    const isText = page.type === 'document';
    const whole = isText ? { ...page, ...(await reader.page(page.id)) } : page;
    const hasLinks = isText || page.type === 'link';
    const targets = new Map(hasLinks ? await readLinkTargets(api, source, page.id, signal) : []);
    const written = whole.markdown ?? '';
    const markdown = await includes.insertInto(fileOf(page), written);
    for (const { href } of markdown === written ? [] : scanLinks(markdown)) {
      const path = targets.has(href) ? undefined : resolveLink(fileOf(page), href);
      const target = path === undefined ? {} : defined({ page: ids.get(path), file: filesByPath.get(path) });
      if (target.page !== undefined || target.file !== undefined) targets.set(href, target);
    }
    pages.push({ page: { ...whole, ...(isText && { markdown }), pages: [] }, parent, targets });
    for (const target of targets.values()) if (target?.file !== undefined) used.add(target.file);
    rewriteFrontMatter(whole, filesByPath, (file) => void used.add(file));
    for (const inner of page.pages ?? []) await take(inner, page.id);
  };
  const tops = new Map<string, PageBody>();
  const find = (list: readonly PageBody[]): void => {
    for (const page of list)
      if (roots.has(page.id)) tops.set(page.id, page);
      else find(page.pages ?? []);
  };
  find(tree);
  // The copies are inserted in the order of the roots, in which their places were chosen.
  for (const id of roots) {
    const page = tops.get(id);
    if (page !== undefined) await take(page, undefined);
  }
  const files = allFiles.filter(({ id }) => used.has(id));
  return { source, pages, files, paths, filesByPath, download: (id) => reader.download(id) };
}

/** Returns the pages that have no condition, nor a page above them. */
function openPages(pages: readonly PageBody[]): PageBody[] {
  return pages.flatMap((page) =>
    page.condition === undefined ? [page, ...openPages(page.pages ?? [])] : [],
  );
}

/** The destination of copied pages. */
interface CopyDestination {
  readonly spaceId: string;
  /** The place of each page that the caller named, by ID. Their descendants follow them. */
  readonly places: ReadonlyMap<string, { readonly into: string | null; readonly at: number }>;
  /** The slugs of the existing pages below each page. */
  readonly slugs: ReadonlyMap<string | null, ReadonlySet<string>>;
  readonly files: readonly FileBody[];
  readonly send: (changes: readonly ContentChange[]) => Promise<{
    readonly pages?: readonly AffectedPageBody[];
    readonly insertedFiles?: readonly InsertedFileBody[];
  }>;
}

/** The IDs of the copies, by the IDs of the pages, and the copied pages in the form of the API. */
export interface CopyResult {
  readonly ids: ReadonlyMap<string, string>;
  readonly pages: readonly AffectedPageBody[];
  /** The number of files that were sent. */
  readonly files: number;
}

/**
 * Creates copies of pages. Links between them are relative, and lead to the copies. In another space, links to other pages and
 * includes become addresses of the source space, and used files are copied unless the space already has them.
 */
export async function sendCopies(copy: PagesToCopy, destination: CopyDestination): Promise<CopyResult> {
  const isElsewhere = copy.source.spaceId !== destination.spaceId;
  const fileIds = isElsewhere ? await copyFiles(copy, destination) : new Map<string, string>();
  const created = await insertPages(copy, destination);
  const ids = new Map([...created].map(([id, page]) => [id, page.id]));
  const updates = copy.pages.flatMap((each): UpdatePageChange[] => {
    const own = created.get(each.page.id);
    if (own === undefined) return [];
    const { href } = each.page;
    // Links in the table of contents start at the root.
    const [original, from] = href === undefined ? [fileOf(each.page), `${own.path}.md`] : ['-', '-'];
    const address = addressWriter(copy, { created, fileIds, isElsewhere, original, from });
    const change = { operation: 'update_page', page: own.id } as const;
    if (href !== undefined && each.page.computed === undefined) {
      const target = each.targets.get(href);
      const copied = ids.get(target?.page ?? '');
      // A link by ID still works when pages move.
      const isById = href.startsWith('/pages/') && (copied !== undefined || !isElsewhere);
      const other = isById ? copied && href.replace(target?.page ?? '', copied) : address(target, href);
      return other === undefined || other === href ? [] : [{ ...change, href: other }];
    }
    if (each.page.type !== 'document' || wholeText(each.page) === '') return [];
    const frontMatter = rewriteFrontMatter(each.page, copy.filesByPath, (file) => address({ file }, ''));
    const body = rewriteText(each.page.markdown ?? '', (link) => address(each.targets.get(link), link));
    return [
      {
        ...change,
        document: { markdown: frontMatter + body },
        ...fieldsOf(each.page),
        ...(frontMatter !== '' && { whole: true }),
      },
    ];
  });
  for (const batch of batchesOf(updates)) await destination.send(batch);
  const reused = new Set(destination.files.map(({ id }) => id));
  return {
    ids,
    pages: [...created.values()],
    files: [...fileIds.values()].filter((id) => !reused.has(id)).length,
  };
}

type Created = ReadonlyMap<string, AffectedPageBody>;

/** Inserts the pages without texts, because links need the paths of the new pages. */
async function insertPages({ pages }: PagesToCopy, destination: CopyDestination): Promise<Created> {
  const created = new Map<string, AffectedPageBody>();
  const refs = new Map(pages.map(({ page }, index) => [page.id, `copy-${index}`]));
  const sources = new Map([...refs].map(([id, ref]) => [ref, id]));
  const taken = new Map<string | null | undefined, Set<string>>(
    [...destination.slugs].map(([id, slugs]) => [id, new Set(slugs)]),
  );
  const slugOf = ({ type, slug }: PageBody, above: string | null | undefined): string | undefined => {
    if (type === 'link' || slug === undefined) return slug;
    const slugs = taken.get(above) ?? new Set();
    const free = freeSlug(slug, slugs);
    taken.set(above, slugs.add(slugKey(free)));
    return free;
  };
  const changes = pages.map(({ page, parent }): InsertPageChange => {
    const place = destination.places.get(page.id);
    const into = parent === undefined ? undefined : refs.get(parent);
    const slug = slugOf(page, place === undefined ? into : place.into);
    const { computed } = page;
    const type = computed === undefined ? page.type : 'computed';
    return {
      operation: 'insert_page',
      document: {},
      ...fieldsOf(page),
      title: page.title,
      ref: refs.get(page.id)!,
      ...(type !== 'document' && { type }),
      ...(computed === undefined ? defined({ href: page.href }) : { computed }),
      ...place,
      ...defined({ slug, into }),
    } as InsertPageChange;
  });
  for (const batch of batchesOf(changes)) {
    const answer = await destination.send(
      batch.map((change) => {
        const above =
          typeof change.into === 'string' ? created.get(sources.get(change.into) ?? '') : undefined;
        return above === undefined ? change : { ...change, into: above.id };
      }),
    );
    for (const page of answer.pages ?? []) {
      const source = page.ref === undefined ? undefined : sources.get(page.ref);
      if (source !== undefined) created.set(source, page);
    }
  }
  return created;
}

/** Returns the fields of a page that a change can contain unchanged. */
function fieldsOf(page: PageBody): Partial<UpdatePageChange> {
  const names = comparedFields.filter((name) => name !== 'type' && name !== 'slug' && name !== 'href');
  return Object.fromEntries(names.flatMap((name) => (page[name] === undefined ? [] : [[name, page[name]]])));
}

/** Copies the files that pages use, and returns the IDs of the copies by the IDs of the files. */
async function copyFiles(
  { files, download }: PagesToCopy,
  { files: others, send }: CopyDestination,
): Promise<Map<string, string>> {
  const ids = new Map<string, string>();
  for (const { id, name, contentType, hash } of files) {
    const same = others.find((each) => hash !== undefined && each.hash === hash && each.name === name);
    if (same !== undefined) {
      ids.set(id, same.id);
      continue;
    }
    const base64 = Buffer.from(await download(id)).toString('base64');
    const { insertedFiles = [] } = await send([
      { operation: 'insert_files', files: [{ name, contentType, base64 }] },
    ]);
    const [file] = insertedFiles;
    if (file !== undefined) ids.set(id, file.id);
  }
  return ids;
}

interface CopyPlace {
  readonly created: Created;
  readonly fileIds: ReadonlyMap<string, string>;
  readonly isElsewhere: boolean;
  /** The files to which links to the page and to its copy lead. */
  readonly original: string;
  readonly from: string;
}

/** Returns a function that returns the address of a target for a copied page; undefined if the link does not change. */
function addressWriter(
  { source, paths }: PagesToCopy,
  { created, fileIds, isElsewhere, original, from }: CopyPlace,
) {
  return (target: ReturnType<LinkTargets['get']>, href: string): string | undefined => {
    if (target === undefined || (target.space !== undefined && target.space !== source.spaceId))
      return undefined;
    const { page, file, reusableContent, space } = target;
    const anchor = anchorIn(href);
    if (page !== undefined) {
      const own = created.get(page);
      if (own !== undefined) return relativeLink(from, `${own.path}.md`) + anchor;
      if (isElsewhere) return spaceAddress(source.spaceId, page) + anchor;
      const path = paths.get(page);
      return path === undefined ? undefined : relativeLink(from, path) + anchor;
    }
    if (file !== undefined) return `/files/${fileIds.get(file) ?? file}`;
    if (reusableContent !== undefined) {
      if (isElsewhere) return spaceAddress(source.spaceId, `~/reusable/${reusableContent}/`);
      const path = resolveLink(original, href);
      return path === undefined || href.startsWith('/') ? undefined : relativeLink(from, path);
    }
    return space === undefined || !isElsewhere ? undefined : spaceAddress(space, '');
  };
}

/** Maximum number of changes of one call, and approximate maximum number of characters. */
const limits = { changes: 50, characters: 8_000_000 } as const;

/** Splits changes into batches that the official API accepts in one call. */
export function* batchesOf<T extends ContentChange>(changes: readonly T[]): Generator<T[]> {
  let batch: T[] = [];
  let size = 0;
  for (const change of changes) {
    const own = 'document' in change ? (change.document?.markdown?.length ?? 0) : 0;
    if (batch.length >= limits.changes || (batch.length > 0 && size + own > limits.characters)) {
      yield batch;
      [batch, size] = [[], 0];
    }
    batch.push(change);
    size += own;
  }
  if (batch.length > 0) yield batch;
}
