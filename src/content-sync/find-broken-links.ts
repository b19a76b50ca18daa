import { posix } from 'node:path';
import { resolveHref } from '../content/links/link-targets.ts';
import type { Warning } from './folder.ts';
import type { FolderTarget, FolderTargets } from './folder-targets.ts';
import type { MarkdownFolder } from './read-folder.ts';
import { isWebAddress, linkTargets, relativeLink } from './resolve-link.ts';

/**
 * Finds the links of pages that lead to nothing after an import: the same links that `docsctl spaces links` reports then.
 * Links to anchors of the same page and to addresses of a site are not checked, nor whether the web has an address.
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
  /** Says why a link leads to nothing; undefined if it leads somewhere. */
  const explain = (source: FolderTarget, href: string): string | undefined => {
    const link = resolveHref(source.id, source, href);
    if (link.kind !== 'name' || targets.find(link.name) !== undefined) return undefined;
    if (isWebAddress(href)) return 'which no site opens';
    const { git = '' } = source;
    const there = linkTargets(posix.join(root, git), href, root).find(isThere);
    if (there === undefined) {
      const meant = linkTargets(posix.join(root, addressOf(git)), href, root)
        .flatMap((path) => [
          path.replace(/\/?$/, '.md'),
          posix.join(path, 'README.md'),
          posix.join(path, 'index.md'),
        ])
        .find((path) => paths.has(path));
      return meant === undefined
        ? 'which does not exist'
        : `which does not exist, because a link starts at the folder of the file; write ${relativeLink(posix.join(root, git), meant)}`;
    }
    const inRoot = posix.relative(root, there);
    if (root === '' || targets.find(`path:${inRoot}`) === undefined) return 'which is not imported';
    return `which does not work with the root ${root}; write ${relativeLink(git, inRoot)}`;
  };
  return targets.all
    .filter(({ id }) => id.startsWith('page:'))
    .flatMap((source) =>
      source.links.flatMap(({ href, line, kind }): Warning[] => {
        // Reading the folder warned of missing includes.
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

/** A file in the folder that the address of a page would be: with some other tools, such as Hugo, links start there. */
function addressOf(git: string): string {
  return posix.join(git.replace(/\.\w+$/, ''), 'index.md');
}

/** Whether a link leads to a place that has no file, such as another space. */
function isInApp(href: string): boolean {
  return /^\/(?:spaces|o|s)\//.test(href);
}

/** Lists the folders above a file, with the folder itself as ".". */
function parentsOf(path: string): string[] {
  const above = posix.dirname(path);
  return above === '.' ? [above] : [above, ...parentsOf(above)];
}
