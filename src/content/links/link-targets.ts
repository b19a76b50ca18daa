import { isOpenScheme, schemeOf } from '../../contract/open-address.ts';
import { decodePercent, defined } from '../../contract/values.ts';
import { anchorKey } from '../../richtext/anchor-key.ts';
import { posix } from 'node:path';

/** An entry that links in a space can lead to, and that may contain links: `page:ID`, `file:ID` or `reusable:ID`. */
export type LinkTargetId = string;

/** The target of a link: outside of the space, an address of the application, or a name in the space. */
export type Target = { readonly kind: 'url' | 'app'; readonly space?: SpaceTarget } | NameTarget;

interface NameTarget {
  readonly kind: 'name';
  readonly name: string;
  /** Names that are tried if nothing has the name, in this order. */
  readonly others?: readonly string[];
  readonly anchor?: string;
}

/** A space as the target of an address of the application, and the name of a page in it. */
export interface SpaceTarget {
  readonly id: string;
  readonly name?: string;
  readonly anchor?: string;
}

/** The paths that decide the names of a target, and the start of its own relative links. */
export interface LinkSource {
  /** The slugs of a page from the root, joined by "/". */
  readonly path?: string;
  /** The file in the folder from which it was imported. */
  readonly git?: string;
}

/**
 * Resolves a link of a page. A path becomes a name relative to the root of the space, such as `path:guides/a.md`; a path that
 * ends in "/" is the folder. The links of a page without a file are relative to the path of the page. If nothing has this name, the
 * link may be an address of a site that another tool made.
 */
