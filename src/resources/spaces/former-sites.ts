import { defined } from '../../contract/values.ts';
import type { ReadContext } from '../../core/handler.ts';
import { visibleTo, type Subject } from '../../core/permissions.ts';
import { sites } from '../../core/rows/sites.ts';
import type { SpaceRow } from '../../core/rows/spaces.ts';
import { siteSections } from '../site-sections/rows.ts';

/** Lists the sites that showed a space before its deletion. Leaves out deleted sites and those that the caller cannot open. */
export async function listFormerSites(
  context: Pick<ReadContext, 'tx'> & Subject,
  { formerSites = [] }: SpaceRow,
): Promise<{ id: string; title: string; section?: string | null }[]> {
  const { tx } = context;
  const isVisible = visibleTo(tx, context) ?? (() => true);
  const found = [];
  for (const { site, section } of formerSites) {
    const row = await tx.get(sites, site);
    if (row === undefined || !(await isVisible(row))) continue;
    const kept = section === null ? undefined : ((await tx.get(siteSections, section))?.id ?? null);
    found.push({ id: row.id, title: row.title, ...defined({ section: kept }) });
  }
  return found;
}
