import { defined } from '../../contract/values.ts';
import { isProblem, Problem } from '../../errors/problem.ts';
import { getChangeRequest } from '../../resources/change-requests/contract.ts';
import { getCollection } from '../../resources/collections/contract.ts';
import { getOrganization } from '../../resources/organizations/contract.ts';
import { getSite } from '../../resources/sites/contract.ts';
import { getSpace } from '../../resources/spaces/contract.ts';
import { openAddresses } from '../browser.ts';
import type { CommandHelp } from '../command-help.ts';
import type { DefineCommand } from '../composite-command.ts';
import { resolveName, resolveOrganization } from '../names.ts';
import type { Session } from '../session.ts';
import { findPage } from './pages/read-page.ts';

interface Options {
  readonly changeRequest?: string;
  readonly published?: boolean;
}

export const help: CommandHelp = {
  description: `
Prints the address of an organization, space, page, change request, collection or site. On a terminal, and with a server, the
address is also opened in a browser: the program in the variable BROWSER, or the default browser. Nothing is opened in a
pipe or with --no-input.

\`docsctl serve --sites-port\` shows published sites: use --published. It does not show the other addresses in a browser yet, so they
work only where another service shows them.
`,
  examples: [
    'docsctl open Guide',
    'docsctl open Guide quickstart',
    'docsctl open Guide --change-request 7',
    'docsctl open Docs --published',
  ],
};

export const define: DefineCommand = (command, inSession) => {
  command
    .argument('[thing]', 'title or ID of a space, site or collection (default: the organization)')
    .argument('[page]', 'path, title or ID of a page of the space')
    .option('--change-request <number>', 'number or ID of a change request of the space')
    .option('--published', 'open the published site instead of its page in the app')
    .action(inSession(open));
};

async function open(
  session: Session,
  thing: string | undefined,
  page: string | undefined,
  { changeRequest, published = false }: Options,
): Promise<void> {
  if (thing === undefined) {
    const organizationId = await resolveOrganization(session);
    return openAddresses(session, [await session.call(getOrganization, { params: { organizationId } })]);
  }
  if (page !== undefined) {
    const found = await findPage(session, { space: thing, page, ...defined({ changeRequest }) });
    return openAddresses(session, [found.page]);
  }
  if (changeRequest !== undefined) {
    const spaceId = await resolveName(session, 'spaceId', thing);
    const params = { spaceId, changeRequestId: changeRequest };
    return openAddresses(session, [await session.call(getChangeRequest, { params })]);
  }
  await openAddresses(session, [await findThing(session, thing)], published ? 'published' : 'app');
}

/** The space, site or collection of a name or ID. @throws Problem(not-found), Problem(ambiguous) */
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
  const found: { readonly object: string; readonly id: string }[] = [];
  for (const find of finders) {
    try {
      found.push(await find());
    } catch (error) {
      if (!isProblem(error, 'not-found')) throw error;
    }
  }
  const [first, second] = found;
  if (first === undefined)
    throw new Problem('not-found', `There is no space, site or collection "${thing}".`, {
      hint: '`docsctl spaces list` and `docsctl sites list` list the spaces and sites.',
    });
  if (second === undefined) return first;
  const list = found.map(({ object, id }) => `the ${object} ${id}`).join(', ');
  throw new Problem('ambiguous', `"${thing}" matches ${list}.`, { hint: 'Use the ID instead of the name.' });
}
