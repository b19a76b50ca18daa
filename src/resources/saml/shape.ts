import type { Static } from '../../contract/schema.ts';
import type { RequestContext } from '../../core/handler.ts';
import type { SamlProviderRow } from './rows.ts';
import { shapeTeam, type TeamViewer } from '../teams/shape.ts';
import type { SAMLProvider } from './contract.ts';
import { identityProviderOf, noAddress, serviceUrls } from './rules.ts';
import { teams } from '../../core/rows/teams.ts';

/** Returns a SAML provider in the form of the API. */
export async function shapeProvider(
  context: TeamViewer & Pick<RequestContext, 'url' | 'now'>,
  row: SamlProviderRow,
): Promise<Static<typeof SAMLProvider>> {
  const { tx, url, now } = context;
  const { id, label, ssoURL, entityID, certificate, defaultRole, createdAt } = row;
  // The team may have been deleted since.
  const team = row.defaultTeam === null ? undefined : await tx.get(teams, row.defaultTeam);
  return {
    object: 'saml-provider',
    id,
    label,
    ssoURL: ssoURL ?? noAddress,
    entityID: entityID ?? '',
    certificate: certificate ?? '',
    ...(team && { defaultTeam: await shapeTeam(context, team) }),
    defaultRole,
    createdAt,
    status: identityProviderOf(row, now) === undefined ? 'pending' : 'active',
    service: serviceUrls(url, id),
    urls: { location: url(`/v1/orgs/${row.organization}/saml/${id}`) },
  };
}
