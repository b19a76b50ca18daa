import type { FieldDiff } from '../manifest/kind.ts';
import type { ImportPlan } from './plan-import.ts';
import { countChanges } from './send-import.ts';
import type { PageBody } from '../resources/content/schemas.ts';
import { nameOfInserted, namesById } from './describe-plan.ts';
import type { ContentChange } from '../content/changes.ts';
import type { SpaceContent } from './space-content.ts';

/** What a space holds at one time, and what it takes to make it hold what a folder does. */
export interface ContentComparison {
  readonly plan: ImportPlan;
  readonly content: SpaceContent;
}

/** Who moved since an apply left `then`, and the names of what was changed live and an apply would take back. */
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
  // What is new now and was there then was deleted live.
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

/** What of each page and file a folder could say, by id. */
function fingerprintContent({ pages, files }: SpaceContent): ReadonlyMap<string, string> {
  const inside = (some: readonly PageBody[], parent: string): [string, string][] =>
    some.flatMap((page) => {
      const {
        id,
        type,
        title,
        emoji,
        icon,
        description,
        slug,
        hash,
        git,
        hidden,
        noIndex,
        noRobotsIndex,
        condition,
        href,
      } = page;
      const all = [
        parent,
        type,
        title,
        emoji,
        icon,
        description,
        slug,
        hash,
        git?.oid,
        hidden,
        noIndex,
        noRobotsIndex,
        condition,
        href,
      ];
      return [[id, JSON.stringify(all)], ...inside(page.pages ?? [], id)];
    });
  return new Map([
    ...inside(pages, ''),
    ...files.map(({ id, name, hash, git }): [string, string] => [id, JSON.stringify([name, hash, git?.oid])]),
  ]);
}
