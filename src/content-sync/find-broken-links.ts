import { posix } from 'node:path';
import { joinOr } from '../contract/values.ts';
import { findNamed, resolveHref } from '../content/links/link-targets.ts';
import { guessLinks } from '../content/links/nearest-target.ts';
import type { Warning } from './folder.ts';
import type { FolderTarget, FolderTargets } from './folder-targets.ts';
import type { MarkdownFolder } from './read-folder.ts';
import { isWebAddress, linkTargets, relativeLink } from './resolve-link.ts';

/**
 * Finds the links of pages that would be broken after an import, and those that can lead to several files. `docsctl spaces links`
 * would then report the same broken links. Links to anchors of the same page and to URLs are not checked.
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
  /** Returns the files that a link of Obsidian without a folder leads to. */
  const notesOf = (source: FolderTarget, href: string): readonly FolderTarget[] => {
    const link = href.startsWith('[[') ? resolveHref(source.id, source, href) : undefined;
    const name =
      link?.kind === 'name' && findNamed(link, (one) => (targets.find(one) === undefined ? undefined : one));
    return typeof name === 'string' && name.startsWith('note:') ? targets.findAll(name) : [];
  };
  return targets.all
    .filter(({ id }) => id.startsWith('page:'))
    .flatMap((source) =>
      source.links.flatMap(({ href, line, kind }): Warning[] => {
        // Missing includes were already reported when the folder was read.
        if (kind === 'include') return [];
        if (/^[?#]|^$/.test(href) || isInApp(href)) return [];
        const file = posix.join(root, source.file ?? source.git ?? '');
        const notes = notesOf(source, href);
        if (notes.length > 1) {
          const names = joinOr(notes.map(({ git = '' }) => posix.join(root, git)));
          const message = `links to ${href.slice(0, 200)}, which can be ${names}; add the folder to the link`;
          return [{ file, line, rule: 'ambiguous-link', message }];
        }
        const reason = explain(source, href);
        if (reason === undefined) return [];
        const message = `links to ${href.slice(0, 200)}, ${reason}`;
        return [{ file, line, rule: 'broken-link', message }];
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
