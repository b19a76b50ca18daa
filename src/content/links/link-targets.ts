import { posix } from 'node:path';

/** What a link can lead to inside a space, and what has links: `page:ID`, `file:ID` or `reusable:ID`. */
export type LinkTargetId = string;

/** Where a link leads: out of the space, to an address of the application, or to what has a name in the space. */
export type Target =
  | { readonly kind: 'url' | 'app' }
  | { readonly kind: 'name'; readonly name: string; readonly anchor?: string };

/** What decides the names of a thing, and where its own relative links start. */
export interface LinkSource {
  /** Slugs from the root, of a page. */
  readonly path?: string;
  /** File in the folder it was imported from. */
  readonly git?: string;
}

/**
 * Where an href of a page leads. A path is a name relative to the root of the space, `path:guides/a.md`; a path that ends
 * in "/" is the folder. A page without a file is linked from as if it were the file of its own path.
 */
export function targetOf(thing: LinkTargetId, place: LinkSource, href: string): Target {
  const hash = href.indexOf('#');
  const anchor = hash === -1 || hash === href.length - 1 ? {} : { anchor: decode(href.slice(hash + 1)) };
  const path = (hash === -1 ? href : href.slice(0, hash)).replace(/\?.*$/s, '');
  if (path === '') return { kind: 'name', name: href.startsWith('#') ? thing : emptyTarget, ...anchor };
  if (/^https:\/\/app\.gitbook\.com(?:\/|$)/i.test(path) || /^\/o\/[^/]+\/(?:s|sites)\/[^/]+/.test(path))
    return { kind: 'app' };
  if (/^(?:[a-z][a-z0-9+.-]*:|\/\/)/i.test(path)) return { kind: 'url' };
  const [, kind, id] = /^\/(?:content\/)?(page|file)s\/((?:pag|fil)_\w+)$/.exec(path) ?? [];
  if (id !== undefined) return { kind: 'name', name: `${kind}:${id}`, ...anchor };
  return { kind: 'name', name: `path:${resolvePath(place, decode(path))}`, ...anchor };
}

/** An href of "" is a mistake: nothing has this name. */
const emptyTarget = 'empty:';

/** The names that a thing has, each with its rank: where two things share a name, the lower rank has it. */
export function namesOf(thing: LinkTargetId, { path, git }: LinkSource): Map<string, number> {
  const names = new Map([[thing, 0]]);
  const add = (name: string, rank: number) =>
    void (names.has(`path:${name}`) || names.set(`path:${name}`, rank));
  const isPage = thing.startsWith('page:');
  if (git !== undefined) {
    add(git, 0);
    if (isPage && /\.(?:md|markdown)$/i.test(git)) {
      add(git.replace(/\.\w+$/, ''), 1);
      if (/^readme\.\w+$/i.test(posix.basename(git))) add(posix.dirname(git), 2);
    }
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

function decode(text: string): string {
  if (!text.includes('%')) return text;
  try {
    return decodeURIComponent(text);
  } catch {
    // A `%` that encodes nothing.
    return text;
  }
}
