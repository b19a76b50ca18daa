import { flattenPages, groupBy, listSome } from '../contract/values.ts';
import { listDeletedPages } from './deleted-pages.ts';
import type { ImportPlan } from './plan-import.ts';
import type { PageBody } from '../resources/content/schemas.ts';
import type { ContentChange } from '../content/changes.ts';
import { isPage } from '../content/tree.ts';
import { type SpaceContent } from './space-content.ts';

/** Describes a plan for a content: `3 pages changed, 1 moved, 2 new; 1 file new`. */
export function describePlan(plan: ImportPlan, current: SpaceContent): string {
  return describeChanges(plan, current, () => '');
}

/** Describes a plan with the first names: `1 page changed (start.md), 2 new (a.md, b.md)`. */
export function describeWithNames(plan: ImportPlan, current: SpaceContent): string {
  const names = namesById(current);
  return describeChanges(plan, current, (ids) => ` (${listSome(ids.map((id) => names.get(id) ?? id))})`);
}

/** Returns the names of pages and files for users, by ID: imported paths of documents and files, otherwise titles. */
export function namesById({ pages, files }: SpaceContent): ReadonlyMap<string, string> {
  const inside = (some: readonly PageBody[]): [string, string][] =>
    some.flatMap((page) => [[page.id, pageName(page)], ...inside(page.pages ?? [])]);
  return new Map([
    ...inside(pages),
    ...files.map(({ id, name, git }): [string, string] => [id, git?.path ?? name]),
  ]);
}

/** Returns the name of a new page, which has no id yet. */
export function nameOfInserted(change: ContentChange): string {
  return change.operation === 'insert_page' ? pageName(change) : '';
}

/** Returns the imported path of a document, otherwise the title, because groups and links come from the table of contents. */
function pageName({
  type = 'document',
  title = 'a page',
  git,
}: {
  type?: PageBody['type'];
  title?: string;
  git?: { readonly path: string };
}): string {
  return (type === 'document' ? git?.path : undefined) ?? title;
}

type NameList = (ids: readonly string[]) => string;

function describeChanges(plan: ImportPlan, current: SpaceContent, names: NameList): string {
  const { pages, texts, files, deletedFiles } = plan;
  const updates = pages.filter((change) => change.operation === 'update_page');
  const changed = new Set(updates.filter((change) => !isMove(change)).map(({ page }) => page));
  const moved = new Set(updates.map(({ page }) => page).filter((page) => !changed.has(page)));
  const inserted = pages.filter((change) => change.operation === 'insert_page');
  const deleted = listDeletedPages(plan, current.pages);
  const known = new Map(flattenPages(current.pages).map((page) => [page.id, page]));
  const entries = (['page', 'group', 'link'] as const).map((noun) => {
    const is = (entry: { readonly type?: PageBody['type'] } = {}): boolean =>
      noun === 'page' ? isPage(entry) : entry.type === noun;
    const own = (ids: Iterable<string>): string[] => [...ids].filter((id) => is(known.get(id)));
    const groups = { new: inserted.filter(is).map(nameOfInserted), deleted: own(deleted) };
    return phrase(noun, { changed: own(changed), moved: own(moved), ...groups }, names);
  });
  const replaced = files.filter(({ replaces }) => replaces !== undefined).map(({ file }) => file.path);
  const added = files.filter(({ replaces }) => replaces === undefined).map(({ file }) => file.path);
  return [
    ...entries,
    phrase('file', { changed: replaced, new: added, deleted: deletedFiles }, names),
    describeTexts(texts, current),
  ]
    .filter((words) => words !== '')
    .join('; ');
}

function isMove(change: ContentChange): boolean {
  return Object.keys(change).every((key) => ['operation', 'page', 'into', 'at', 'slug'].includes(key));
}

/** Names the texts that are not pages, such as the table of contents: `SUMMARY.md changed, tags.yaml new`. */
function describeTexts(changes: readonly ContentChange[], { texts }: SpaceContent): string {
  const known = new Set(texts.map(({ git }) => git.path));
  const groups = groupBy(
    changes.filter((change) => change.operation === 'put_text'),
    ({ git, text }) => (text === null ? 'deleted' : known.has(git.path) ? 'changed' : 'new'),
  );
  return [...groups]
    .map(([word, some]) => `${listSome(some.map(({ git }) => git.path).sort())} ${word}`)
    .join(', ');
}

function phrase(noun: string, groups: Readonly<Record<string, readonly string[]>>, names: NameList): string {
  const [first, ...more] = Object.entries(groups).filter(([, ids]) => ids.length > 0);
  if (first === undefined) return '';
  const plural = first[1].length === 1 ? noun : `${noun}s`;
  return [
    `${first[1].length} ${plural} ${first[0]}${names(first[1])}`,
    ...more.map(([word, ids]) => `${ids.length} ${word}${names(ids)}`),
  ].join(', ');
}
