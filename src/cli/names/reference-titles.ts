import type { PathParams } from '../../contract/operation.ts';
import { valueAt } from '../../contract/paths.ts';
import { isProblem } from '../../errors/problem.ts';
import { namesById } from './names.ts';
import { isGeneratedId } from '../output/short-ids.ts';
import type { Session } from '../session/session.ts';

/** Columns with the ID of a resource that has a title (by the last word of the column), with a field that finds it by name. */
const fieldsOfColumns: Readonly<Record<string, string>> = {
  parent: 'parent',
  space: 'space',
  site: 'siteId',
  section: 'siteSectionId',
  sectionGroup: 'siteSectionGroupId',
  organization: 'organizationId',
  cluster: 'cluster',
};

/** Returns a function that replaces IDs in the columns of a list by titles. */
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
        // If the caller may not see these resources, IDs are shown.
        if (isProblem(error, 'forbidden') || isProblem(error, 'not-found')) return new Map<string, string>();
        throw error;
      });
    known.set(field, titles);
    return titles;
  };
  return async (columns, items) => {
    let named = items;
    for (const column of columns) {
      // A column can have a heading of its own: `target.site=site`.
      const [path = ''] = column.split('=');
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
