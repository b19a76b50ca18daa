import type { OutputOf } from '../../contract/operation.ts';
import { defined } from '../../contract/values.ts';
import type { ReadContext } from '../../core/handler.ts';
import { visibleTo, type Subject } from '../../core/permissions.ts';
import { sites } from '../../core/rows/sites.ts';
import type { SpaceRow } from '../../core/rows/spaces.ts';
import { siteSectionGroups } from '../site-section-groups/rows.ts';
import { siteSections } from '../site-sections/rows.ts';
import type { restoreSpace } from './contract.ts';

/** Lists the sites that showed a space before its deletion. Leaves out deleted sites and those that the caller cannot open. */
export async function listFormerSites(
  context: Pick<ReadContext, 'tx'> & Subject,
  { formerSites = [] }: SpaceRow,
): Promise<NonNullable<OutputOf<typeof restoreSpace>['formerSites']>> {
  const { tx } = context;
  const isVisible = visibleTo(tx, context) ?? (() => true);
  const found = [];
  for (const { site, section, title, group } of formerSites) {
    const row = await tx.get(sites, site);
    if (row === undefined || !(await isVisible(row))) continue;
    const kept = section === null ? undefined : ((await tx.get(siteSections, section))?.id ?? null);
    const isGone = kept === null;
    const sectionTitle = isGone ? title : undefined;
    const isGroup = isGone && group != null && (await tx.get(siteSectionGroups, group)) !== undefined;
    const sectionGroup = isGroup ? group : undefined;
    found.push({ id: row.id, title: row.title, ...defined({ section: kept, sectionTitle, sectionGroup }) });
  }
  return found;
}