export function resolveHref(target: LinkTargetId, source: LinkSource, given: string): Target {
  const [, note, headings = ''] =
    (given.startsWith('[[') && /^\[\[([^#\]]*)(#[^\]]*)?\]\]$/.exec(given)) || [];
  if (note !== undefined) return noteTarget(target, note, headings.slice(headings.lastIndexOf('#') + 1));
  const href = normalizeHref(given);
  const hash = href.indexOf('#');
  // Behind `:~:` are instructions for browsers.
  const fragment = hash === -1 ? '' : href.slice(hash + 1).replace(/:~:.*/s, '');
  const anchor = fragment === '' ? {} : { anchor: decode(fragment) };
  const path = (hash === -1 ? href : href.slice(0, hash)).replace(/\?.*$/s, '');
  if (path === '') return { kind: 'name', name: href.startsWith('#') ? target : emptyTarget, ...anchor };
  // A specification or a tag.
  if (/^(?:openapi|tag):[\w-]+$/.test(path)) return { kind: 'app' };
  const isApp =
    /^https:\/\/app\.gitbook\.com(?:\/|$)/i.test(path) || /^\/o\/[^/]+\/(?:c|s|sites)\/[^/]+/.test(path);
  const scheme = schemeOf(path);
  if (isApp || path.startsWith('//') || (scheme !== undefined && isOpenScheme(scheme))) {
    const space = readSpaceTarget(path, anchor);
    return { kind: isApp ? 'app' : 'url', ...defined({ space }) };
  }
  if (scheme !== undefined) return { kind: 'name', name: emptyTarget };
  // Users and collections are not part of a space.
  if (/^\/(?:users\/usr|collections\/col)_\w+$/.test(path)) return { kind: 'app' };
  const [, kind, id] = /^\/(?:content\/)?(page|file)s\/((?:pag|fil)_\w+(?:-[\da-f]{12})?)$/.exec(path) ?? [];
  if (id !== undefined) return { kind: 'name', name: `${kind}:${id}`, ...anchor };
  const decoded = decode(path);
  const own = resolvePath(source, decoded);
  const name = `path:${own}`;
  const others = otherNames(source, decoded, own).filter((other) => other !== name);
  return { kind: 'name', name, ...(others.length === 0 ? {} : { others }), ...anchor };
}

/** Resolves a link of Obsidian: the path of a file from the root, or only its name. Blocks (`^id`) have no anchors. */
function noteTarget(target: LinkTargetId, note: string, heading: string): Target {
  const words = heading
    .trim()
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}\s_-]/gu, '');
  const anchor = words === '' || heading.startsWith('^') ? {} : { anchor: words.replace(/\s/g, '-') };
  if (note === '') return { kind: 'name', name: target, ...anchor };
  const path = posix.normalize(note);
  return {
    kind: 'name',
    name: `path:${path}`,
    others: [`path:${addressOf(path)}`, noteName(path)],
    ...anchor,
  };
}

/** Returns the name of a file in links of Obsidian, which do not need its folder. */
export function noteName(path: string): string {
  return `note:${posix
    .basename(path)
    .toLowerCase()
    .replace(/\.(?:mdx?|markdown)$/, '')}`;
}

/** Returns all names that a link may mean, in the order in which they are tried. */
export function allNames({ name, others = [] }: NameTarget): readonly string[] {
  return [name, ...others];
}

/** Returns what `find` returns for the first name of a link that it knows; undefined if it knows none. */
export function findNamed<T>(target: NameTarget, find: (name: string) => T | undefined): T | undefined {
  for (const name of allNames(target)) {
    const found = find(name);
    if (found !== undefined) return found;
  }
  return undefined;
}

/**
 * Returns the names of a path in the addresses of other tools. In some, such as Hugo, links are relative to the address of the
 * page, which ends in "/", and addresses have lower case. A site may also be below a folder, such as `/docs/`. `own` is the path
 * that the link has in docsctl.
 */
function otherNames({ git = '' }: LinkSource, target: string, own: string): string[] {
  const isRelative = !target.startsWith('/');
  if (isRelative && (git === '' || /\.mdx?$|\.gitbook\//i.test(target))) return [];
  const isFile = /\.\w{1,8}$/.test(target) && !/\.(?:mdx?|markdown|html)$/i.test(target);
  const nameOf = (path: string): string => `path:${isFile ? path : addressOf(path)}`;
  if (isRelative) {
    const fromAddress = nameOf(resolvePath({ git: posix.join(addressOf(git, false), '-') }, target));
    return isFile ? [fromAddress] : [nameOf(own), fromAddress];
  }
  const [, first = '', rest = ''] = /^([^/]+)\/(.+)$/.exec(own) ?? [];
  const isBelow = rest !== '' && (isFile || rest.includes('/') || first === 'docs');
  return [...(isFile ? [] : [nameOf(own)]), ...(isBelow ? [nameOf(rest)] : [])];
}

/** Returns the address that other tools give to the file of a page. With `isPlain`, as it is written in any of them. */
function addressOf(path: string, isPlain = true): string {
  const stem = path.replace(/\.(?:mdx?|markdown|html)$/i, '').replace(/(?:^|\/)(?:_?index|readme)$/i, '');
  return isPlain ? stem.toLowerCase().replace(/(^|\/)(?:_+|\d{1,3}[-_.](?=[a-z]))/g, '$1') : stem;
}

/**
 * Encodes `#` and `?` in a link to a file in `.gitbook/assets`, whose names GitBook writes as they are: `assets/Logo-#FFF.png`. In
 * Docusaurus, `@site/` is the folder of the site.
 */
export function normalizeHref(given: string): string {
  const href = given.startsWith('@site/') ? given.slice('@site'.length) : given;
  return /^[./]*\.gitbook\/assets\/[^/]*[?#][^/=]*\.\w{2,5}$/.test(href)
    ? href.replace(/[?#]/g, encodeURIComponent)
    : href;
}

/** Returns a sentence on why a link without a target leads nowhere. */
export function describeMissing(href: string): string {
  if (schemeOf(href) !== undefined)
    return 'Sites show such an address as text: they open https, http, mailto and tel.';
  return 'No page or file has this address.';
}

/** Returns the name under which the index lists the sources that link to an anchor of a name. */
export function anchorName(name: string, anchor: string): string {
  return `anchor:${name}#${anchorKey(anchor)}`;
}

/** Returns the name under which the index lists the sources that link into another space. */
export function spaceName(space: string): string {
  return `space:${space}`;
}

/** Returns the name under which the index lists the sources that link to a host, such as `host:docs.example.com`. */
export function hostName(host: string): string {
  return `host:${host.toLowerCase()}`;
}

/** The name under which the index counts the links to each specification, with names such as `openapi:pets`. */
export const specificationsName = 'openapi';

/** Returns the name of the specification that a link leads to, such as `openapi:pets`; undefined for other links. */
export function specificationOf(href: string): string | undefined {
  return /^openapi:[\w-]+/.exec(href)?.[0];
}

/** Returns the host of an address with its port; undefined for other links. */
export function hostOf(href: string): string | undefined {
  return /^(?:https?:)?\/\/([^/?#]+)/i.exec(href)?.[1];
}

/**
 * Parses the space and page of an address such as `https://app.gitbook.com/o/ORG/s/SPACE/guides/start`. Any host is accepted,
 * because self-hosted servers have the same paths, and IDs of spaces are unique.
 */
function readSpaceTarget(path: string, anchor: { readonly anchor?: string }): SpaceTarget | undefined {
  const [, id, rest = ''] =
    /^(?:(?:https?:)?\/\/[^/]+)?(?:\/o\/[^/]+)?\/s\/([\w-]{1,255})(\/.*)?$/i.exec(path) ?? [];
  if (id === undefined) return undefined;
  const page = decode(rest).replace(/^\/+|\/+$/g, '');
  // Addresses of drafts and revisions do not lead to the content of the space.
  if (page === '' || page.startsWith('~')) return { id };
  return { id, name: /^pag_\w+(?:-[\da-f]{12})?$/.test(page) ? `page:${page}` : `path:${page}`, ...anchor };
}

/** The name for an empty link, and for addresses that no site opens, such as javascript: or ftp:. No target has it. */
const emptyTarget = 'empty:';

/**
 * Returns the names of a target with their ranks. If two targets have the same name, links lead to the one with the lower rank.
 */
export function namesOf(target: LinkTargetId, { path, git }: LinkSource): Map<string, number> {
  const names = new Map([[target, 0]]);
  const add = (name: string, rank: number) =>
    void (names.has(`path:${name}`) || names.set(`path:${name}`, rank));
  const isPage = target.startsWith('page:');
  if (git !== undefined) {
    add(git, 0);
    if (isPage && /\.(?:mdx?|markdown)$/i.test(git)) {
      const stem = git.replace(/\.\w+$/, '');
      add(stem, 1);
      const isReadme = /^readme\.\w+$/i.test(posix.basename(git));
      if (isReadme || /^index\.\w+$/i.test(posix.basename(git))) add(posix.dirname(git), 2);
      // mdBook and Sphinx link to the HTML pages that they generate.
      add(isReadme ? posix.join(posix.dirname(git), 'index.html') : `${stem}.html`, 5);
      add(addressOf(git), 6);
    }
    if (!/(?:^|\/)(?:_?index|readme)\.\w+$/i.test(git)) names.set(noteName(git), 7 + git.split('/').length);
    // Other tools put the files of such folders at the root of a site.
    const [, published] = /(?:^|\/)(?:static|public)\/(.+)/.exec(git) ?? [];
    if (published !== undefined) add(published, 6);
  }
  if (path !== undefined) {
    add(path, 3);
    if (git === undefined) for (const end of ['.md', '/README.md']) add(path + end, 4);
  }
  return names;
}

function resolvePath({ git, path }: LinkSource, target: string): string {
  const joined = target.startsWith('/')
    ? target.slice(1)
    : posix.join(posix.dirname(git ?? path ?? ''), target);
  const normal = posix.normalize(joined);
  return normal.length > 1 && normal.endsWith('/') ? normal.slice(0, -1) : normal;
}

/** Decodes percent-encoding. A text with a wrong encoding is returned unchanged. */
export function decode(text: string): string {
  return decodePercent(text) ?? text;
}
