import type { PathParams } from '../../contract/operation.ts';
import { valueAt } from '../../contract/paths.ts';
import { isProblem } from '../../errors/problem.ts';
import { namesById } from './names.ts';
import { isGeneratedId } from '../output/short-ids.ts';
import type { Session } from '../session/session.ts';

/** The last words of columns that hold the ID of something with a title, and the fields that name() finds it by. */
const fieldsOfColumns: Readonly<Record<string, string>> = {
  parent: 'parent',
  space: 'space',
  site: 'siteId',
  section: 'siteSectionId',
  sectionGroup: 'siteSectionGroupId',
  organization: 'organizationId',
  cluster: 'cluster',
};

/** Names what a list refers to: gives a function that puts titles in the place of IDs in its columns. */
export function createReferenceTitles(
  session: Session,
  operationId: string,
  params: PathParams,
): (columns: readonly string[], items: readonly object[]) => Promise<readonly object[]> {
  const known = new Map<string, Promise<ReadonlyMap<string, string>>>();
  const titlesOf = (field: string) => {
    const titles =
      known.get(field) ??
      namesById(session, field, params, operationId).catch((error: unknown) => {
        // A caller may see a list but not the resources that it refers to. Then IDs are shown.
        if (isProblem(error, 'forbidden') || isProblem(error, 'not-found')) return new Map<string, string>();
        throw error;
      });
    known.set(field, titles);
    return titles;
  };
  return async (columns, items) => {
    let named = items;
    for (const path of columns) {
      const field = fieldsOfColumns[path.replace(/^.*\./s, '')];
      if (field === undefined || !named.some((item) => isGeneratedId(String(valueAt(item, path))))) continue;
      const titles = await titlesOf(field);
      named = named.map((item) => {
        const title = titles.get(String(valueAt(item, path)));
        return title === undefined || title === '' ? item : { ...item, [path]: title };
      });
    }
    return named;
  };
}
