import { spaceAddress } from '../contract/open-address.ts';
import type { Api } from '../contract/api.ts';
import { eachItem } from '../contract/each-page.ts';
import type { ItemOf } from '../contract/operation.ts';
import type { UpdatePageChange } from '../content/changes.ts';
import { resolveHref } from '../content/links/link-targets.ts';
import * as requestPages from '../resources/content/change-request-pages/contract.ts';
import type { PageBody } from '../resources/content/schemas.ts';
import * as spacePages from '../resources/content/space-pages/contract.ts';
import { rewriteLinks, rewriteOutsideCode } from '../richtext/rewrite-links.ts';
import { resolveLink } from './resolve-link.ts';
import { openContent, type ContentRef } from './space-content.ts';

type Link = ItemOf<typeof spacePages.listPageLinks>;

/** The targets of the links of a page, by their addresses as written. */
export type LinkTargets = ReadonlyMap<string, Partial<NonNullable<Link['targetReference']>> | undefined>;

/** Reads the targets of the links of a page. */
export async function readLinkTargets(
  api: Api,
  source: ContentRef,
  pageId: string,
  signal: AbortSignal,
): Promise<LinkTargets> {
  // Both operations differ only in their path parameters, which `source` has.
  const { listPageLinks } = (
    source.changeRequestId === undefined ? spacePages : requestPages
  ) as typeof spacePages;
  const targets = new Map<string, Link['targetReference']>();
  const input = { params: { ...source, pageId } };
  for await (const { href = '', targetReference } of eachItem(api, listPageLinks, input, { signal }))
    targets.set(href, targetReference);
  return targets;
}

/** Returns the file to which links to a page lead: the one from which it was imported, or the one at its path. */
export function fileOf({ git, path = '' }: Pick<PageBody, 'git' | 'path'>): string {
  return git?.path ?? `${path}.md`;
}

/** Rewrites the targets of links and includes in the text of a page. */
export function rewriteText(text: string, address: (href: string) => string | undefined): string {
  return rewriteOutsideCode(rewriteLinks(text, address), (part) =>
    part.replace(/(\{%-?\s{0,9}include\s{1,9}")([^"\n]{1,1024})"/g, (whole, before: string, href: string) => {
      const other = address(href);
      return other === undefined ? whole : `${before}${other}"`;
    }),
  );
}

/** Returns the anchor of a link with its "#"; '' if it has none. */
export function anchorIn(href: string): string {
  const target = href.startsWith('[[') ? resolveHref('', {}, href) : undefined;
  if (target === undefined) return /#.*$/s.exec(href)?.[0] ?? '';
  return target.kind === 'name' && target.anchor !== undefined ? `#${target.anchor}` : '';
}

/** Rewrites the fields of a front matter that name a file of the space, such as the cover, and returns the front matter. */
export function rewriteFrontMatter(
  page: PageBody,
  filesByPath: ReadonlyMap<string, string>,
  write: (file: string) => string | undefined | void,
): string {
  return (page.frontMatter ?? '').replace(
    /^(\s*[\w-]+:[ \t]+(["']?))([^\s"'][^"'\n]{0,1023}?)(?=\2[ \t]*\r?$)/gm,
    (whole, before: string, _quote: string, value: string) => {
      const path = resolveLink(fileOf(page), value);
      const [, id] = /^\/files\/([\w-]+)$/.exec(value) ?? [];
      const file = id ?? (path === undefined ? undefined : filesByPath.get(path));
      const other = file === undefined ? undefined : write(file);
      return typeof other === 'string' ? before + other : whole;
    },
  );
}

/** Changes of the pages that remain in a space and link to pages that move to another space. */
interface RemainingLinks {
  readonly changes: readonly UpdatePageChange[];
  /** The titles of reusable content that links to moved pages. It has to be edited by hand. */
  readonly reusableContents: readonly string[];
}

/** Finds the remaining pages of a space that link to moved pages, and returns changes that link to the other space instead. */
export async function changeRemainingLinks(
  api: Api,
  source: ContentRef,
  { ids, spaceId }: { ids: ReadonlyMap<string, string>; spaceId: string },
  signal: AbortSignal,
): Promise<RemainingLinks> {
  const sources = new Set<string>();
  const reusableContents = new Set<string>();
  for (const id of ids.keys())
    for await (const { source: from, space } of eachItem(
      api,
      spacePages.listPageBacklinks,
      { params: { spaceId: source.spaceId, pageId: id } },
      { signal },
    )) {
      if (from === undefined || (space !== undefined && space !== source.spaceId)) continue;
      if (from.kind === 'page') sources.add(from.id);
      else reusableContents.add(from.title);
    }
  const reader = await openContent(api, source, signal);
  const changes: UpdatePageChange[] = [];
  for (const page of sources) {
    if (ids.has(page)) continue;
    const targets = await readLinkTargets(api, source, page, signal);
    const { markdown = '', href: own } = await reader.page(page);
    const address = (href: string): string | undefined => {
      const moved = ids.get(targets.get(href)?.page ?? '');
      if (moved === undefined) return undefined;
      return spaceAddress(spaceId, moved) + anchorIn(href);
    };
    const href = own && address(own);
    if (href !== undefined) changes.push({ operation: 'update_page', page, href });
    const text = rewriteText(markdown, address);
    if (text !== markdown) changes.push({ operation: 'update_page', page, document: { markdown: text } });
  }
  return { changes, reusableContents: [...reusableContents].sort() };
}
