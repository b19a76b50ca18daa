import { contentRole, seesAll, type Subject } from '../../core/permissions.ts';
import type { SiteSpaceRow } from '../../core/rows/site-spaces.ts';
import { spaces } from '../../core/rows/spaces.ts';
import type { ReadTransaction } from '../../core/store.ts';

/** Whether the caller can open the space of a site space. Lists leave out other site spaces. */
export async function isVisibleSpace(
  context: Subject & { tx: ReadTransaction },
  row: SiteSpaceRow,
): Promise<boolean> {
  if (seesAll(context)) return true;
  const space = await context.tx.get(spaces, row.space);
  return space !== undefined && (await contentRole(context.tx, context, space)) !== null;
}
