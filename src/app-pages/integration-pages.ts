import type { OutputOf } from '../contract/operation.ts';
import { empty, markup, type Content } from '../render/markup.ts';
import { listInstallations } from '../resources/integration-installations/contract.ts';
import { getIntegration } from '../resources/integrations/contract.ts';
import { facts, outsideLink, pager, pageQuery, rows, section, timeOf } from './page-parts.ts';
import type { PageMaker } from './page-view.ts';
import { renderText } from './render-text.ts';
import { organizationTrail } from './trails.ts';

/** The page of an integration. */
export const integrationPage: PageMaker = async (context, { integrationName = '' }) => {
  const integration = await context.api.call(getIntegration, { params: { integrationName } });
  return {
    kind: 'Integration',
    title: integration.title,
    trail: [],
    body: await aboutIntegration(integration),
  };
};

/** The page of an integration that an organization has installed. */
export const installationPage: PageMaker = async (context, { organizationId = '', integrationName = '' }) => {
  const trail = await organizationTrail(context, organizationId);
  const integration = await context.api.call(getIntegration, { params: { integrationName } });
  const installations = await context.api.call(listInstallations, {
    params: { integrationName },
    query: pageQuery(context, 'installations'),
  });
  const own = installations.items.filter(({ target }) => target.organization === organizationId);
  return {
    kind: 'Integration',
    title: integration.title,
    trail,
    body: [
      await aboutIntegration(integration),
      section('Installation', [
        rows(
          own.map(({ id, status, spaces, space_selection: selection, pendingScopes, createdAt }) => ({
            title: id,
            tags: [status],
            note: [
              selection === 'all' ? 'all spaces' : `${spaces} of the spaces`,
              ', ',
              timeOf(createdAt),
              pendingScopes.length === 0 ? '' : `, not agreed to: ${pendingScopes.join(', ')}`,
            ],
          })),
          'The organization has not installed it.',
        ),
        pager(context, 'installations', installations),
      ]),
    ],
  };
};

async function aboutIntegration(integration: OutputOf<typeof getIntegration>): Promise<Content> {
  const { name, version, summary, description, owner, scopes, categories, visibility, externalLinks } =
    integration;
  return [
    facts([
      ['Name', name],
      ['Version', version],
      ['Summary', summary],
      ['Publisher', owner.title],
      ['Visibility', visibility],
      ['Categories', categories.join(', ')],
      ['May use', scopes.join(', ')],
    ]),
    description === undefined || description === ''
      ? empty
      : markup`<div class="app-article">${await renderText(description)}</div>`,
    externalLinks.length === 0
      ? empty
      : section(
          'Links',
          rows(
            externalLinks.map(({ label, url }) => ({ title: label, note: outsideLink(url) })),
            '',
          ),
        ),
  ];
}
