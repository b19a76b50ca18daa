import type { ContentReference } from '../content/links/content-reference.ts';
import type { FileEntry } from '../content/rows.ts';
import { isObject, isRecord } from '../contract/values.ts';
import { isExternal } from '../render/addresses.ts';
import type { Target } from '../render/render-context.ts';
import { segmentOf } from '../resources/site-structure/paths.ts';
import type { ShownSpace } from './site-map.ts';
import { downloadId, firstDocument, type SitePage, type SpacePages } from './space-pages.ts';

/** A space of a site with its pages. */
export interface OpenSpace {
  readonly shown: ShownSpace;
  readonly pages: SpacePages;
  /** Pages that visitors cannot open, with the path of the other space or section that has their path. Not among `pages`. */
  readonly covered: ReadonlyMap<SitePage, string>;
}

/** Returns the path of a page on the site. The first page of a space has the path of the space. */
export function hrefOf({ shown, pages }: OpenSpace, page: SitePage): string {
  if (page.id === firstDocument(pages.roots)?.id) return shown.base;
  return shown.base + page.path.split('/').map(segmentOf).join('/');
}

/** Returns the page of a space at a path; the first page for the path of the space. */
export function pageAt({ pages }: OpenSpace, path: string): SitePage | undefined {
  return path === '' ? firstDocument(pages.roots) : pages.byPath.get(path.toLowerCase());
}

/** Returns the path of a file of a space on the site. */
export function fileHref({ base }: ShownSpace, { id, name }: FileEntry): string {
  return `${base}~files/${id}/${encodeURIComponent(name)}`;
}

/** Creates a function that resolves references of one space. `others` has the other spaces that the page refers to. */
export function createTargets(
  here: OpenSpace,
  others: ReadonlyMap<string, OpenSpace>,
): (ref: unknown) => Target | undefined {
  const spaceOf = (id: string | undefined): OpenSpace | undefined =>
    id === undefined || id === here.shown.space.id ? here : others.get(id);
  return (given) => {
    if (!isRecord(given)) return undefined;
    const ref = given as ContentReference;
    switch (ref.kind) {
      case 'url':
        return urlTarget(here, ref.url);
      case 'page':
        return pageTarget(spaceOf(ref.space), ref.page);
      case 'anchor': {
        if (ref.page === undefined) return { href: `#${ref.anchor}`, kind: 'anchor' };
        const target = pageTarget(spaceOf(ref.space), ref.page);
        return target === undefined
          ? undefined
          : { ...target, href: `${target.href}#${ref.anchor}`, kind: 'anchor' };
      }
      case 'file': {
        const space = spaceOf(ref.space);
        const file = space?.pages.files.get(ref.file);
        return space === undefined || file === undefined ? undefined : fileTarget(space, file);
      }
      case 'space': {
        const space = spaceOf(ref.space);
        return space === undefined || firstDocument(space.pages.roots) === undefined
          ? undefined
          : { href: space.shown.base, kind: 'page', title: space.shown.title };
      }
      default:
        return undefined;
    }
  };
}

/**
 * Collects the values of a field in all references of a document or other data. For example, `space` returns the spaces that it
 * refers to.
 */
export function namesInReferences(data: unknown, field: 'space' | 'spec' | 'file'): ReadonlySet<string> {
  const names = new Set<string>();
  const open: unknown[] = [data];
  while (open.length > 0) {
    const value = open.pop();
    if (!isObject(value)) continue;
    if (isRecord(value)) {
      // Most nodes of a document are texts, which contain no references.
      if (value['object'] === 'text') continue;
      const name = value[field];
      if (typeof value['kind'] === 'string' && typeof name === 'string') names.add(name);
    }
    // The list may be too long for the arguments of a call.
    for (const inner of Array.isArray(value) ? value : Object.values(value))
      if (typeof inner === 'object') open.push(inner);
  }
  return names;
}

/** The URL of a specification in the API, which generated pages contain. It requires a token. */
const specificationAddress = /\/v1\/orgs\/([^/]+)\/openapi\/([^/]+)\/versions\/latest\/content\/download$/;

/**
 * Returns the target of a URL that leads to another site, or nowhere on this one. Visitors can open the URL of a specification
 * only if a page of the space offers it as a file.
 */
function urlTarget(here: OpenSpace, url: string): Target | undefined {
  const [, organization, slug] = specificationAddress.exec(url) ?? [];
  if (slug !== undefined) {
    const file = here.pages.downloads.get(downloadId(slug))?.download;
    return file === undefined || organization !== here.shown.space.organization
      ? undefined
      : fileTarget(here, file);
  }
  if (url.startsWith('#')) return { href: url, kind: 'anchor' };
  return isExternal(url) ? { href: url, kind: 'external', title: url } : undefined;
}

function fileTarget({ shown }: OpenSpace, file: FileEntry): Target {
  const { name: title, size, contentType } = file;
  // The dimensions of a drawing may be only proportions. It then fills the available width.
  const dimensions = contentType === 'image/svg+xml' ? undefined : file.dimensions;
  return { href: fileHref(shown, file), kind: 'file', title, size, dimensions };
}

function pageTarget(space: OpenSpace | undefined, id: string): Target | undefined {
  const page = space?.pages.byId.get(id);
  if (space === undefined || page === undefined) return undefined;
  // A group is not a page. It opens its first page.
  const opened = page.type === 'document' ? page : firstDocument(page.children);
  if (opened === undefined) return undefined;
  const { title, description, icon, emoji } = page;
  return { href: hrefOf(space, opened), kind: 'page', title, description, icon, emoji };
}
