import { Buffer } from 'node:buffer';
import type { Operation } from '../../src/contract/operation.ts';
import { runDueJobs } from '../../src/core/workers.ts';
import type { World } from '../support/world.ts';
import { outcomeOf, type Loaded } from './operations.ts';

/** IDs of the resources of one organization, by the name of the path parameter, and others for bodies. */
export type Ids = Readonly<Record<string, string>>;

/** The used fields of the answers. */
interface Made {
  readonly id: string;
  readonly users: readonly string[];
  readonly pages: readonly { readonly id: string; readonly path: string }[];
  readonly files: readonly { readonly id: string }[];
  readonly reusableContents: readonly { readonly id: string; readonly document?: string }[];
  readonly items: readonly { readonly id: string }[];
  readonly urls: { readonly icon?: string };
}

/** Creates one of each resource in an organization as its administrator, and returns the IDs. */
export async function furnish(
  world: World,
  operations: Map<string, Loaded>,
  who: 'admin' | 'outsider',
  organizationId: string,
): Promise<Ids> {
  const api = world.as(who);
  const ids: Record<string, string> = {
    organizationId,
    userId: world.user(who),
    subdomain: who === 'admin' ? 'acme' : 'other',
    emailDomain: `${organizationId.slice(4)}.example`,
  };
  const make = async (id: string, body: unknown, more: Ids = {}): Promise<Made> => {
    const { operation } = operations.get(id)!;
    const outcome = await outcomeOf(api, operation, {
      params: paramsOf(operation, { ...ids, ...more }),
      ...(body === undefined ? {} : { body }),
    });
    if (outcome.reason !== 'done') throw new Error(`${id}: ${JSON.stringify(outcome)}`);
    return outcome.answer as Made;
  };
  const Title = `Secret of ${organizationId}`;
  const space = async (): Promise<string> => (await make('spaces.create', { title: Title })).id;
  ids['secondOrganizationId'] = (await make('orgs.create', { title: 'Second' })).id;
  ids['colleagueId'] = (
    await make('members.invite', { emails: [`colleague@${organizationId.slice(4)}.example`] })
  ).users[0]!;
  ids['teamId'] = (await make('teams.create', { title: Title, members: [] })).id;
  ids['inviteId'] = (await make('invites.create', { role: 'read' })).id;
  ids['samlProviderId'] = (await make('saml.create', { label: Title, defaultTeam: ids['teamId'] })).id;
  ids['tokenId'] = (await make('tokens.create', { role: 'read', name: Title })).id;
  ids['collectionId'] = (await make('collections.create', { title: Title })).id;
  ids['otherCollectionId'] = (await make('collections.create', { title: Title })).id;
  ids['spaceId'] = await space();
  ids['freeSpaceId'] = await space();
  ids['deletedSpaceId'] = await space();
  await make('spaces.delete', undefined, { freeSpaceId: ids['deletedSpaceId'] });

  ids['changeRequestId'] = (await make('change-requests.create', { subject: Title })).id;
  const files = [
    {
      name: `${organizationId}.txt`,
      base64: Buffer.from(Title).toString('base64'),
      contentType: 'text/plain',
    },
  ];
  const content = {
    changes: [
      {
        operation: 'insert_page',
        title: Title,
        slug: `page-of-${organizationId}`,
        document: { markdown: Title },
      },
      { operation: 'insert_files', files },
      { operation: 'put_text', role: 'include', git: { path: 'includes/a.md' }, text: Title },
    ],
  };
  await make('change-requests.content.update', content);
  await make('change-requests.merge', undefined);
  const { id: revision, pages, files: made, reusableContents } = await make('spaces.content.get', undefined);
  ids['revisionId'] = revision;
  ids['pageId'] = pages[0]!.id;
  ids['pagePath'] = pages[0]!.path;
  ids['fileId'] = made[0]!.id;
  ids['reusableContentId'] = reusableContents[0]!.id;
  ids['documentId'] = reusableContents[0]!.document!;
  ids['changeRequestId'] = (await make('change-requests.create', { subject: Title })).id;
  await make('change-requests.update', { status: 'open' });
  await make('change-requests.reviewers.request', { users: [ids['userId']] });
  ids['reviewId'] = (await make('change-requests.reviews.submit', { status: 'approved' })).id;

  const body = { markdown: Title };
  ids['commentId'] = (await make('spaces.comments.create', { body })).id;
  ids['commentReplyId'] = (await make('spaces.comments.replies.create', { body })).id;
  ids['draftCommentId'] = (await make('change-requests.comments.create', { body })).id;
  ids['draftReplyId'] = (await make('change-requests.comments.replies.create', { body })).id;

  ids['siteId'] = (await make('sites.create', { title: Title, spaces: [ids['spaceId']] })).id;
  ids['siteSectionId'] = (await make('sites.sections.add', { spaceId: ids['spaceId'], title: Title })).id;
  ids['otherSectionId'] = (await make('sites.sections.add', { spaceId: await space(), title: Title })).id;
  await make('sites.adaptive-schema.update', {
    jsonSchema: { type: 'object', properties: {}, additionalProperties: false },
  });
  ids['siteSectionGroupId'] = (await make('sites.section-groups.add', { title: Title })).id;
  ids['groupedSectionId'] = (await make('sites.sections.add', { spaceId: await space(), title: Title })).id;
  await make('sites.section-groups.add-section', { sectionId: ids['groupedSectionId'] });
  const link = { title: Title, url: `https://${organizationId.slice(4)}.example/` };
  ids['siteExternalLinkId'] = (await make('sites.external-links.add', link)).id;
  ids['siteSpaceId'] = (
    await make('sites.site-spaces.add', { spaceId: await space(), sectionId: ids['siteSectionId'] })
  ).id;
  ids['shareLinkId'] = (await make('sites.share-links.create', { name: organizationId })).id;
  await make('sites.customization.override', { title: Title });
  ids['siteRedirectId'] = (
    await make('sites.redirects.create', {
      source: '/old',
      destination: { kind: 'external', url: `https://${organizationId.slice(4)}.example/` },
    })
  ).id;
  await make('orgs.update', { emailDomains: [ids['emailDomain']] });
  ids['hostname'] = `docs.${organizationId.slice(4)}.example`;
  await make('custom-hostnames.set', { hostname: ids['hostname'] });
  await make('sites.publishing-auth.regenerate', undefined);
  await make('sites.publish', undefined);
  for (const noun of ['spaces', 'collections', 'sites'])
    await make(`${noun}.permissions.set`, { role: 'admin', users: [ids['userId']], teams: [ids['teamId']] });
  ids['conversationId'] = `conversation-of-${organizationId}`;
  await make('conversations.ingest', {
    id: ids['conversationId'],
    subject: Title,
    parts: [{ type: 'message', role: 'user', body: Title }],
  });
  await runDueJobs(world.core, { kind: 'conversations', signal: new AbortController().signal });
  const found = (await make('conversations.issues.list', undefined)) as unknown as {
    items: { issue: { id: string; cluster: string } }[];
  };
  ids['issueId'] = found.items[0]!.issue.id;
  ids['clusterId'] = found.items[0]!.issue.cluster;
  const text = JSON.stringify({
    openapi: '3.0.3',
    info: { title: Title, version: '1' },
    paths: {},
    components: { schemas: { Thing: { type: 'object' } } },
  });
  ids['specSlug'] = `spec-of-${organizationId.replaceAll('_', '-')}`;
  ids['specId'] = (await make('openapi.create', { slug: ids['specSlug'], source: { text } })).id;
  await runDueJobs(world.core, { kind: 'openapi', signal: new AbortController().signal });
  ids['versionId'] = (await make('openapi.version', undefined, { versionId: 'latest' })).id;
  await make('openapi.update', { visibility: 'public' });
  await make('openapi.replace', { source: { url: 'https://spec.example/openapi.json' } });
  ids['translationId'] = (
    await make('translations.create', { source: { space: ids['spaceId'], language: 'en' }, language: 'fr' })
  ).id;
  ids['jobId'] = `translation.${ids['translationId']}`;
  await make('spaces.git-sync', {
    url: `https://git.example.com/${organizationId}/secret.git`,
    ref: 'main',
    gitInfo: { url: `https://git.example.com/${organizationId}/secret` },
  });
  const terms = { operations: [{ type: 'insert', translations: { en: Title, fr: Title } }] };
  await make('translations.glossary.update', terms);
  ids['glossaryEntryId'] = (await make('translations.glossary.list', undefined)).items[0]!.id;
  Object.assign(ids, await furnishIntegrations(make, ids));
  ids['auditEventId'] = (await make('audit.list', undefined)).items[0]!.id;
  return ids;
}

