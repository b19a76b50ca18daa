import { Type, type Static } from '../../contract/schema.ts';
import { Problem } from '../../errors/problem.ts';
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
  listIntegrations,
  listIntegrationSites,
  listIntegrationSpaces,
} from '../../resources/integrations/contract.ts';
import { mapConcurrent } from '../map-concurrent.ts';
import { kind, type Backend, type Located } from '../kind.ts';
import { isSecret, replaceMarks } from '../value.ts';
import { reference } from './fields.ts';

/** An installation in this organization, with the name of its integration, which calls need and its body does not have. */
type Installed = Static<typeof Installation> & { readonly integration: string };

const body = updateInstallation.body.properties;
const ids = Type.Array(reference, { maxItems: 1000 });

/** An integration as the organization uses it: its settings, and the spaces and sites it is installed on. */
export const integration = kind<Installed>({
  name: 'integration',
  slots: [{ field: 'integrations', as: 'map' }],
  nameField: 'integration',
  keys: [['integration']],
  fields: {
    integration: {
      schema: Type.String({ minLength: 1, maxLength: 100, pattern: '^[a-zA-Z0-9-_.]+$' }),
      create: 'only',
      required: true,
    },
    configuration: { schema: body.configuration, default: {}, normalize: withoutSecrets },
    externalIds: { schema: body.externalIds, default: [] },
    space_selection: { schema: body.space_selection },
    site_selection: { schema: body.site_selection },
    spaces: { schema: ids, refersTo: 'space', equals: 'set', call: 'spaces', default: [], fetch: spacesOf },
    sites: { schema: ids, refersTo: 'site', equals: 'set', call: 'sites', default: [], fetch: sitesOf },
  },
  list: listInstalled,
  create: async (backend, _, { integration: name }) => {
    const made = await backend.call(createInstallation, {
      params: { integrationName: name as string },
      body: { organization: backend.organization },
    });
    await backend.once(`integration of ${made.id}`, () => Promise.resolve(name as string));
    return { ...made, integration: name as string };
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

/** The API lists installations by integration: all integrations that can be seen are asked. */
function listInstalled(backend: Backend): Promise<readonly Installed[]> {
  return backend.once('installations', async () =>
    (
      await mapConcurrent(await backend.all(listIntegrations, {}), 4, ({ name }) =>
        installedOf(backend, name),
      )
    ).flat(),
  );
}

async function installedOf(backend: Backend, name: string): Promise<Installed[]> {
  try {
    const found = await backend.all(listInstallations, { params: { integrationName: name } });
    return found
      .filter(({ target }) => target.organization === backend.organization)
      .map((one) => ({ ...one, integration: name }));
  } catch (error) {
    // Of what others publish, a server may not say where it is installed.
    if (error instanceof Problem && (error.reason === 'forbidden' || error.reason === 'not-found')) return [];
    throw error;
  }
}

async function paramsOf(backend: Backend, { id }: Located) {
  return { integrationName: await nameOf(backend, id), installationId: id };
}

function nameOf(backend: Backend, id: string): Promise<string> {
  return backend.once(`integration of ${id}`, async () => {
    const found = (await listInstalled(backend)).find((one) => one.id === id);
    if (found === undefined)
      throw new Problem('not-found', `The installation ${id} is no longer there.`, {
        hint: 'Make a new plan.',
      });
    return found.integration;
  });
}

async function spacesOf(backend: Backend, at: Located): Promise<string[]> {
  const found = await backend.all(listIntegrationSpaces, {
    params: { integrationName: await nameOf(backend, at.id) },
  });
  return found
    .filter(({ installation }) => installation === at.id)
    .map(({ space }) => (typeof space === 'string' ? space : space.id));
}

async function sitesOf(backend: Backend, at: Located): Promise<string[]> {
  const found = await backend.all(listIntegrationSites, {
    params: { integrationName: await nameOf(backend, at.id) },
  });
  return found
    .filter(({ installation }) => installation === at.id)
    .map(({ site }) => (typeof site === 'string' ? site : site.id));
}

/** What is to be added to a list, and what is to be taken off it. */
function difference(wanted: unknown, live: readonly string[]): { added: string[]; removed: string[] } {
  const list = wanted as readonly string[];
  return {
    added: list.filter((one) => !live.includes(one)),
    removed: live.filter((one) => !list.includes(one)),
  };
}

function withoutSecrets(value: unknown, _: unknown, fault: (message: string) => void): unknown {
  return replaceMarks(value, (mark) => {
    if (isSecret(mark))
      fault('a secret is not taken here: the configuration of an installation is shown to readers');
    return mark;
  });
}
