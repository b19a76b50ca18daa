import lz from 'lz-string';
import type { Operation } from '../../src/contract/operation.ts';
import type { Outgoing } from '../../src/core/outgoing.ts';
import { siteEvent } from '../resources/site-insights/support.ts';
import type { Ids } from './furnished.ts';

const text = { markdown: 'Text' };
const document = { object: 'document', data: {}, nodes: [] };
const conversation = { id: 'c-new', parts: [{ type: 'message', role: 'user', body: 'Help' }] };
/** A tunnel whose integration renders every component in the same way. */
export const sameElement: Outgoing = async ({ url }) => ({
  status: 200,
  headers: {},
  bytes: Buffer.from('{"type":"element","element":{}}'),
  url,
});

const visitors = { type: 'object', properties: {}, additionalProperties: false };

/** A computed source of pages that are generated from a specification. */
const generated = (props: object, spec: string | undefined) => ({
  type: 'builtin:openapi',
  props,
  dependencies: { spec: { ref: { kind: 'openapi', spec } } },
});

/** A valid body for each operation that takes one, with the IDs of a furnished organization. */
const bodies: Readonly<Record<string, (ids: Ids) => unknown>> = {
  'orgs.create': () => ({ title: 'New' }),
  'orgs.provision': () => ({ title: 'New', email: 'new@new.example' }),
  'orgs.update': ({ siteId }) => ({ defaultContent: { type: 'site', site: siteId } }),
  'orgs.broken-links': ({ spaceId, changeRequestId }) => ({
    spaces: [{ space: spaceId, changeRequest: changeRequestId }],
  }),
  // The URL is checked only when the link is opened.
  'users.sign-in-links': () => ({ url: 'http://localhost:8080/o/org_acme' }),
  'sites.preview-links.create': ({ spaceId, changeRequestId }) => ({
    space: spaceId,
    changeRequest: changeRequestId,
  }),
  'members.invite': () => ({ emails: ['new@new.example'], role: 'read' }),
  'members.update': () => ({ role: 'admin' }),
  'invites.create': () => ({ role: 'read' }),
  'teams.create': ({ userId }) => ({ title: 'New', members: [userId] }),
  'teams.update': () => ({ title: 'New' }),
  'teams.members.add': () => ({ role: 'owner' }),
  'teams.members.update': ({ userId }) => ({ add: [userId] }),
  'tokens.create': ({ userId }) => ({ role: 'read', user: userId }),
  'audit.keep': () => ({ days: 90 }),
  'agent-instructions.update': () => ({ instructions: document }),
  'collections.create': ({ collectionId }) => ({ title: 'New', parent: collectionId }),
  'collections.move': ({ otherCollectionId }) => ({ parent: otherCollectionId }),
  'collections.transfer': ({ secondOrganizationId }) => ({ organization: secondOrganizationId }),
  'collections.update': () => ({ title: 'New' }),
  'change-requests.create': ({ clusterId }) => ({ subject: 'New', conversationsIssuesCluster: clusterId }),
  'change-requests.update': () => ({ subject: 'New' }),
  'change-requests.comments.create': ({ pageId }) => ({ body: text, page: pageId }),
  'change-requests.comments.update': () => ({ resolved: true }),
  'change-requests.comments.replies.create': () => ({ body: text }),
  'change-requests.comments.replies.update': () => ({ body: text }),
  'change-requests.content.update': ({ pageId }) => ({
    changes: [{ operation: 'insert_page', title: 'New', document: text, into: pageId }],
  }),
  'change-requests.content.batch': ({ pageId }) => ({
    changes: [{ operation: 'delete_page', page: pageId }],
  }),
  'change-requests.content.restore': ({ revisionId }) => ({ revision: revisionId }),
  'change-requests.reviewers.request': ({ userId }) => ({ users: [userId] }),
  'change-requests.reviews.submit': () => ({ status: 'approved' }),
  'conversations.ingest': () => conversation,
  'conversations.ingest-batch': () => ({ conversations: [conversation] }),
  'conversations.clusters.update': () => ({ muted: true }),
  'integrations.enable-dev': () => ({ tunnelUrl: 'https://tunnel.example' }),
  'integrations.publish': ({ organizationId }) => ({
    title: 'New',
    description: 'New',
    scopes: [],
    script: 'x',
    organization: organizationId,
  }),
  'integrations.render': ({ spaceId }) => ({
    componentId: 'block',
    props: {},
    context: { type: 'document', spaceId },
  }),
  'integrations.tasks': () => ({ task: { type: 'refresh' } }),
  'integrations.installations.create': ({ organizationId }) => ({ organization: organizationId }),
  'integrations.installations.add-site': ({ freeSiteId }) => ({ siteId: freeSiteId }),
  'integrations.installations.add-space': ({ freeSpaceId }) => ({ space: freeSpaceId }),
  'integrations.installations.update': () => ({ externalIds: ['x'] }),
  'integrations.installations.update-site': () => ({ externalIds: ['x'] }),
  'integrations.installations.update-space': () => ({ externalIds: ['x'] }),
  'openapi.create': () => ({ slug: 'new', source: { url: 'https://spec.example/openapi.json' } }),
  'spaces.content.compute': ({ specSlug }) => ({
    source: generated({ models: true }, specSlug),
    seed: 'seed',
  }),
  'spaces.content.compute-document': ({ specSlug }) => ({
    source: generated({ doc: 'models' }, specSlug),
    seed: 'seed',
  }),
  'openapi.replace': () => ({ source: { url: 'https://spec.example/openapi.json' } }),
  'openapi.update': () => ({ visibility: 'public' }),
  'saml.create': ({ teamId }) => ({ label: 'New', defaultTeam: teamId }),
  'saml.update': ({ teamId }) => ({ label: 'New', defaultTeam: teamId }),
  'translations.create': ({ spaceId }) => ({ source: { space: spaceId, language: 'en' }, language: 'de' }),
  'translations.update': () => ({ instructions: document }),
  'spaces.create': ({ collectionId }) => ({ title: 'New', parent: collectionId }),
  'spaces.move': ({ otherCollectionId }) => ({ parent: otherCollectionId }),
  'spaces.transfer': ({ secondOrganizationId }) => ({ organization: secondOrganizationId }),
  'spaces.update': ({ userId }) => ({
    title: 'New',
    mergeRules: { type: 'rules', rules: [{ rule: 'require_specific_reviewers', users: [userId] }] },
  }),
  'spaces.git-sync': () => ({ url: 'https://git.example.com/acme/docs.git', ref: 'main' }),
  'spaces.git.connect': () => ({ url: 'https://git.example.com/acme/docs.git', ref: 'main' }),
  'spaces.git.import': () => ({ url: 'https://git.example.com/acme/docs.git', ref: 'main' }),
  'spaces.git.export': () => ({
    url: 'https://git.example.com/acme/docs.git',
    ref: 'main',
    commitMessage: 'Publish',
  }),
  'spaces.comments.create': ({ pageId }) => ({ body: text, page: pageId }),
  'spaces.comments.update': () => ({ resolved: true }),
  'spaces.comments.replies.create': () => ({ body: text }),
  'spaces.comments.replies.update': () => ({ body: text }),
  'spaces.content.apply-template': ({ freeSpaceId, changeRequestId }) => ({
    id: freeSpaceId,
    changeRequestId,
  }),
  ...Object.fromEntries(
    ['spaces', 'collections', 'sites'].flatMap((noun): [string, (ids: Ids) => unknown][] => [
      [
        `${noun}.permissions.set`,
        ({ userId, teamId }) => ({ role: 'read', users: [userId], teams: [teamId] }),
      ],
      [`${noun}.permissions.update-user`, () => ({ role: 'read' })],
      [`${noun}.permissions.update-team`, () => ({ role: 'read' })],
    ]),
  ),
  'sites.create': ({ freeSpaceId }) => ({ title: 'New', spaces: [freeSpaceId] }),
  'sites.sort': ({ siteSectionId }) => ({ item: { type: 'site-section', id: siteSectionId }, position: {} }),
  'sites.update': ({ siteSectionId }) => ({ title: 'New', defaultSiteSection: siteSectionId }),
  'sites.adaptive-schema.update': () => ({ jsonSchema: visitors }),
  'sites.section-groups.add': ({ siteSectionId }) => ({ title: 'New', sections: [siteSectionId] }),
  'sites.section-groups.add-section': ({ siteSectionId }) => ({ sectionId: siteSectionId }),
  'sites.section-groups.update': () => ({ title: 'New' }),
  'sites.sections.add': ({ freeSpaceId, siteSectionGroupId }) => ({
    spaceId: freeSpaceId,
    siteSectionGroupId,
  }),
  'sites.sections.move': ({ otherSectionId }) => ({
    position: { after: { type: 'site-section', siteSection: otherSectionId } },
  }),
  'sites.sections.update': ({ siteSpaceId }) => ({ title: 'New', defaultSiteSpace: siteSpaceId }),
  'sites.customization.replace': ({ spaceId, pageId }) => ({
    header: { links: [], primaryLink: { kind: 'page', space: spaceId, page: pageId } },
  }),
  'sites.customization.update': ({ spaceId, pageId }) => ({
    header: { primaryLink: { kind: 'page', space: spaceId, page: pageId } },
  }),
  'sites.customization.override': ({ spaceId }) => ({
    header: { primaryLink: { kind: 'space', space: spaceId } },
  }),
  'sites.redirects.create': ({ siteSectionId }) => ({
    source: '/new',
    destination: { kind: 'site-section', siteSectionId },
  }),
  'sites.redirects.update': ({ siteSpaceId }) => ({ destination: { kind: 'site-space', siteSpaceId } }),
  'sites.redirects.upsert': ({ siteSectionId }) => ({
    redirects: [{ source: '/new', destination: { kind: 'site-section', siteSectionId } }],
  }),
  'custom-hostnames.set': () => ({ hostname: 'docs.new.example' }),
  'sites.events.track': ({ siteSectionId, siteSpaceId }) => ({
    events: [siteEvent({ siteSection: siteSectionId, siteSpace: siteSpaceId })],
  }),
  'sites.events.aggregate': () => ({ range: 'last7Days' }),
  'invites.update': () => ({ role: 'comment' }),
  'users.update': () => ({ displayName: 'New' }),
  'translations.glossary.update': ({ glossaryEntryId }) => ({
    operations: [{ type: 'update', id: glossaryEntryId, translations: { en: 'new' } }],
  }),
  'sites.publishing-auth.update': () => ({ fallbackURL: 'https://example.com/login' }),
  'sites.section-groups.move': ({ siteSectionId }) => ({
    position: { after: { type: 'site-section', id: siteSectionId } },
  }),
  'sites.external-links.add': ({ siteSectionGroupId }) => ({
    title: 'New',
    url: 'https://new.example/',
    parent: siteSectionGroupId,
  }),
  'sites.external-links.update': ({ siteSectionGroupId }) => ({ parent: siteSectionGroupId }),
  'sites.share-links.create': () => ({ name: 'New' }),
  'sites.share-links.update': () => ({ active: false }),
  'sites.site-spaces.add': ({ freeSpaceId, siteSectionId }) => ({
    spaceId: freeSpaceId,
    sectionId: siteSectionId,
  }),
  'sites.site-spaces.move': () => ({ position: {} }),
  'sites.site-spaces.update': ({ freeSpaceId }) => ({ spaceId: freeSpaceId }),
};

/** Returns the body and query of a valid call of an operation. */
export function inputOf(operation: Operation, ids: Ids): { body?: unknown; query?: unknown } {
  const compressed = operation.id === 'integrations.render-compressed';
  if (compressed) {
    const request = bodies['integrations.render']?.(ids);
    return { query: { request: lz.compressToBase64(JSON.stringify(request)) } };
  }
  const body = bodies[operation.id]?.(ids);
  const needsQuery = 'query' in operation.query.properties;
  const isBodyMissing =
    body === undefined &&
    operation.body !== undefined &&
    ((operation.body['required'] as unknown[] | undefined) ?? []).length > 0;
  if (isBodyMissing) throw new Error(`no sample body for ${operation.id}`);
  return {
    ...(body === undefined ? (operation.body === undefined ? {} : { body: {} }) : { body }),
    ...(needsQuery ? { query: { query: 'secret' } } : {}),
    ...(operation.id === 'access.explain' ? { query: { space: ids['spaceId'] } } : {}),
    ...('paths' in operation.query.properties ? { query: { paths: '["robots.txt"]' } } : {}),
    ...('source' in operation.query.properties ? { query: { source: '/old' } } : {}),
  };
}
