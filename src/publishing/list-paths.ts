import { createHash } from 'node:crypto';
import { readContent } from '../content/revisions.ts';
import { specs, specVersions } from '../content/generated/specification-rows.ts';
import { collectRows } from '../core/store.ts';
import type { PathSummary, Publisher } from '../core/publisher.ts';
import { siteRedirects } from '../resources/site-redirects/rows.ts';
import { encodePath, segmentOf } from '../resources/site-structure/paths.ts';
import { siteEndpoints } from './endpoints.ts';
import { fileHref, hrefOf, pageAt, type OpenSpace } from './page-links.ts';
import { hasBranch, branchPath } from './page-navigation.ts';
import { themeFile } from './open-frame.ts';
import { filesOfAddresses, openSiteFiles } from './site-files.ts';
import { sitemapNames } from './sitemap-names.ts';
import type { SiteView } from './site-view.ts';
import { isUnlisted, type SitePage } from './space-pages.ts';

/** Lists all paths of a site for a visitor, in the order of the site. A path gets another key if its answer may have changed. */
export async function listPaths(
  view: SiteView,
): Promise<Omit<Awaited<ReturnType<Publisher['list']>>, 'base'>> {
  const { map } = view;
  const opened = await Promise.all(map.spaces.map((shown) => view.openSpace(shown)));
  const shared = await fingerprintShared(view, opened);
  const version = view.fingerprint();
  const whole = hash([shared, version]);
  const paths: PathSummary[] = [];
  const taken = new Set<string>();
  const add = (href: string, entry: Omit<PathSummary, 'path'>): void => {
    const path = href.slice(map.base.length);
    // The first page of a section is also at the path without the slash.
    const place = path.replace(/\/$/, '');
    if (taken.has(place)) return;
    taken.add(place);
    paths.push({ path, ...entry });
  };
  for (const open of opened) {
    const hasBranches = hasBranch(open);
    for (const page of [...open.pages.byId.values(), ...open.covered.keys()]) {
      if (hasBranches && !open.covered.has(page) && page.type !== 'link' && page.children.length > 0)
        add(branchPath(page, map.base), { kind: 'branch', key: hash([shared, page.id]) });
      if (page.type !== 'document') continue;
      const coveredBy = coverOf(open, page);
      const href = hrefOf(open, page);
      const entry: Omit<PathSummary, 'path'> = {
        kind: 'page',
        key: hash([shared, open.shown.row.id, page.entry ?? { ...page, children: [] }]),
        title: page.title,
        file: page.entry?.git?.path,
        space: open.shown.title,
        section: open.shown.section?.row.title,
        sectionPath: open.shown.section?.base.slice(map.base.length),
        spacePath: open.shown.base.slice(map.base.length),
        language: open.shown.space.language,
        isHidden: isUnlisted(open.pages, page),
        isSearched: page.isSearched,
        coveredBy: coveredBy?.slice(map.base.length),
      };
      if (coveredBy === undefined) add(href, entry);
      else paths.push({ path: href.slice(map.base.length), ...entry });
    }
  }
  // A page takes precedence over a group or another space at the same path.
  for (const open of opened) {
    for (const { base } of [open.shown, open.shown.section ?? open.shown])
      add(base, { kind: 'redirect', key: whole });
    for (const page of open.pages.byId.values())
      if (page.type === 'group')
        add(open.shown.base + page.path.split('/').map(segmentOf).join('/'), {
          kind: 'redirect',
          key: whole,
          title: page.title,
        });
    for (const name of sitemapNames(open)) add(open.shown.base + name, { kind: 'text', key: whole });
    for (const file of open.pages.files.values())
      add(fileHref(open.shown, file), {
        kind: 'file',
        key: hash([file.blob, file.contentType]),
        size: file.size,
      });
    // In a copy, a specification keeps its address, because the Markdown of pages names it.
    for (const { download } of open.pages.downloads.values())
      if (download !== undefined)
        add(fileHref(open.shown, download), { kind: 'asset', key: download.blob, size: download.size });
  }
  add(map.base, { kind: 'redirect', key: whole });
  for (const name of Object.keys(siteEndpoints))
    if (!name.startsWith('~')) add(map.base + name, { kind: 'text', key: whole });
  add(`${map.base}~gitbook/search`, { kind: 'text', key: hash([shared, 'search']) });
  for (const row of await collectRows(view.tx, siteRedirects, 'bySource', [map.site.id, 'live']))
    add(map.base + row.source.slice(1), { kind: 'redirect', key: hash([whole, row]) });
  for (const open of opened)
    for (const { from } of open.pages.redirects.values())
      add(open.shown.base + encodePath(from), { kind: 'redirect', key: hash([whole, from]) });
  const themes = [undefined, ...map.spaces].map((shown) => themeFile(view, shown));
  for (const { name } of [...filesOfAddresses(), ...themes])
    add(`${map.base}~assets/${name}`, { kind: 'asset', key: name });
  const leftOut = opened.flatMap(({ pages, shown }) =>
    pages.sources
      .map(({ title }) => ({ title, space: shown.title }))
      .sort((one, other) => (one.title < other.title ? -1 : 1)),
  );
  return { version, paths, leftOut };
}

/** Returns the path of the page, space or section that visitors get at the path of a page; undefined if they get the page. */
function coverOf(open: OpenSpace, page: SitePage): string | undefined {
  const cover = open.covered.get(page);
  if (cover !== undefined) return cover;
  const other = hrefOf(open, page) === open.shown.base ? page : pageAt(open, page.path);
  return other === undefined || other.id === page.id ? undefined : hrefOf(open, other);
}

/**
 * Returns a digest of everything that each page may show of the rest of the site: the structure, the tables of contents, the
 * included files and texts, and the specifications. It does not cover the texts of other pages.
 */
async function fingerprintShared(view: SiteView, opened: readonly OpenSpace[]): Promise<string> {
  const { tx, organization } = view;
  const all = createHash('sha256').update(JSON.stringify([openSiteFiles().version, view.structure()]));
  for (const { pages, shown } of opened) {
    for (const page of pages.byId.values()) {
      const { updatedAt: _, entry, children, ...visible } = page;
      all.update(JSON.stringify([visible, children.length, entry?.href, entry?.git?.path]));
    }
    for (const entry of await readContent(tx, shown.space.revision)) {
      if (entry.kind === 'page') continue;
      const { id, blob } = entry;
      all.update(JSON.stringify([id, blob, entry.kind === 'file' ? entry.name : entry.git.path]));
    }
    all.update(JSON.stringify([pages.variables, [...pages.specifications]]));
  }
  for (const { slug, lastVersion } of await collectRows(tx, specs, 'byOrganization', [organization.id])) {
    const text = lastVersion === undefined ? undefined : (await tx.get(specVersions, lastVersion))?.text;
    all.update(JSON.stringify([slug, text]));
  }
  return all.digest('base64url');
}

function hash(value: unknown): string {
  return createHash('sha256').update(JSON.stringify(value)).digest('base64url').slice(0, 22);
}
