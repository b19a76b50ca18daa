import { posix } from 'node:path';
import { suggestAnchor } from '../content/links/nearest-anchor.ts';
import { findNamed, resolveHref } from '../content/links/link-targets.ts';
import { anchorKey } from '../richtext/anchor-key.ts';
import { scanAnchors } from '../richtext/scan-anchors.ts';
import type { Warning } from './folder.ts';
import type { FolderTarget, FolderTargets } from './folder-targets.ts';
import type { MarkdownFolder } from './read-folder.ts';

/**
 * Finds links to missing anchors of existing pages in a folder. After an import, `docsctl spaces links` would report the same
 * links. `findBrokenLinks` finds links to missing pages.
 */
export function findBrokenAnchors({ root }: MarkdownFolder, targets: FolderTargets): Warning[] {
  const anchors = new Map<
    string,
    { readonly all: readonly string[]; readonly keys: ReadonlySet<string> } | undefined
  >();
  const anchorsOf = ({ id, text = '' }: FolderTarget) => {
    if (!anchors.has(id)) {
      const all = scanAnchors(text);
      anchors.set(id, all && { all, keys: new Set(all.map(anchorKey)) });
    }
    return anchors.get(id);
  };
  return targets.all.flatMap((source) =>
    source.links.flatMap(({ href, line }): Warning[] => {
      const link = resolveHref(source.id, source, href);
      if (link.kind !== 'name' || link.anchor === undefined) return [];
      const to = findNamed(link, (name) => targets.find(name));
      if (to?.id.startsWith('page:') !== true) return [];
      const known = anchorsOf(to);
      if (known?.keys.has(anchorKey(link.anchor)) !== false) return [];
      const page = to === source ? 'this page' : (to.git ?? to.path ?? 'the page');
      const suggestion = suggestAnchor(link.anchor, known.all).replace(' Did', '; did');
      return [
        {
          file: posix.join(root, source.file ?? source.git ?? ''),
          line,
          rule: 'broken-anchor',
          message: `links to ${href.slice(0, 200)}, but ${page} has no such anchor${suggestion}`,
        },
      ];
    }),
  );
}
