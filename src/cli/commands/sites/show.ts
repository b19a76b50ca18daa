import type { OutputOf } from '../../../contract/operation.ts';
import { orUndefined } from '../../../errors/problem.ts';
import { getSiteStructure, type getSite } from '../../../resources/sites/contract.ts';
import { resolveOrganization } from '../../names/names.ts';
import { drawFields } from '../../output/draw-fields.ts';
import { fieldsOf } from '../../output/record-fields.ts';
import type { Session } from '../../session/session.ts';
import { drawStructure, type StructureItem } from './structure.ts';

type Site = OutputOf<typeof getSite>;

/** Draws the fields of a site, with the tree of its sections and spaces below them. */
export async function drawSite(session: Session, site: Site): Promise<string> {
  const { terminal } = session;
  const fields = fieldsOf(site, { terminal, defaultColumns: ['urls.published=address'], headers: true });
  const text = await drawFields(terminal, fields);
  const items = await readStructure(session, site.id);
  return items === undefined ? text : `${text}\n${await drawStructure(session, site.title, items)}`;
}

/** Returns the structure of a site; undefined if the caller cannot read it. */
async function readStructure(
  session: Session,
  siteId: string,
): Promise<readonly StructureItem[] | undefined> {
  const reading = resolveOrganization(session).then((organizationId) =>
    session.call(getSiteStructure, { params: { organizationId, siteId } }),
  );
  return (await orUndefined(reading, 'forbidden', 'not-found', 'not-implemented'))?.structure;
}
