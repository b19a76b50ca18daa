import type { Operation } from '../contract/operation.ts';
import { isReaderOf } from '../contract/reader-of.ts';
import type { Handler } from '../core/handler.ts';
import { contentNouns } from './content/index.ts';
import { noun, type Noun } from './noun.ts';

export type { Noun };

/** All nouns of the API. */
export const nouns: readonly Noun[] = [
  noun(
    'orgs',
    'Organizations',
    () => import('./organizations/contract.ts'),
    () => import('./organizations/handlers.ts'),
  ),
  noun(
    'users',
    'Names and pictures of users',
    () => import('./users/contract.ts'),
    () => import('./users/handlers.ts'),
  ),
  noun(
    'members',
    'Members of an organization and their roles',
    () => import('./members/contract.ts'),
    () => import('./members/handlers.ts'),
  ),
  noun(
    'access',
    'What members can do, and why',
    () => import('./access/contract.ts'),
    () => import('./access/handlers.ts'),
  ),
  noun(
    'invites',
    'Links for joining an organization',
    () => import('./invites/contract.ts'),
    () => import('./invites/handlers.ts'),
  ),
  noun(
    'teams',
    'Teams of members',
    () => import('./teams/contract.ts'),
    () => import('./teams/handlers.ts'),
  ),
  noun(
    'teams members',
    'Members of a team',
    () => import('./team-members/contract.ts'),
    () => import('./team-members/handlers.ts'),
  ),
  noun(
    'tokens',
    'Access tokens for docsctl and the API',
    () => import('./tokens/contract.ts'),
    () => import('./tokens/handlers.ts'),
  ),
  noun(
    'jobs',
    'Queued work: specifications, translations, analyses, deliveries',
    () => import('./jobs/contract.ts'),
    () => import('./jobs/handlers.ts'),
  ),
  noun(
    'audit',
    'Changes in an organization: who, what, when and from where',
    () => import('./audit/contract.ts'),
    () => import('./audit/handlers.ts'),
  ),
  noun(
    'email-domains',
    'Email domains whose users can join an organization',
    () => import('./email-domains/contract.ts'),
    () => import('./email-domains/handlers.ts'),
  ),
  noun(
    'subdomains',
    'Subdomains of organizations',
    () => import('./subdomains/contract.ts'),
    () => import('./subdomains/handlers.ts'),
  ),
  noun(
    'agent-instructions',
    'Instructions for AI agents',
    () => import('./agent-instructions/contract.ts'),
    () => import('./agent-instructions/handlers.ts'),
  ),
  noun(
    'collections',
    'Collections of spaces',
    () => import('./collections/contract.ts'),
    () => import('./collections/handlers.ts'),
  ),
  noun(
    'collections permissions',
    'Roles of members and teams on a collection',
    () => import('./permissions/collection/contract.ts'),
    () => import('./permissions/handlers.ts'),
  ),
  noun(
    'change-requests',
    'Edits to a space that are reviewed and merged',
    () => import('./change-requests/contract.ts'),
    () => import('./change-requests/handlers.ts'),
  ),
  noun(
    'change-requests comments',
    'Comments on change requests',
    () => import('./comments/change-request/contract.ts'),
    () => import('./comments/handlers.ts'),
  ),
  noun(
    'change-requests comments replies',
    'Replies to comments on change requests',
    () => import('./comments/change-request-replies/contract.ts'),
    () => import('./comments/replies/handlers.ts'),
  ),
  noun(
    'change-requests reviewers',
    'Members asked to review a change request',
    () => import('./change-request-reviewers/contract.ts'),
    () => import('./change-request-reviewers/handlers.ts'),
  ),
  noun(
    'change-requests reviews',
    'Reviews of a change request',
    () => import('./change-request-reviews/contract.ts'),
    () => import('./change-request-reviews/handlers.ts'),
  ),
  noun(
    'orgs change-requests',
    'List the change requests of every space of an organization',
    () => import('./organization-change-requests/contract.ts'),
    () => import('./organization-change-requests/handlers.ts'),
    true,
  ),
  noun(
    'orgs integrations',
    'Integrations of an organization, and their status',
    () => import('./organization-integrations/contract.ts'),
    () => import('./organization-integrations/handlers.ts'),
  ),
  noun(
    'orgs installations',
    'List the installations of an organization with their integrations',
    () => import('./organization-installations/contract.ts'),
    () => import('./organization-installations/handlers.ts'),
    true,
  ),
  noun(
    'conversations',
    'Support conversations',
    () => import('./conversations/contract.ts'),
    () => import('./conversations/handlers.ts'),
  ),
  noun(
    'conversations clusters',
    'Clusters of issues with the same cause',
    () => import('./conversation-clusters/contract.ts'),
    () => import('./conversation-clusters/handlers.ts'),
  ),
  noun(
    'conversations issues',
    'Issues found in conversations',
    () => import('./conversation-issues/contract.ts'),
    () => import('./conversation-issues/handlers.ts'),
  ),
  noun(
    'integrations',
    'Integrations that organizations can install',
    () => import('./integrations/contract.ts'),
    () => import('./integrations/handlers.ts'),
  ),
  noun(
    'integrations events',
    'Events sent to an integration',
    () => import('./integration-events/contract.ts'),
    () => import('./integration-events/handlers.ts'),
  ),
  noun(
    'integrations installations',
    'Installations of an integration',
    () => import('./integration-installations/contract.ts'),
    () => import('./integration-installations/handlers.ts'),
  ),
  noun(
    'spaces integrations',
    'Integrations that work on a space',
    () => import('./space-integrations/contract.ts'),
    () => import('./space-integrations/handlers.ts'),
  ),
  noun(
    'sites integrations',
    'Integrations that work on a site',
    () => import('./site-integrations/contract.ts'),
    () => import('./site-integrations/handlers.ts'),
  ),
  noun(
    'openapi',
    'OpenAPI specifications',
    () => import('./openapi/contract.ts'),
    () => import('./openapi/handlers.ts'),
  ),
  noun(
    'saml',
    'SAML sign-in providers',
    () => import('./saml/contract.ts'),
    () => import('./saml/handlers.ts'),
  ),
  noun(
    'sso',
    'Addresses where people start single sign-on',
    () => import('./sso/contract.ts'),
    () => import('./sso/handlers.ts'),
  ),
  noun(
    'translations',
    'Translations of spaces into other languages',
    () => import('./translations/contract.ts'),
    () => import('./translations/handlers.ts'),
  ),
  noun(
    'translations glossary',
    'Terms that are translated in the same way everywhere',
    () => import('./glossary/contract.ts'),
    () => import('./glossary/handlers.ts'),
  ),
  noun(
    'search',
    'Search the pages of an organization',
    () => import('./search/contract.ts'),
    () => import('./search/handlers.ts'),
  ),
  noun(
    'spaces',
    'Spaces, which hold pages and files',
    () => import('./spaces/contract.ts'),
    () => import('./spaces/handlers.ts'),
  ),
  noun(
    'spaces permissions',
    'Roles of members and teams on a space',
    () => import('./permissions/space/contract.ts'),
    () => import('./permissions/handlers.ts'),
  ),
  noun(
    'spaces git-sync',
    '',
    () => import('./git-sync/sync/contract.ts'),
    () => import('./git-sync/sync/handlers.ts'),
  ),
  noun(
    'spaces git',
    'Synchronization of a space with a git repository',
    () => import('./git-sync/contract.ts'),
    () => import('./git-sync/handlers.ts'),
  ),
  noun(
    'spaces comments',
    'Comments on spaces',
    () => import('./comments/space/contract.ts'),
    () => import('./comments/handlers.ts'),
  ),
  noun(
    'spaces comments replies',
    'Replies to comments on spaces',
    () => import('./comments/space-replies/contract.ts'),
    () => import('./comments/replies/handlers.ts'),
  ),
  ...contentNouns,
  noun(
    'sites',
    'Published documentation sites',
    () => import('./sites/contract.ts'),
    () => import('./sites/handlers.ts'),
  ),
  noun(
    'custom-hostnames',
    'Custom hostnames of sites',
    () => import('./custom-hostnames/contract.ts'),
    () => import('./custom-hostnames/handlers.ts'),
  ),
  noun(
    'sites permissions',
    'Roles of members and teams on a site',
    () => import('./permissions/site/contract.ts'),
    () => import('./permissions/handlers.ts'),
  ),
  noun(
    'sites adaptive-schema',
    'Claims that a site knows about its visitors',
    () => import('./site-adaptive-schema/contract.ts'),
    () => import('./site-adaptive-schema/handlers.ts'),
  ),
  noun(
    'sites section-groups',
    'Groups of sections of a site',
    () => import('./site-section-groups/contract.ts'),
    () => import('./site-section-groups/handlers.ts'),
  ),
  noun(
    'sites sections',
    'Sections of a site',
    () => import('./site-sections/contract.ts'),
    () => import('./site-sections/handlers.ts'),
  ),
  noun(
    'sites external-links',
    'Links to other addresses in the navigation of a site',
    () => import('./site-external-links/contract.ts'),
    () => import('./site-external-links/handlers.ts'),
  ),
  noun(
    'sites preview-links',
    'Links that show change requests and revisions on a site',
    () => import('./site-previews/contract.ts'),
    () => import('./site-previews/handlers.ts'),
  ),
  noun(
    'sites customization',
    'Appearance of a site and of its spaces',
    () => import('./site-customization/contract.ts'),
    () => import('./site-customization/handlers.ts'),
  ),
  noun(
    'sites events',
    'What visitors do on a site, and how often',
    () => import('./site-insights/contract.ts'),
    () => import('./site-insights/handlers.ts'),
  ),
  noun(
    'sites paths',
    'What visitors of a site get at its paths',
    () => import('./site-paths/contract.ts'),
    () => import('./site-paths/handlers.ts'),
  ),
  noun(
    'sites redirects',
    'Redirects from old paths of a site',
    () => import('./site-redirects/contract.ts'),
    () => import('./site-redirects/handlers.ts'),
  ),
  noun(
    'sites share-links',
    'Secret links to a site',
    () => import('./site-share-links/contract.ts'),
    () => import('./site-share-links/handlers.ts'),
  ),
  noun(
    'sites site-spaces',
    'Spaces that a site shows',
    () => import('./site-spaces/contract.ts'),
    () => import('./site-spaces/handlers.ts'),
  ),
  noun(
    'sites publishing-auth',
    'Key that signs the visitor tokens of a site',
    () => import('./site-publishing-auth/contract.ts'),
    () => import('./site-publishing-auth/handlers.ts'),
  ),
];

