import { file, listOf, noContent, ok, operation, type NounHelp } from '../../contract/operation.ts';
import { closed, Id, oneOf, optional, Type, Url } from '../../contract/schema.ts';
import { Organization } from '../organizations/contract.ts';
import { Site } from '../sites/contract.ts';
import { Space } from '../spaces/contract.ts';
import {
  Block,
  Categories,
  CategoryFilter,
  Configurations,
  ContentSecurityPolicy,
  ContentSource,
  Description,
  ExternalLinks,
  mapOf,
  Name,
  ScopeFilter,
  search,
  Scopes,
  Summary,
  Target,
  TargetFilter,
  Title,
  Visibility,
} from './parts/contract.ts';

export * from './live/contract.ts';

const presentation = {
  title: Title,
  ...optional({
    summary: Summary,
    blocks: Type.Array(Block, { maxItems: 50, description: 'blocks that writers can insert into pages' }),
    contentSources: Type.Array(ContentSource, {
      maxItems: 50,
      description: 'sources that pages can be computed from',
    }),
    configurations: Configurations,
    contentSecurityPolicy: ContentSecurityPolicy,
  }),
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
  pendingInstallations: Type.Optional(Type.Integer({ minimum: 1 })),
});

export const InstallationStatus = oneOf(['active', 'pending', 'paused']);
export const ExternalIds = Type.Array(Type.String({ maxLength: 255 }), {
  maxItems: 5,
  description: 'IDs of the installation in the service that the integration connects to',
});
/** The configuration of an installation. */
export const Settings = mapOf<unknown>(true, {
  maxProperties: 100,
  description: 'values for the settings of the integration, by name',
});

const installed = {
  integration: Name,
  installation: Id,
  status: InstallationStatus,
  configuration: Type.Optional(Settings),
  externalIds: ExternalIds,
  urls: closed({ location: Url, publicEndpoint: Url }),
};
export const InstalledOnSpace = closed({ ...installed, space: Type.Union([Id, Space]) });
export const InstalledOnSite = closed({ ...installed, site: Type.Union([Id, Site]) });

/** The query parameter that returns whole spaces or sites instead of their ids. */
export const extended = (what: string) =>
  Type.Optional(Type.Boolean({ default: false, description: `return whole ${what} instead of their IDs` }));
const installedFilters = (what: string) => ({
  externalId: Type.Optional(
    Type.String({
      maxLength: 255,
      description: `only ${what} with this value in \`externalIds\`, their IDs in the service that the integration connects to`,
    }),
  ),
  extended: extended(what),
});

/** The query parameters that filter lists of integrations. */
export const integrationFilters = {
  search,
  ...optional({
    category: CategoryFilter,
    blockDomain: Type.String({
      maxLength: 100,
      pattern: '^[a-zA-Z0-9-_.]+$',
      description: 'only integrations with a block for links to this domain',
    }),
    blocks: Type.Boolean({
      description: 'true: only integrations with blocks; false: only integrations without blocks',
    }),
    contentSources: Type.Boolean({
      description: 'true: only integrations with content sources; false: only integrations without them',
    }),
    owner: Type.String({ ...Id, description: 'only integrations that this organization publishes' }),
    scope: ScopeFilter,
    target: TargetFilter,
    verified: Type.Boolean({
      description: 'true: only integrations that the operator of the server verified; false: only others',
    }),
  }),
};

export const integrationColumns = ['title', 'name', 'version', 'visibility', 'target'];
const Image = Type.String({
  maxLength: 1_398_104,
  pattern: '^[A-Za-z0-9+/]*={0,2}$',
  description: 'PNG, JPEG, GIF, WebP or SVG image of at most 1 MiB, in base64',
});

