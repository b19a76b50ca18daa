import { posix } from 'node:path';
import { readPageText } from '../richtext/front-matter.ts';
import { scanLinks } from '../richtext/scan-links.ts';
import type { Warning } from './folder.ts';
import { countLines, type FolderPage } from './page-reader.ts';
import type { MarkdownFolder } from './read-folder.ts';
import { isWebAddress, linkTargets } from './resolve-link.ts';

/**
 * Finds the links of pages that lead to no file of their folder. Links to the web, to anchors of the same page and to
 * addresses of a site are not checked.
 * @param paths all files of the folder
 */
export function findBrokenLinks(
  { root, pages }: Pick<MarkdownFolder, 'root' | 'pages'>,
  paths: ReadonlySet<string>,
): Warning[] {
  const folders = new Set([...paths].flatMap(parentsOf));
  const isThere = (path: string): boolean => {
    const bare = path.replace(/\/$/, '');
    return paths.has(bare) || paths.has(`${bare}.md`) || folders.has(bare);
  };
  const check = ({ type, path, markdown, children }: FolderPage): Warning[] => {
    const below = children.flatMap(check);
    if (type !== 'document') return below;
    const file = posix.join(root, path);
    const { body } = readPageText(markdown);
    const above = countLines(markdown.slice(0, markdown.length - body.length));
    const own = scanLinks(body).flatMap(({ href, line, kind }): Warning[] => {
      // Reading the folder warned of missing includes.
      if (kind === 'include') return [];
      if (/^[?#]|^$/.test(href) || isWebAddress(href) || isInApp(href)) return [];
      if (linkTargets(file, href, root).some(isThere)) return [];
      const message = `links to ${href.slice(0, 200)}, which does not exist`;
      return [{ file, line: above + line, rule: 'broken-link', message }];
    });
    return [...own, ...below];
  };
  return pages.flatMap(check);
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
