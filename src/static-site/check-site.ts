import type { Api } from '../contract/api.ts';
import { decodePercent, defined, groupBy } from '../contract/values.ts';
import type { LeftOut } from './build-site.ts';
import { listSitePaths, maxPaths, readSitePaths } from '../resources/site-paths/contract.ts';
import { readPageFacts, type PageFacts, type PageFault } from './page-facts.ts';
import type { ListedPath } from './static-paths.ts';

/** The descriptions of the rules of a check, by code. */
export const siteRules = {
  'broken-anchor': 'a link leads to an anchor that its target does not have',
  'broken-link': 'a link or an image leads to nothing',
  'duplicate-id': 'two elements of a page have the same ID',
  'duplicate-path': 'visitors cannot open a page, because another page or space has its path',
  'duplicate-title': 'two pages of a space have the same title',
  'empty-link': 'a link or a button has no text',
  'frame-without-title': 'a frame has no title',
  'image-without-text': 'an image has no alternative text',
  'missing-label': 'a field of a form has no label',
  'missing-language': 'a page names no language',
  'missing-operation': 'a page shows an operation that its OpenAPI specification does not have',
  'missing-reference': 'an attribute refers to an element that the page does not have',
  'missing-title': 'a page has no title',
  'orphan-page': 'a page is in no table of contents, and no other page links to it',
  redirect:
    'a redirect leads in a circle, to another redirect or to nothing, or has no effect, because the site has a page at its path',
  'skipped-heading': 'a heading is more than one level below the one before it',
  'table-without-headers': 'a table has no header cells',
} as const;

export type SiteRule = keyof typeof siteRules;

/** A problem that should be corrected. */
export interface SiteFinding {
  readonly rule: SiteRule;
  /** The path of the page on the site. */
  readonly page: string;
  readonly space?: string;
  /** The file in a repository that the page was imported from. */
  readonly file?: string | undefined;
  readonly detail: string;
}

interface CheckRequest {
  readonly api: Api;
  readonly organizationId: string;
  readonly siteId: string;
  readonly claims?: string | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: (done: number, total: number) => void;
}

/** A placeholder address. All links within the site start with it, and no other links do. */
const address = 'https://site.invalid/~site/';
const base = '/~site/';

/**
 * Reads all pages of a site in the form that its visitors get, and returns the problems that should be corrected. Redirects are
 * not checked.
 */
export async function checkSite(request: CheckRequest): Promise<{
  readonly pages: number;
  readonly findings: readonly SiteFinding[];
  readonly leftOut: readonly LeftOut[];
}> {
  const { api, organizationId, siteId, claims, signal, onProgress } = request;
  const params = { organizationId, siteId };
  const query = defined({ claims, address });
  const { paths, leftOut = [] } = await api.call(listSitePaths, { params, query }, defined({ signal }));
  const pages = paths.filter(({ kind }) => kind === 'page');
  const opened = pages.filter(({ coveredBy }) => coveredBy === undefined);
  const facts = new Map<string, PageFacts>();
  /** The links around the page contents, with the first page that has each of them. */
  const frameLinks = new Map<string, string>();
  for (let from = 0; from < opened.length; from += maxPaths / 2) {
    const batch = opened.slice(from, from + maxPaths / 2).map(({ path }) => path);
    const input = { params, query: { ...query, paths: JSON.stringify(batch) } };
    const { answers } = await api.call(readSitePaths, input, defined({ signal }));
    for (const { path, text = '' } of answers) {
      const { links, ...read } = readPageFacts(text);
      facts.set(path, { ...read, links: links.filter(({ isContent }) => isContent) });
      // All pages contain these links. Anchors in them belong to the current page.
      for (const { href, isContent } of links)
        if (!isContent && !href.startsWith('#') && !frameLinks.has(href)) frameLinks.set(href, path);
    }
    onProgress?.(facts.size, opened.length);
  }
  return {
    pages: pages.length,
    findings: [...findingsOf(paths, opened, { facts, frameLinks }), ...pages.flatMap(findCover)],
    leftOut,
  };
}

