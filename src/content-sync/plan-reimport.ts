import { posix } from 'node:path';
import { namesFile } from '../content/tree.ts';
import { slugKey } from '../content/slugs.ts';
import type { PageBody } from '../resources/content/schemas.ts';
import { planImport, type ImportPlan } from './plan-import.ts';
import { listOids, type MarkdownFolder } from './read-folder.ts';
import type { SpaceContent } from './space-content.ts';

/**
 * Plans the import of a folder into a space that may have come from it. Unlike `planImport` it keeps the slugs of pages whose
 * files did not move, and of groups whose headings contain none, unless a new page needs one.
 */
export function planReimport(content: SpaceContent, folder: MarkdownFolder): ImportPlan {
  const plan = planImport(content, folder);
  const given = new Map(
    plan.pages.flatMap((change) =>
      change.operation === 'update_page' && change.slug !== undefined && change.into === undefined
        ? [[change.page, change] as const]
        : [],
    ),
  );
  if (given.size === 0) return plan;
  const there = listOids(folder);
  const inHeadings = new Set(folder.pages.map(({ type, slug }) => (type === 'group' ? slug : '')));
  const kept = new Set<string>();
  const withSlugs = (pages: readonly PageBody[]): PageBody[] =>
    pages.map((page) => {
      const change = given.get(page.id);
      const keeps =
        page.type === 'document'
          ? page.git !== undefined &&
            (!namesFile(page.git.path) || there.has(posix.join(folder.root, page.git.path)))
          : change?.title === undefined && !inHeadings.has(change?.slug ?? '');
      const slug = keeps ? change?.slug : undefined;
      if (slug !== undefined && page.slug !== undefined) kept.add(slugKey(page.slug));
      return {
        ...page,
        ...(slug === undefined ? {} : { slug }),
        ...(page.pages === undefined ? {} : { pages: withSlugs(page.pages) }),
      };
    });
  const other = planImport({ ...content, pages: withSlugs(content.pages) }, folder);
  const isTaken = other.pages.some(
    (change) => 'slug' in change && change.slug !== undefined && kept.has(slugKey(change.slug)),
  );
  return isTaken ? plan : other;
}
