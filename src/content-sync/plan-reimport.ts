import { posix } from 'node:path';
import type { PageBody } from '../resources/content/schemas.ts';
import { planImport, type ImportPlan } from './plan-import.ts';
import { listOids, type MarkdownFolder } from './read-folder.ts';
import type { SpaceContent } from './space-content.ts';

/**
 * Plans the import of a folder into a space that may have come from it. Unlike `planImport` it keeps the slugs of pages whose
 * files did not move, unless a new page needs one, because files do not contain slugs. Headings of groups do.
 */
export function planReimport(content: SpaceContent, folder: MarkdownFolder): ImportPlan {
  const plan = planImport(content, folder);
  const given = new Map(
    plan.pages.flatMap((change) =>
      change.operation === 'update_page' && change.slug !== undefined && change.into === undefined
        ? [[change.page, change.slug] as const]
        : [],
    ),
  );
  if (given.size === 0) return plan;
  const there = listOids(folder);
  const kept = new Set<string>();
  const withSlugs = (pages: readonly PageBody[]): PageBody[] =>
    pages.map((page) => {
      const isThere =
        page.type === 'document' &&
        page.git !== undefined &&
        there.has(posix.join(folder.root, page.git.path));
      const slug = isThere ? given.get(page.id) : undefined;
      if (slug !== undefined && page.slug !== undefined) kept.add(page.slug);
      return {
        ...page,
        ...(slug === undefined ? {} : { slug }),
        ...(page.pages === undefined ? {} : { pages: withSlugs(page.pages) }),
      };
    });
  const other = planImport({ ...content, pages: withSlugs(content.pages) }, folder);
  const isTaken = other.pages.some(
    (change) => 'slug' in change && change.slug !== undefined && kept.has(change.slug),
  );
  return isTaken ? plan : other;
}
