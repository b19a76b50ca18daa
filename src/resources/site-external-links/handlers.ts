import { defined } from '../../contract/values.ts';
import type { Handler } from '../../core/handler.ts';
import { listPage } from '../../core/listing.ts';
import { changeFrom, getOwned, type ReadTransaction } from '../../core/store.ts';
import { invalid, Problem } from '../../errors/problem.ts';
import { groupOf } from '../site-section-groups/rules.ts';
import { checkSiteCondition } from '../site-structure/conditions.ts';
import { moveToGroup, positionIn } from '../site-structure/positions.ts';
import { shapeExternalLink } from '../site-structure/shape.ts';
import type * as contract from './contract.ts';
import { siteExternalLinks, type SiteExternalLinkRow } from './rows.ts';

export const listExternalLinks: Handler<typeof contract.listExternalLinks> = ({ tx, site }, { query }) =>
  listPage(tx, { table: siteExternalLinks, index: 'bySite', equals: [site.id] }, query, shapeExternalLink);

export const addExternalLink: Handler<typeof contract.addExternalLink> = async (context, { body }) => {
  const { tx, site, now, newId } = context;
  const { title, url, icon, description, condition, draft = false } = body;
  if (site.defaultSection === null)
    throw new Problem(
      'conflict',
      `The site "${site.title}" has no sections, so it cannot have external links.`,
      {
        hint: `Add a section first: \`docsctl sites sections add SPACE --site ${site.id}\``,
      },
    );
  checkAddress(url);
  await checkSiteCondition(site, condition, undefined);
  const parent = body.parent === undefined ? null : (await groupOf(tx, site.id, body.parent)).id;
  const row: SiteExternalLinkRow = defined({
    id: newId('siteln'),
    organization: site.organization,
    site: site.id,
    parent,
    title,
    url,
    draft,
    icon: icon ?? undefined,
    description: description ?? undefined,
    condition: condition ?? undefined,
    position: await positionIn(tx, { of: 'sections', site: site.id, within: parent }),
    createdAt: now,
  });
  await tx.insert(siteExternalLinks, row);
  return shapeExternalLink(row);
};

export const updateExternalLink: Handler<typeof contract.updateExternalLink> = async (
  { tx, site },
  { params, body },
) => {
  const row = await linkOf(tx, site.id, params.siteExternalLinkId);
  const { parent, ...fields } = body;
  if (fields.url !== undefined) checkAddress(fields.url);
  await checkSiteCondition(site, fields.condition, row.condition);
  const group = typeof parent === 'string' ? (await groupOf(tx, site.id, parent)).id : null;
  const place = parent === undefined ? {} : await moveToGroup(tx, row, group);
  return shapeExternalLink(await tx.update(siteExternalLinks, row.id, { ...changeFrom(fields), ...place }));
};

export const deleteExternalLink: Handler<typeof contract.deleteExternalLink> = async (
  { tx, site },
  { params },
) => {
  await tx.remove(siteExternalLinks, (await linkOf(tx, site.id, params.siteExternalLinkId)).id);
};

/** Returns an external link of a site. @throws Problem(not-found) */
function linkOf(view: ReadTransaction, site: string, id: string): Promise<SiteExternalLinkRow> {
  return getOwned(view, siteExternalLinks, id, { site }, 'external link');
}

function checkAddress(url: string): void {
  if (/^https?:\/\//i.test(url)) return;
  throw invalid(
    '/body/url',
    `"${url}" is not an http or https address.`,
    'Use an address such as https://example.com.',
  );
}