export const nounHelp: NounHelp = {
  description: `
An integration is a program that an organization publishes and that organizations install on their spaces and sites. docsctl stores integrations and their installations, runs their scripts in a sandbox and delivers their events.

With an embedded store, \`docsctl jobs run\` delivers events; a server delivers them with its workers.

To receive events while you develop, use \`docsctl integrations dev\`.`,
  examples: [
    'docsctl integrations publish -f gitbook-manifest.yaml --script script.js',
    'docsctl integrations installations create slack --org "Acme Labs"',
    'docsctl integrations events list slack',
  ],
};

export const listIntegrations = operation({
  id: 'integrations.list',
  route: 'GET /integrations',
  summary: 'List the integrations that you can see',
  description: 'Lists the public integrations, and those that your organizations publish or have installed.',
  access: 'user.caller',
  query: integrationFilters,
  returns: listOf(Integration),
  cli: {
    columns: integrationColumns,
    examples: ['docsctl integrations list', 'docsctl integrations list --owner Acme --target space'],
  },
});

export const getIntegration = operation({
  id: 'integrations.get',
  route: 'GET /integrations/:integrationName',
  summary: 'Show an integration',
  access: 'integration.caller',
  returns: ok(Integration),
  cli: {
    columns: integrationColumns,
    examples: ['docsctl integrations get slack', 'docsctl integrations get slack -o yaml'],
  },
});

export const publishIntegration = operation({
  id: 'integrations.publish',
  route: 'POST /integrations/:integrationName',
  summary: 'Publish an integration, or a new version of it',
  description:
    'Only an administrator of the organization that publishes it can do this. Fields that are left out are cleared, except secrets, which are kept. Installations in other organizations get new scopes only after an administrator of their organization has agreed to them with `docsctl integrations installations update`. The response contains the number of these installations.',
  access: 'user.caller',
  body: closed({
    runtime: Type.Optional(
      oneOf(['v1', 'v2'], {
        default: 'v1',
        description:
          'version of the runtime. v1: a script that calls addEventListener; v2: a module that exports fetch (default: v1)',
      }),
    ),
    icon: Type.Optional(Image),
    ...presentation,
    description: Description,
    ...optional({
      previewImages: Type.Array(Image, { maxItems: 3 }),
      visibility: Visibility,
      target: Target,
    }),
    scopes: Scopes,
    categories: Type.Optional(Categories),
    externalLinks: Type.Optional(ExternalLinks),
    script: Type.String({
      minLength: 1,
      maxLength: 5_000_000,
      description: 'program of the integration, bundled into one JavaScript file',
    }),
    organization: Type.String({
      minLength: 1,
      maxLength: 255,
      description: 'organization that publishes it',
    }),
    secrets: Type.Optional(
      mapOf<string>(Type.String({ maxLength: 8192 }), {
        maxProperties: 20,
        description: 'secrets by name; they are stored encrypted and never shown',
      }),
    ),
  }),
  returns: ok(Integration),
  cli: {
    columns: integrationColumns,
    examples: ['docsctl integrations publish -f gitbook-manifest.yaml --script script.js'],
  },
});

export const unpublishIntegration = operation({
  id: 'integrations.unpublish',
  route: 'DELETE /integrations/:integrationName',
  summary: 'Delete an integration and all its installations',
  description:
    'The integration is removed from every organization, space and site that has installed it. This cannot be undone.',
  access: 'integration.admin',
  returns: noContent(),
  cli: { examples: ['docsctl integrations unpublish slack --yes'] },
});

export const listIntegrationSpaces = operation({
  id: 'integrations.spaces',
  route: 'GET /integrations/:integrationName/spaces',
  summary: 'List the spaces that an integration is installed on',
  description:
    'Administrators of the organization that publishes the integration see all of them. Others see the spaces of their own organizations.',
  access: 'integration.caller',
  query: installedFilters('spaces'),
  returns: listOf(InstalledOnSpace),
  cli: {
    columns: ['space', 'installation', 'status'],
    examples: ['docsctl integrations spaces slack'],
  },
});