function findingsOf(
  paths: readonly ListedPath[],
  pages: readonly ListedPath[],
  {
    facts,
    frameLinks,
  }: {
    facts: ReadonlyMap<string, PageFacts>;
    frameLinks: ReadonlyMap<string, string>;
  },
): SiteFinding[] {
  const findings: SiteFinding[] = [];
  const known = new Set(paths.map(({ path }) => path));
  const linked = new Set<string>();
  const duplicates = new Map(
    [...groupBy(pages, ({ spacePath, title }) => JSON.stringify([spacePath, title]))].flatMap(([, same]) =>
      same.length < 2 ? [] : same.map((page) => [page.path, same] as const),
    ),
  );
  const framed = groupBy(frameLinks, ([, path]) => path);
  // Problems in the frame are on every page, and are reported once.
  const inFrame = new Set<string>();
  for (const page of pages) {
    const { path, space, file } = page;
    const { faults, links: ownLinks } = facts.get(path) ?? { faults: [], links: [] };
    const links = [...ownLinks, ...(framed.get(path) ?? []).map(([href]) => ({ href, isContent: false }))];
    const add = ({ rule, detail, isContent }: Omit<PageFault, 'rule'> & { rule: SiteRule }): void => {
      const key = `${rule} ${detail}`;
      if (!isContent && inFrame.has(key)) return;
      if (!isContent) inFrame.add(key);
      findings.push({ rule, page: `/${path}`, ...defined({ space, file }), detail });
    };
    for (const fault of faults) add(fault);
    const same = duplicates.get(path)?.filter((each) => each.path !== path) ?? [];
    if (same.length > 0)
      add({
        rule: 'duplicate-title',
        detail: `"${page.title}" is the title of /${same[0]?.path} as well`,
        isContent: true,
      });
    for (const { href, isContent } of links) {
      const found = targetOf(href, path);
      if (found === undefined) continue;
      const { target, anchor } = found;
      if (target !== path) linked.add(target);
      if (!known.has(target))
        add({ rule: 'broken-link', detail: `the site has nothing at /${target}`, isContent });
      else if (anchor !== '' && facts.get(target)?.ids.has(anchor) === false)
        add({
          rule: 'broken-anchor',
          detail:
            target === path ? `the page has no anchor #${anchor}` : `/${target} has no anchor #${anchor}`,
          isContent,
        });
    }
  }
  for (const { path, space, file, hidden } of pages)
    if (hidden === true && !linked.has(path))
      findings.push({
        rule: 'orphan-page',
        page: `/${path}`,
        ...defined({ space, file }),
        detail: 'it is in no table of contents, and no other page links to it',
      });
  return findings;
}

/** Returns the finding for a page that visitors cannot open. */
function findCover({ path, space, file, spacePath, coveredBy }: ListedPath): SiteFinding[] {
  if (coveredBy === undefined) return [];
  const detail =
    coveredBy.endsWith('/') && coveredBy !== spacePath
      ? `the paths below /${coveredBy} belong to another space`
      : `visitors get /${coveredBy}, whose path is the same: upper and lower case count as equal`;
  return [{ rule: 'duplicate-path', page: `/${path}`, ...defined({ space, file }), detail }];
}

/** Returns the target of a link on the site; undefined for other sites, and for addresses that a server answers dynamically. */
function targetOf(
  href: string,
  path: string,
): { readonly target: string; readonly anchor: string } | undefined {
  const [, place = '', query = '', anchor = ''] = /^([^?#]*)(\?[^#]*)?#?(.*)$/s.exec(href) ?? [];
  const decoded = decodePercent(anchor) ?? anchor;
  if (place === '') return query === '' ? { target: path, anchor: decoded } : undefined;
  const below = place.startsWith(address)
    ? place.slice(address.length)
    : place.startsWith(base)
      ? place.slice(base.length)
      : undefined;
  // Another version of the page may not exist. The site then shows the first page.
  if (below === undefined || query !== '' || /(?:^|\/)~|\.md$|(?:^|\/)rss\.xml$/.test(below))
    return undefined;
  return { target: below, anchor: decoded };
}
