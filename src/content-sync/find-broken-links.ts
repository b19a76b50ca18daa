import { posix } from 'node:path';
import { findNamed, resolveHref } from '../content/links/link-targets.ts';
import { guessLinks } from '../content/links/nearest-target.ts';
import type { Warning } from './folder.ts';
import type { FolderTarget, FolderTargets } from './folder-targets.ts';
import type { MarkdownFolder } from './read-folder.ts';
import { isWebAddress, linkTargets, relativeLink } from './resolve-link.ts';

/**
 * Finds the links of pages that would be broken after an import. `docsctl spaces links` would then report the same links. Links
 * to anchors of the same page and to URLs are not checked.
 * @param paths all files of the folder
 */
export function findBrokenLinks(
  { root }: MarkdownFolder,
  targets: FolderTargets,
  paths: ReadonlySet<string>,
): Warning[] {
  const folders = new Set([...paths].flatMap(parentsOf));
  const isThere = (path: string): boolean => {
    const bare = path.replace(/\/$/, '');
    return paths.has(bare) || paths.has(`${bare}.md`) || folders.has(bare);
  };
  /** Returns why a link is broken; undefined if it is not. */
  const explain = (source: FolderTarget, href: string): string | undefined => {
    const link = resolveHref(source.id, source, href);
    if (link.kind !== 'name' || findNamed(link, (name) => targets.find(name)) !== undefined) return undefined;
    if (isWebAddress(href)) return 'which no site opens';
    const { git = '' } = source;
    const there = linkTargets(posix.join(root, git), href, root).find(isThere);
    if (there === undefined) {
      const meant = [...guessLinks(source, href)].find(({ name }) => targets.find(name) !== undefined);
      return `which does not exist${meant === undefined ? '' : `; did you mean ${meant.href}?`}`;
    }
    const inRoot = posix.relative(root, there);
    if (root === '' || targets.find(`path:${inRoot}`) === undefined) return 'which is not imported';
    return `which does not work with the root ${root}; write ${relativeLink(git, inRoot)}`;
  };
  return targets.all
    .filter(({ id }) => id.startsWith('page:'))
    .flatMap((source) =>
      source.links.flatMap(({ href, line, kind }): Warning[] => {
        // Missing includes were already reported when the folder was read.
        if (kind === 'include') return [];
        if (/^[?#]|^$/.test(href) || isInApp(href)) return [];
        const reason = explain(source, href);
        if (reason === undefined) return [];
        const file = posix.join(root, source.file ?? source.git ?? '');
        const message = `links to ${href.slice(0, 200)}, ${reason}`;
        return [{ file, line: source.above + line, rule: 'broken-link', message }];
      }),
    );
}

/** Whether a link leads to something that has no file, such as another space. */
function isInApp(href: string): boolean {
  return /^\/(?:spaces|o|s)\//.test(href);
}

/** Returns the folders above a file, including the root as ".". */
function parentsOf(path: string): string[] {
  const above = posix.dirname(path);
  return above === '.' ? [above] : [above, ...parentsOf(above)];
}
