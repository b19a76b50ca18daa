import { Type, type Static } from '../../contract/schema.ts';
import { orUndefined, Problem } from '../../errors/problem.ts';
import {
  createInstallation,
  deleteInstallation,
  installOnSite,
  installOnSpace,
  listInstallations,
  removeFromSite,
  removeFromSpace,
  updateInstallation,
  type Installation,
} from '../../resources/integration-installations/contract.ts';
import {
  getIntegration,
  listIntegrations,
  listIntegrationSites,
  listIntegrationSpaces,
} from '../../resources/integrations/contract.ts';
import { mapConcurrent } from '../map-concurrent.ts';
import { kind, notReadable, type Backend, type Located } from '../kind.ts';
import { reference } from './fields.ts';

/** An installation in this organization with the name of its integration, which calls need and the body does not contain. */
type Installed = Static<typeof Installation> & { readonly integration: string };

const body = updateInstallation.body.properties;
const selection = (schema: typeof body.space_selection): typeof body.space_selection => ({
  ...schema,
  description: schema.description?.replace('all:', 'all (default):') ?? '',
});

/** An integration that the organization uses: its settings, and the spaces and sites it is installed on. */
export const integration = kind<Installed>({
  name: 'integration',
  description: 'An integration as the organization uses it: its settings, and where it is installed.',
  example: `
spaces:
  guide: { title: Guide }
integrations:
  slack:
    configuration: { channel: docs }
    space_selection: selected
    spaces: [!ref space.guide]
`,
  slots: [{ field: 'integrations', as: 'map' }],
  nameField: 'integration',
  keys: [['integration']],
  fields: {
    integration: {
      schema: Type.String({
        minLength: 1,
        maxLength: 100,
        pattern: '^[a-zA-Z0-9-_.]+$',
        description: 'name of the integration (default: the name of the block)',
      }),
      create: 'only',
      required: true,
    },
    configuration: {
      schema: body.configuration,
      default: {},
      read: ({ configuration }) => configuration ?? notReadable,
    },
    externalIds: { schema: body.externalIds, default: [] },
    space_selection: { schema: selection(body.space_selection) },
    site_selection: { schema: selection(body.site_selection) },
    spaces: {
      schema: Type.Array(reference('a space'), {
        maxItems: 1000,
        description: 'all spaces that it is installed on',
      }),
      refersTo: 'space',
      equals: 'set',
      call: 'spaces',
      default: [],
      fetch: spacesOf,
    },
    sites: {
      schema: Type.Array(reference('a site'), {
        maxItems: 1000,
        description: 'all sites that it is installed on',
      }),
      refersTo: 'site',
      equals: 'set',
      call: 'sites',
      default: [],
      fetch: sitesOf,
    },
  },
  findObstacle: async (backend, { integration: integrationName }) => {
    const params = { integrationName: String(integrationName) };
    const found = await orUndefined(backend.call(getIntegration, { params }), 'not-found');
    if (found !== undefined) return undefined;
    return `there is no integration "${params.integrationName}" that you can see; to see the integrations, run \`docsctl integrations list\``;
  },
  list: listInstalled,
  create: async (backend, _, fields) => {
    const integrationName = String(fields['integration']);
    const made = await backend.call(createInstallation, {
      params: { integrationName },
      body: { organization: backend.organization },
    });
    await backend.once(nameKey(made.id), () => Promise.resolve(integrationName));
    return { ...made, integration: integrationName };
  },
  calls: {
    update: {
      send: async (backend, at, fields) =>
        void (await backend.call(updateInstallation, { params: await paramsOf(backend, at), body: fields })),
    },
    spaces: {
      send: async (backend, at, { spaces }) => {
        const params = await paramsOf(backend, at);
        const { added, removed } = difference(spaces, await spacesOf(backend, at));
        for (const spaceId of removed)
          await backend.call(removeFromSpace, { params: { ...params, spaceId } });
        for (const space of added) await backend.call(installOnSpace, { params, body: { space } });
      },
    },
    sites: {
      send: async (backend, at, { sites }) => {
        const params = await paramsOf(backend, at);
        const { added, removed } = difference(sites, await sitesOf(backend, at));
        for (const siteId of removed) await backend.call(removeFromSite, { params: { ...params, siteId } });
        for (const siteId of added) await backend.call(installOnSite, { params, body: { siteId } });
      },
    },
  },
  remove: async (backend, at) => backend.call(deleteInstallation, { params: await paramsOf(backend, at) }),
});

/** Lists the installations of all visible integrations. The API lists them by integration. */
function listInstalled(backend: Backend): Promise<readonly Installed[]> {
  return backend.once('installations', async () => {
    const integrations = await backend.all(listIntegrations, {});
    const found = await mapConcurrent(integrations, 4, ({ name }) => installedOf(backend, name));
    return found.flat();
  });
}

async function installedOf(backend: Backend, integrationName: string): Promise<Installed[]> {
  const listed = backend.all(listInstallations, { params: { integrationName } });
  // A server may refuse to list the installations of another publisher's integration.
  const found = (await orUndefined(listed, 'forbidden', 'not-found')) ?? [];
  return found.flatMap((one) =>
    one.target.organization === backend.organization ? { ...one, integration: integrationName } : [],
  );
}

async function paramsOf(backend: Backend, { id }: Located) {
  const integrationName = await backend.once(nameKey(id), async () => {
    const found = (await listInstalled(backend)).find((one) => one.id === id);
    if (found !== undefined) return found.integration;
    const hint = 'Make a new plan with `docsctl plan --out FILE`.';
    throw new Problem('not-found', `The installation ${id} no longer exists.`, { hint });
  });
  return { integrationName, installationId: id };
}

function nameKey(id: string): string {
  return `integration of ${id}`;
}

async function spacesOf(backend: Backend, at: Located): Promise<string[]> {
  const { integrationName, installationId } = await paramsOf(backend, at);
  const found = await backend.all(listIntegrationSpaces, { params: { integrationName } });
  return found.flatMap(({ installation, space }) =>
    installation !== installationId ? [] : typeof space === 'string' ? space : space.id,
  );
}

async function sitesOf(backend: Backend, at: Located): Promise<string[]> {
  const { integrationName, installationId } = await paramsOf(backend, at);
  const found = await backend.all(listIntegrationSites, { params: { integrationName } });
  return found.flatMap(({ installation, site }) =>
    installation !== installationId ? [] : typeof site === 'string' ? site : site.id,
  );
}

function difference(wanted: unknown, live: readonly string[]) {
  const list = wanted as readonly string[];
  return {
    added: list.filter((id) => !live.includes(id)),
    removed: live.filter((id) => !list.includes(id)),
  };
}
