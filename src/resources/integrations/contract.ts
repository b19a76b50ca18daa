import { file, listOf, noContent, ok, operation } from '../../contract/operation.ts';
import { closed, Id, oneOf, Type, Url } from '../../contract/schema.ts';
import { Organization } from '../organizations/contract.ts';
import { Site } from '../sites/contract.ts';
import { Space } from '../spaces/contract.ts';
import {
  Block,
  Categories,
  Category,
  Configurations,
  ContentSecurityPolicy,
  ContentSource,
  Description,
  ExternalLinks,
  mapOf,
  Name,
  Scope,
  Scopes,
  Summary,
  Target,
  Title,
  Visibility,
} from './parts/contract.ts';

const presentation = {
  title: Title,
  summary: Type.Optional(Summary),
  blocks: Type.Optional(Type.Array(Block, { maxItems: 50 })),
  contentSources: Type.Optional(Type.Array(ContentSource, { maxItems: 50 })),
  configurations: Type.Optional(Configurations),
  contentSecurityPolicy: Type.Optional(ContentSecurityPolicy),
};

/** A program that organizations can install. */
export const Integration = closed({
  object: Type.Literal('integration'),
  name: Name,
  version: Type.Integer({ minimum: 1 }),
  ...presentation,
  description: Type.Optional(Description),
  previewImages: Type.Array(Type.String(), { maxItems: 3 }),
  target: Target,
  verified: Type.Boolean(),
  visibility: Visibility,
  scopes: Scopes,
  categories: Categories,
  externalLinks: ExternalLinks,
  owner: Organization,
  urls: closed({ location: Url, icon: Type.Optional(Url), app: Url, assets: Url, publicEndpoint: Url }),
  permissions: closed({ admin: Type.Boolean() }),
});

export const InstallationStatus = oneOf(['active', 'pending', 'paused']);
export const ExternalIds = Type.Array(Type.String({ maxLength: 255 }), { maxItems: 5 });
/** The configuration of an installation. */
export const Settings = mapOf<unknown>(true, { maxProperties: 100 });

const installed = {
  integration: Name,
  installation: Id,
  status: InstallationStatus,
  configuration: Settings,
  externalIds: ExternalIds,
  urls: closed({ location: Url, publicEndpoint: Url }),
};
export const InstalledOnSpace = closed({ ...installed, space: Type.Union([Id, Space]) });
export const InstalledOnSite = closed({ ...installed, site: Type.Union([Id, Site]) });

/** The query parameter that asks for whole spaces or sites in place of their ids. */
export const extended = (what: string) =>
  Type.Optional(Type.Boolean({ default: false, description: `Whole ${what} in place of ids` }));
const installedFilters = (what: string) => ({
  externalId: Type.Optional(Type.String({ maxLength: 255, description: 'Only those with this external id' })),
  extended: extended(what),
});

const columns = ['title', 'name', 'version', 'visibility', 'target'];
const Image = Type.String({
  maxLength: 1_398_104,
  pattern: '^[A-Za-z0-9+/]*={0,2}$',
  description: 'PNG, JPEG, GIF or WebP of at most 1 MiB, in base64',
});

export const listIntegrations = operation({
  id: 'integrations.list',
  route: 'GET /integrations',
  summary: 'List the integrations you can see',
  description: 'Those that are public, and those that an organization of yours publishes or has installed.',
  access: 'user.caller',
  query: {
    search: Type.Optional(
      Type.String({ maxLength: 100, description: 'Only those whose name contains this' }),
    ),
    category: Type.Optional(Category),
    blockDomain: Type.Optional(
      Type.String({
        maxLength: 100,
        pattern: '^[a-zA-Z0-9-_.]+$',
        description: 'Only those with a block for links to this domain',
      }),
    ),
    blocks: Type.Optional(Type.Boolean({ description: 'Only those with blocks, or without' })),
    contentSources: Type.Optional(
      Type.Boolean({ description: 'Only those with content sources, or without' }),
    ),
    owner: Type.Optional(Id),
    scope: Type.Optional(Scope),
    target: Type.Optional(Target),
  },
  returns: listOf(Integration),
  cli: { columns },
});

export const getIntegration = operation({
  id: 'integrations.get',
  route: 'GET /integrations/:integrationName',
  summary: 'Show an integration',
  access: 'integration.caller',
  returns: ok(Integration),
  cli: { columns },
});