/** Returns the noun of an operation: the one with the longest match of the operation's id. */
export function nounOf(id: string): Noun {
  const words = id.replaceAll('.', ' ');
  const found = nouns
    .filter((one) => words === one.words || words.startsWith(`${one.words} `))
    .sort((one, other) => other.words.length - one.words.length)[0];
  if (found === undefined) throw new Error(`no noun for operation ${id}`);
  return found;
}

/** Returns the handler of an operation. Loads only its noun. */
export async function handlerOf(operation: Operation): Promise<Handler<Operation>> {
  const { contract, handlers } = nounOf(operation.id);
  const [declared, written] = await Promise.all([contract(), handlers()]);
  const name = Object.entries(declared).find(
    ([, value]) => (value as Partial<Operation>)?.id === operation.id && 'route' in (value as object),
  )?.[0];
  const handler = name === undefined ? undefined : (written as Record<string, Handler<Operation>>)[name];
  if (handler === undefined) throw new Error(`no handler for operation ${operation.id}`);
  return handler;
}

/** Returns the GET operation at the same path that reads everything that an operation changes; undefined if there is none. */
export async function readerOf(operation: Operation): Promise<Operation | undefined> {
  const declared = Object.values(await nounOf(operation.id).contract()) as Partial<Operation>[];
  return declared.find(
    (one): one is Operation => one?.method === 'GET' && isReaderOf(one as Operation, operation),
  );
}
