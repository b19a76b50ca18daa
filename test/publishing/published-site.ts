import type { Core } from '../../src/core/embedded.ts';
import { createChangeRequest, mergeChangeRequest } from '../../src/resources/change-requests/contract.ts';
import { batchContent } from '../../src/resources/content/change-request/contract.ts';
import { createSite, publishSite, updateSite } from '../../src/resources/sites/contract.ts';
import { addSiteSpace } from '../../src/resources/site-spaces/contract.ts';
import { createSpace } from '../../src/resources/spaces/contract.ts';
import { createSitesServer, type SitesServer } from '../../src/server/sites-app.ts';
import { callsIn } from '../resources/calls.ts';
import { createWorld, type World } from '../support/world.ts';

/** A page of a test: its text, and what is said about it. */
export interface TestPage {
  readonly title: string;
  readonly text: string;
  readonly [field: string]: unknown;
}

/** A world with a published site, and readers of it. */
export interface PublishedSite {
  readonly world: World;
  /** What the server answers with. */
  readonly core: Core;
  readonly call: ReturnType<typeof callsIn>['call'];
  readonly site: { readonly organizationId: string; readonly siteId: string };
  readonly spaceId: string;
  readonly pages: ReadonlyMap<string, string>;
  readonly server: SitesServer;
  /** Makes a space with pages. */
  readonly addSpace: (title: string, pages: readonly TestPage[]) => Promise<string>;
  /** Changes the content of a space, and returns the IDs of the files that were added. */
  readonly change: (spaceId: string, changes: readonly object[]) => Promise<readonly string[]>;
  /** Asks for a path below the address of the site. */
  readonly visit: (
    path: string,
    headers?: Readonly<Record<string, string>>,
  ) => Promise<Awaited<ReturnType<SitesServer['inject']>>>;
}

let worlds = 0;

/** Publishes a site with one space of these pages. */
export async function publishedSite(
  pages: readonly TestPage[],
  settings: Readonly<Record<string, unknown>> = {},
  storeUrl?: string,
): Promise<PublishedSite> {
  const world = await createWorld(storeUrl);
  // Pages are kept by the IDs of revisions, and worlds make the same IDs.
  const { newId } = world.core;
  const suffix = String(++worlds);
  Object.assign(world.core, { newId: (prefix: string) => `${newId(prefix)}${suffix}` });
  const { call } = callsIn(() => world);
  const org = { organizationId: world.org };
  const known = new Map<string, string>();
  const change: PublishedSite['change'] = async (spaceId, changes) => {
    const changeRequestId = (await call(createChangeRequest, { spaceId }, { body: {} })).id;
    const at = { spaceId, changeRequestId };
    const made = await call(batchContent, at, { body: { changes } });
    for (const { id, title } of made.pages) known.set(title, id);
    await call(mergeChangeRequest, at);
    return made.insertedFiles.map(({ id }) => id);
  };
  const addSpace = async (title: string, given: readonly TestPage[]): Promise<string> => {
    const spaceId = (await call(createSpace, org, { body: { title } })).id;
    await change(
      spaceId,
      given.map(({ text, ...page }) => ({ operation: 'insert_page', ...page, document: { markdown: text } })),
    );
    return spaceId;
  };
  const spaceId = await addSpace('Guide', pages);
  const site = { ...org, siteId: (await call(createSite, org, { body: { title: 'Docs' } })).id };
  await call(addSiteSpace, site, { body: { spaceId } });
  await call(updateSite, site, { body: { basename: 'docs', ...settings } });
  await call(publishSite, site);
  const core = { ...world.core, sitesUrl: 'https://docs.test' };
  const server = await createSitesServer({
    core,
    newRequestId: () => 'req',
    log: undefined,
    // No test depends on how fast the first script of a process starts.
    scriptWait: 60_000,
  });
  return {
    world,
    core,
    call,
    site,
    spaceId,
    pages: known,
    server,
    addSpace,
    change,
    visit: async (path, headers = {}) => server.inject({ url: `/sites/acme/docs/${path}`, headers }),
  };
}
