import { defined } from '../../contract/values.ts';
import { isProblem, Problem } from '../../errors/problem.ts';
import { getChangeRequest } from '../../resources/change-requests/contract.ts';
import { getCluster } from '../../resources/conversation-clusters/contract.ts';
import { getCollection } from '../../resources/collections/contract.ts';
import { getSpec } from '../../resources/openapi/contract.ts';
import { getOrganization } from '../../resources/organizations/contract.ts';
import { getSite } from '../../resources/sites/contract.ts';
import { getSpace } from '../../resources/spaces/contract.ts';
import { openAddresses } from '../browser.ts';
import type { CommandHelp, DefineCommand } from '../composite-command.ts';
import { resolveName, resolveOrganization } from '../names/names.ts';
import type { Session } from '../session/session.ts';
import { findPage } from './pages/read-page.ts';

/** Matches slugs of specifications and IDs of clusters. */
const slugPattern = /^[a-zA-Z0-9]+(?:-[a-zA-Z0-9]+)*$/;
const clusterPattern = /^[\w-]{1,64}$/;

interface Options {
  readonly changeRequest?: string;
  readonly published?: boolean;
  readonly browser: boolean;
}

export const help: CommandHelp = {
  description: `
Shows an organization, space, page, change request, collection, site, specification or cluster in a browser, and prints the
address. Nothing can be changed in the browser.

With a server, the browser opens a link that signs you in. The link works once, within 2 minutes. It starts a read-only session with the rights of your token. The session ends after 8 hours, or as soon as the token is no longer valid.
Embedded stores have no server, so the command itself shows the pages on this machine until you press Ctrl-C.

--no-browser prints the link instead of opening it, for example for a browser on another machine. The browser is the program
in the variable BROWSER, or the default browser. In a pipe and with --no-input, the command prints only the address, or the link if you add --no-browser.

With --published, the browser opens the published site (for a space, the published site that shows it) as its readers see it. \`docsctl serve --sites-port\` shows
published sites; without a server, only the address is printed.
`,
  examples: [
    'docsctl open Guide',
    'docsctl open Guide quickstart',
    'docsctl open Guide --change-request 7',
    'docsctl open billing',
    'docsctl open Docs --published',
    'docsctl open Guide --no-browser   # runs until Ctrl-C',
  ],
};

export const define: DefineCommand = (command, inSession) => {
  command
    .argument(
      '[thing]',
      'title or ID of a space, site or collection, slug of a specification, or ID of a cluster (default: the organization)',
    )
    .argument('[page]', 'path, title or ID of a page of the space')
    .option('--change-request <change-request>', 'number or ID of a change request of the space')
    .option(
      '--published',
      'open the published site, as its readers see it; not for pages and change requests',
    )
    .option('--no-browser', 'print a link that opens the page once, and start no browser')
    .action(inSession(open));
};

async function open(
  session: Session,
  thing: string | undefined,
  page: string | undefined,
  { changeRequest, published = false, browser }: Options,
): Promise<void> {
  const show = (resource: unknown) =>
    openAddresses(session, [resource], { field: published ? 'published' : 'app', browser });
  if (published && (page ?? changeRequest) !== undefined)
    throw new Problem('usage', '--published cannot be used with a page or change request.', {
      hint: 'Name a site or space: `docsctl open SITE --published`.',
    });
  if (thing === undefined) {
    const organizationId = await resolveOrganization(session);
    return show(await session.call(getOrganization, { params: { organizationId } }));
  }
  if (page !== undefined) {
    const found = await findPage(session, { space: thing, page, ...defined({ changeRequest }) });
    return show(found.page);
  }
  if (changeRequest !== undefined) {
    const spaceId = await resolveName(session, 'spaceId', thing);
    const params = { spaceId, changeRequestId: changeRequest };
    return show(await session.call(getChangeRequest, { params }));
  }
  await show(await findThing(session, thing));
}

/**
 * Finds the space, site, collection, specification or cluster with a name or ID. @throws Problem(not-found), Problem(ambiguous)
 */
async function findThing(session: Session, thing: string): Promise<unknown> {
  const organizationId = await resolveOrganization(session);
  const scope = { organizationId };
  const finders = [
    async () => {
      const spaceId = await resolveName(session, 'spaceId', thing, scope);
      return session.call(getSpace, { params: { spaceId } });
    },
    async () => {
      const siteId = await resolveName(session, 'siteId', thing, scope);
      return session.call(getSite, { params: { organizationId, siteId } });
    },
    async () => {
      const collectionId = await resolveName(session, 'collectionId', thing, scope);
      return session.call(getCollection, { params: { collectionId } });
    },
  ];
  const found: { object: string; id: string }[] = [];
  for (const find of finders) {
    const one = await orNone<(typeof found)[number]>(find());
    if (one !== undefined) found.push(one);
  }
  // The name may still belong to a specification or a cluster.
  if (found.length === 0) {
    const spec = slugPattern.test(thing)
      ? await orNone(session.call(getSpec, { params: { organizationId, specSlug: thing } }))
      : undefined;
    const cluster = clusterPattern.test(thing)
      ? await orNone(session.call(getCluster, { params: { organizationId, clusterId: thing } }))
      : undefined;
    if (spec !== undefined || cluster !== undefined) return spec ?? cluster;
  }
  const [first, second] = found;
  if (first === undefined)
    throw new Problem('not-found', `There is no space, site, collection or specification "${thing}".`, {
      hint: 'To see the spaces and sites, run `docsctl spaces list` or `docsctl sites list`.',
    });
  if (second === undefined) return first;
  const list = found.map(({ object, id }) => `the ${object} ${id}`).join(', ');
  throw new Problem('ambiguous', `"${thing}" matches ${list}.`, { hint: 'Use the ID instead of the name.' });
}

/** Returns the result of a call; undefined if there is none, or a guest may not see it. */
async function orNone<T>(call: Promise<T>): Promise<T | undefined> {
  try {
    return await call;
  } catch (error) {
    // After a sign-in, the caller may be allowed to see it. Servers use other words for a missing role.
    const isHidden = isProblem(error, 'forbidden') && !error.message.includes('single sign-on');
    if (isHidden || isProblem(error, 'not-found')) return undefined;
    throw error;
  }
}
