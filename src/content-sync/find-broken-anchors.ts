import { posix } from 'node:path';
import { suggestAnchor } from '../content/links/nearest-anchor.ts';
import { namesOf, resolveHref, type LinkSource } from '../content/links/link-targets.ts';
import { readPageText } from '../richtext/front-matter.ts';
import { scanAnchors } from '../richtext/scan-anchors.ts';
import { scanLinks } from '../richtext/scan-links.ts';
import type { Warning } from './folder.ts';
import { countLines, type FolderPage } from './page-reader.ts';
import type { MarkdownFolder } from './read-folder.ts';
import { SlugSet } from './slug-set.ts';

/** A page, file or included text as the index of links will know it after an import. */
interface Target extends LinkSource {
  /** As in the index: `page:`, `file:` or `reusable:`, and a number. */
  readonly id: string;
  /** Without front matter; undefined for files. */
  readonly text?: string;
  /** Lines of front matter. */
  readonly above: number;
}

/**
 * Finds the links of a folder that lead to a page without their anchor: the same links that `docsctl spaces links` reports
 * after an import. Links that lead to no page are left to `findBrokenLinks`.
 */
export function findBrokenAnchors(folder: MarkdownFolder): Warning[] {
  const targets = [...listTargets(folder)];
  const byId = new Map(targets.map((target) => [target.id, target]));
  const winners = new Map<string, readonly [rank: number, target: Target]>();
  for (const target of targets)
    for (const [name, rank] of namesOf(target.id, target))
      if (rank < (winners.get(name)?.[0] ?? Infinity)) winners.set(name, [rank, target]);
  const anchors = new Map<string, readonly string[] | undefined>();
  const anchorsOf = ({ id, text = '' }: Target) => {
    if (!anchors.has(id)) anchors.set(id, scanAnchors(text));
    return anchors.get(id);
  };
  return targets.flatMap((source) =>
    scanLinks(source.text ?? '').flatMap(({ href, line }): Warning[] => {
      const link = resolveHref(source.id, source, href);
      if (link.kind !== 'name' || link.anchor === undefined) return [];
      const to = byId.get(link.name) ?? winners.get(link.name)?.[1];
      if (to?.id.startsWith('page:') !== true) return [];
      const known = anchorsOf(to);
      if (known?.includes(link.anchor) !== false) return [];
      const page = to === source ? 'this page' : (to.git ?? to.path ?? 'the page');
      const suggestion = suggestAnchor(link.anchor, known).replace(' Did', '; did');
      return [
        {
          file: posix.join(folder.root, source.git ?? ''),
          line: source.above + line,
          rule: 'broken-anchor',
          message: `links to ${href.slice(0, 200)}, but ${page} has no such anchor${suggestion}`,
        },
      ];
    }),
  );
}

/** Lists what links can lead to. */
function* listTargets({ root, pages, files, texts }: MarkdownFolder): Generator<Target> {
  let number = 0;
  function* below(siblings: readonly FolderPage[], parent: string): Generator<Target> {
    const slugs = new SlugSet([]);
    for (const page of siblings) {
      const path = posix.join(parent, slugs.take(page));
      const id = `page:${++number}`;
      if (page.type === 'document') {
        const { body } = readPageText(page.markdown);
        const above = countLines(page.markdown.slice(0, page.markdown.length - body.length));
        yield { id, path, git: page.path, text: body, above };
      } else if (page.type === 'group') yield { id, path, above: 0 };
      yield* below(page.children, path);
    }
  }
  yield* below(pages, '');
  for (const { path } of files) yield { id: `file:${++number}`, git: path, above: 0 };
  for (const { role, file, text } of texts)
    if (role === 'include')
      yield { id: `reusable:${++number}`, git: posix.relative(root, file), text, above: 0 };
}
