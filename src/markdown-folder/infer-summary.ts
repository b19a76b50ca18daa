import { posix } from 'node:path';
import type { SummaryEntry } from './summary.ts';

/** A table of contents for a folder without one: the README first, then names in order; a README stands for its folder. */
export function inferSummary(paths: ReadonlySet<string>, root: string, readme: string): SummaryEntry[] {
  const prefix = root === '' ? '' : `${root}/`;
  const inside = [...paths].filter((path) => path.startsWith(prefix) && /\.md$/i.test(path) && !path.slice(prefix.length).startsWith('.')).sort();
  const entryOf = (path: string, children: SummaryEntry[]): SummaryEntry => ({ kind: 'page', title: '', target: posix.relative(root, path), line: 0, children });
  const pagesIn = (folder: string): SummaryEntry[] => {
    const own = inside.filter((path) => posix.dirname(path) === folder && !isReadme(path));
    const folders = [
      ...new Set(
        inside
          .filter((path) => path.startsWith(under(folder)) && path.slice(under(folder).length).includes('/'))
          .map((path) => under(folder) + path.slice(under(folder).length).split('/')[0]!),
      ),
    ];
    const pages = own.map((path) => ({ path, entries: [entryOf(path, [])] }));
    const inner = folders.map((path) => {
      const first = inside.find((each) => posix.dirname(each) === path && isReadme(each));
      return { path, entries: first === undefined ? pagesIn(path) : [entryOf(first, pagesIn(path))] };
    });
    return [...pages, ...inner].sort((one, other) => (one.path < other.path ? -1 : 1)).flatMap(({ entries }) => entries);
  };
  const isReadme = (path: string) => path === readme || /^readme\.md$/i.test(posix.basename(path));
  const under = (folder: string) => (folder === '.' || folder === '' ? '' : `${folder}/`);
  const start = inside.includes(readme) ? [entryOf(readme, [])] : [];
  return [...start, ...pagesIn(root === '' ? '.' : root)];
}