export const publishIntegration = operation({
  id: 'integrations.publish',
  route: 'POST /integrations/:integrationName',
  summary: 'Publish an integration, or a new version of it',
  description:
    'Takes an administrator of the organization that publishes it. What is left out is cleared, but for secrets: those stay.',
  access: 'user.caller',
  body: closed({
    runtime: Type.Optional(oneOf(['v1', 'v2'], { default: 'v1' })),
    icon: Type.Optional(Image),
    ...presentation,
    description: Description,
    previewImages: Type.Optional(Type.Array(Image, { maxItems: 3 })),
    visibility: Type.Optional(Visibility),
    target: Type.Optional(Target),
    scopes: Scopes,
    categories: Type.Optional(Categories),
    externalLinks: Type.Optional(ExternalLinks),
    script: Type.String({
      minLength: 1,
      maxLength: 5_000_000,
      description: 'Its program, as built JavaScript',
    }),
    organization: Type.String({
      minLength: 1,
      maxLength: 255,
      description: 'Id or subdomain of the organization that publishes it',
    }),
    secrets: Type.Optional(
      mapOf<string>(Type.String({ maxLength: 8192 }), {
        maxProperties: 20,
        description: 'Kept encrypted, and never shown',
      }),
    ),
  }),
  returns: ok(Integration),
  cli: {
    columns,
    examples: ['docsctl integrations publish my-bot --body integration.yaml --script @dist/script.js'],
  },
});

export const unpublishIntegration = operation({
  id: 'integrations.unpublish',
  route: 'DELETE /integrations/:integrationName',
  summary: 'Take back an integration, wherever it is installed',
  access: 'integration.admin',
  returns: noContent(),
});

export const listIntegrationSpaces = operation({
  id: 'integrations.spaces',
  route: 'GET /integrations/:integrationName/spaces',
  summary: 'List the spaces an integration is installed on',
  description: 'All of them for who publishes it; for others those of their organizations.',
  access: 'integration.caller',
  query: installedFilters('spaces'),
  returns: listOf(InstalledOnSpace),
  cli: { columns: ['space', 'installation', 'status'] },
});

export const listIntegrationSites = operation({
  id: 'integrations.sites',
  route: 'GET /integrations/:integrationName/sites',
  summary: 'List the sites an integration is installed on',
  description: 'All of them for who publishes it; for others those of their organizations.',
  access: 'integration.caller',
  query: installedFilters('sites'),
  returns: listOf(InstalledOnSite),
  cli: { columns: ['site', 'installation', 'status'] },
});

export const enableDev = operation({
  id: 'integrations.enable-dev',
  route: 'PUT /integrations/:integrationName/dev',
  summary: 'Send the events of an integration to a tunnel while it is developed',
  access: 'integration.admin',
  body: closed({
    tunnelUrl: Type.String({ minLength: 1, maxLength: 256, format: 'uri' }),
    all: Type.Optional(
      Type.Boolean({ default: false, description: "Events of every organization, not only of the owner's" }),
    ),
  }),
  returns: noContent(),
  cli: { examples: ['docsctl integrations enable-dev my-bot --tunnel-url https://tunnel.example.com'] },
});

export const disableDev = operation({
  id: 'integrations.disable-dev',
  route: 'DELETE /integrations/:integrationName/dev',
  summary: 'Stop sending the events of an integration to a tunnel',
  access: 'integration.admin',
  returns: noContent(),
  cli: { destructive: false },
});

export const getImage = operation({
  id: 'integrations.image',
  route: 'GET /integrations/:integrationName/images/:imageId',
  summary: 'Save an image of an integration',
  description: 'What urls.icon and previewImages lead to. Not in the API document.',
  access: 'integration.caller',
  returns: file(),
});

export const renewSigningSecret = operation({
  id: 'integrations.signing-secret',
  route: 'POST /integrations/:integrationName/signing-secret',
  summary: 'Make a new secret that events of an integration are signed with, and show it once',
  description: 'The one before is good for nothing from then on. Not in the API document.',
  access: 'integration.admin',
  returns: ok(closed({ signingSecret: Type.String() })),
  secret: true,
  cli: {
    columns: ['signingSecret'],
    destructive: true,
    examples: ['docsctl integrations signing-secret my-bot --yes > signing-secret'],
  },
});
