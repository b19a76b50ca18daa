import type { FieldDiff } from '../manifest/kind.ts';
import { comparedFields } from './page-text.ts';
import type { ImportPlan } from './plan-import.ts';
import { countChanges } from './send-import.ts';
import type { PageBody } from '../resources/content/schemas.ts';
import { nameOfInserted, namesById } from './describe-plan.ts';
import type { ContentChange } from '../content/changes.ts';
import type { SpaceContent } from './space-content.ts';

/** The content of a space at one time, and the plan that would change it to the content of a folder. */
export interface ContentComparison {
  readonly plan: ImportPlan;
  readonly content: SpaceContent;
}

/**
 * Compares a space with its state after the last apply. `moved` is the side that has changed since, and `undone` has the
 * names of the live changes that the next apply would overwrite.
 */
export function compareSince(
  then: ContentComparison,
  now: ContentComparison,
): { readonly moved: NonNullable<FieldDiff['moved']>; readonly undone: readonly string[] } {
  const undone = findLiveChanges(then, now);
  const isFile = countChanges(then.plan) > 0;
  return { moved: undone.length === 0 ? 'file' : isFile ? 'both' : 'live', undone };
}

function findLiveChanges(then: ContentComparison, now: ContentComparison): string[] {
  const [before, after] = [fingerprintContent(then.content), fingerprintContent(now.content)];
  const names = new Map([...namesById(then.content), ...namesById(now.content)]);
  const { pages, files, deletedFiles, texts } = now.plan;
  const touched = new Set([
    ...pages.flatMap((change) => ('page' in change && typeof change.page === 'string' ? [change.page] : [])),
    ...files.flatMap(({ replaces }) => (replaces === undefined ? [] : [replaces])),
    ...deletedFiles,
  ]);
  const edited = [...touched]
    .filter((id) => before.get(id) !== after.get(id))
    .map((id) => names.get(id) ?? id);
  // If only the current plan inserts a page, the page was deleted in the space.
  const wasNew = new Set(namesOfNew(then.plan));
  const deleted = namesOfNew(now.plan).filter((name) => !wasNew.has(name));
  const wasText = new Set(then.plan.texts.map(textPath));
  return [...new Set([...edited, ...deleted, ...texts.map(textPath).filter((path) => !wasText.has(path))])];
}

function namesOfNew({ pages, files }: ImportPlan): string[] {
  const inserted = pages.filter(({ operation }) => operation === 'insert_page').map(nameOfInserted);
  return [
    ...inserted,
    ...files.filter(({ replaces }) => replaces === undefined).map(({ file }) => file.path),
  ];
}

function textPath(change: ContentChange): string {
  return change.operation === 'put_text' ? (change.git?.path ?? change.role) : '';
}

/** Returns a fingerprint of each page and file, by ID. It covers everything that a folder can set. */
function fingerprintContent({ pages, files }: SpaceContent): ReadonlyMap<string, string> {
  const visit = (children: readonly PageBody[], parent: string): [string, string][] =>
    children.flatMap((page) => {
      const values = [parent, page.hash, page.git?.oid, ...comparedFields.map((name) => page[name])];
      return [[page.id, JSON.stringify(values)], ...visit(page.pages ?? [], page.id)];
    });
  return new Map([
    ...visit(pages, ''),
    ...files.map(({ id, name, hash, git }): [string, string] => [id, JSON.stringify([name, hash, git?.oid])]),
  ]);
}