export const listIntegrationSites = operation({
  id: 'integrations.sites',
  route: 'GET /integrations/:integrationName/sites',
  summary: 'List the sites that an integration is installed on',
  description:
    'Administrators of the organization that publishes the integration see all of them. Others see the sites of their own organizations.',
  access: 'integration.caller',
  query: installedFilters('sites'),
  returns: listOf(InstalledOnSite),
  cli: { columns: ['site', 'installation', 'status'], examples: ['docsctl integrations sites slack'] },
});

export const verifyIntegration = operation({
  id: 'integrations.verify',
  route: 'PUT /integrations/:integrationName/verified',
  summary: 'Mark the current version of an integration as verified',
  description:
    'Only the operator of the server can do this, after a review of the script and its scopes. The mark helps people to choose an integration, and has no other effect. A new version is not verified until the operator marks it. This operation is not in the official API of GitBook.',
  access: 'integration.caller',
  body: closed({
    verified: Type.Optional(
      Type.Boolean({ default: true, description: 'false: remove the mark (default: true)' }),
    ),
  }),
  returns: ok(Integration),
  cli: {
    columns: ['title', 'name', 'version', 'verified'],
    examples: [
      'docsctl integrations verify slack && docsctl integrations list --verified',
      'docsctl integrations verify slack --no-verified',
    ],
  },
});

export const enableDev = operation({
  id: 'integrations.enable-dev',
  route: 'PUT /integrations/:integrationName/dev',
  summary: 'Send the events of an integration to a tunnel during development',
  description:
    'A tunnel is an address that you control. It receives the events instead of the script of the integration, until you run `docsctl integrations disable-dev`. To send and watch events only while a command runs, use `docsctl integrations dev`.',
  access: 'integration.admin',
  body: closed({
    tunnelUrl: Type.String({
      minLength: 1,
      maxLength: 256,
      format: 'uri',
      description: 'address that receives the events, http or https',
    }),
    all: Type.Optional(
      Type.Boolean({
        default: false,
        description:
          'send the events of all organizations, not only those of the organization that publishes the integration',
      }),
    ),
  }),
  returns: noContent(),
  cli: { examples: ['docsctl integrations enable-dev slack --tunnel-url https://tunnel.example.com'] },
});

export const disableDev = operation({
  id: 'integrations.disable-dev',
  route: 'DELETE /integrations/:integrationName/dev',
  summary: 'Stop sending the events of an integration to a tunnel',
  description: 'Later events go to the script of the integration again.',
  access: 'integration.admin',
  returns: noContent(),
  cli: {
    destructive: false,
    examples: [
      'docsctl integrations enable-dev slack --tunnel-url https://tunnel.example.com && docsctl integrations disable-dev slack',
    ],
  },
});

export const getImage = operation({
  id: 'integrations.image',
  route: 'GET /integrations/:integrationName/images/:imageId',
  summary: 'Save an image of an integration',
  description:
    'The URLs of the icon and of the preview images end in the ID of the image. `docsctl integrations get -o json` shows these URLs in `urls.icon` and `previewImages`. They contain `/assets/`, and anyone can open them without a token. This operation is not in the official API of GitBook.',
  access: 'integration.caller',
  returns: file(),
  cli: {
    examples: [
      'docsctl integrations image fbe6cf3f0367d91943f7c41c73ae996972ad4a1407880e6673279253870c640c --integration slack -O icon.png',
    ],
  },
});

export const renewSigningSecret = operation({
  id: 'integrations.signing-secret',
  route: 'POST /integrations/:integrationName/signing-secret',
  summary: 'Replace the signing secret of an integration and show the new one once',
  description:
    'Events are signed with this secret, so that the receiver can check where they come from. The previous secret stops working immediately. This operation is not in the official API of GitBook.',
  access: 'integration.admin',
  returns: ok(closed({ signingSecret: Type.String() })),
  secret: true,
  cli: {
    columns: ['signingSecret'],
    destructive:
      'The current secret will stop working immediately. A receiver that checks signatures refuses events until it has the new secret.',
    examples: ['docsctl integrations signing-secret slack --yes --query signingSecret > signing-secret'],
  },
});
