import { posix } from 'node:path';
import { defined } from '../contract/values.ts';
import { namesFile } from '../content/tree.ts';
import { slugKey } from '../content/slugs.ts';
import type { ContentChange } from '../content/changes.ts';
import type { PageBody } from '../resources/content/schemas.ts';
import { planImport, type ImportPlan } from './plan-import.ts';
import { listOids, type MarkdownFolder } from './read-folder.ts';
import type { SpaceContent } from './space-content.ts';

/**
 * Plans the import of a folder into a space that may have been exported to it. Unlike `planImport`, it keeps the slugs of pages
 * whose files did not move, and of groups whose headings contain none, unless a new page needs the slug.
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
  const places = new Map<string, { readonly parent: string | null; readonly slug: string | undefined }>();
  const withSlugs = (pages: readonly PageBody[], parent: string | null = null): PageBody[] =>
    pages.map((page) => {
      places.set(page.id, { parent, slug: page.slug });
      const change = given.get(page.id);
      const keeps =
        page.type === 'document'
          ? page.git !== undefined &&
            (!namesFile(page.git.path) || there.has(posix.join(folder.root, page.git.path)))
          : change?.title === undefined && !inHeadings.has(change?.slug ?? '');
      const slug = keeps ? change?.slug : undefined;
      if (slug !== undefined && page.slug !== undefined) kept.add(keyOf(parent, page.slug));
      return {
        ...page,
        ...defined({ slug }),
        ...(page.pages === undefined ? {} : { pages: withSlugs(page.pages, page.id) }),
      };
    });
  const other = planImport({ ...content, pages: withSlugs(content.pages) }, folder);
  return other.pages.some((change) => kept.has(takenBy(change, places))) ? plan : other;
}

function keyOf(parent: string | null, slug: string): string {
  return `${parent ?? ''} ${slugKey(slug)}`;
}

/** Returns the slug that a change sets, or that a page takes to another parent; '' for none. */
function takenBy(
  change: ContentChange,
  places: ReadonlyMap<string, { readonly parent: string | null; readonly slug: string | undefined }>,
): string {
  if (change.operation !== 'update_page' && change.operation !== 'insert_page') return '';
  const place = change.operation === 'update_page' ? places.get(change.page) : undefined;
  const { into = place?.parent ?? null, slug = change.into === undefined ? undefined : place?.slug } = change;
  return slug === undefined ? '' : keyOf(into, slug);
}