type Make = (id: string, body: unknown, more?: Ids) => Promise<Made>;

/** Creates an installed and configured integration, and another one that is not installed. */
async function furnishIntegrations(make: Make, { organizationId, spaceId }: Ids): Promise<Ids> {
  const icon = Buffer.concat([Buffer.from('89504e470d0a1a0a', 'hex'), Buffer.from(organizationId!)]).toString(
    'base64',
  );
  const program = {
    title: 'Secret',
    description: `Secret of ${organizationId}`,
    scopes: ['space:content:read'],
    script: organizationId,
    organization: organizationId,
  };
  const [integrationName, freeIntegrationName] = [
    `integration-of-${organizationId}`,
    `free-integration-of-${organizationId}`,
  ];
  const { urls } = await make(
    'integrations.publish',
    { ...program, icon, visibility: 'private' },
    { integrationName },
  );
  await make('integrations.publish', program, { integrationName: freeIntegrationName });
  const at = {
    integrationName,
    installationId: (
      await make(
        'integrations.installations.create',
        { organization: organizationId },
        { freeIntegrationName: integrationName },
      )
    ).id,
  };
  const siteId = (await make('sites.create', { title: `Secret of ${organizationId}` })).id;
  await make('integrations.installations.add-space', { space: spaceId }, at);
  await make('integrations.installations.add-site', { siteId }, at);
  await make('integrations.enable-dev', { tunnelUrl: 'https://tunnel.example' }, at);
  const { items } = await make('integrations.events.list', undefined, at);
  const freeSiteId = (await make('sites.create', { title: `Secret of ${organizationId}` })).id;
  return {
    ...at,
    freeIntegrationName,
    installedSiteId: siteId,
    freeSiteId,
    eventId: items[0]!.id,
    imageId: urls.icon!.split('/').at(-1)!,
  };
}

/** Selects the path parameters of an operation from a set of IDs. */
export function paramsOf({ id, access, paramNames }: Operation, ids: Ids): Record<string, string> {
  const names: Record<string, string> = {};
  if (id.startsWith('change-requests.'))
    Object.assign(names, { commentId: 'draftCommentId', commentReplyId: 'draftReplyId' });
  if (id === 'sites.section-groups.remove-section') names['siteSectionId'] = 'groupedSectionId';
  if (access.startsWith('deleted-space.')) names['spaceId'] = 'deletedSpaceId';
  if (id === 'integrations.installations.create') names['integrationName'] = 'freeIntegrationName';
  if (id.startsWith('integrations.installations.')) names['siteId'] = 'installedSiteId';
  // Spaces on sites and the last administrator must be kept.
  if (id === 'spaces.delete' || id === 'spaces.transfer') names['spaceId'] = 'freeSpaceId';
  if (id === 'members.delete') names['userId'] = 'colleagueId';
  return Object.fromEntries(
    paramNames.map((name) => {
      const value = ids[names[name] ?? name];
      if (value === undefined)
        throw new Error(`${id} has a path parameter that the furnished world does not know: ${name}`);
      return [name, value];
    }),
  );
}
