import { Option } from 'commander';
import type { Operation } from '../../../contract/operation.ts';
import { Problem } from '../../../errors/problem.ts';
import { listChangeRequests } from '../../../resources/change-requests/contract.ts';
import { listOrganizationChangeRequests } from '../../../resources/organization-change-requests/contract.ts';
import { me } from '../../../resources/users/contract.ts';
import { nounOf } from '../../../resources/index.ts';
import type { CommandHelp } from '../../command-help.ts';
import type { DefineCommand } from '../../composite-command.ts';
import { addFields } from '../../field-options.ts';
import { readFields } from '../../fields.ts';
import { resolveFields, resolveName, resolveOrganization } from '../../names.ts';
import { printList } from '../../print-list.ts';
import type { Session } from '../../session.ts';

interface Options {
  readonly space?: string;
  readonly allSpaces?: boolean;
  readonly all?: boolean;
}

export const help: CommandHelp = {
  description: `
With a space, lists its open change requests. Without one, lists your own drafts and then the open change requests of all
spaces of the organization. --status lists those with another status instead.
`,
  examples: [
    'docsctl change-requests list',
    'docsctl change-requests list Guide',
    'docsctl change-requests list Guide --status all',
    'docsctl cr list --all-spaces --requested-reviewer cara@example.com',
  ],
};

export const define: DefineCommand = (command, inSession) => {
  command
    .argument('[space]', 'title or ID of the space (default: all spaces of the organization)')
    .addOption(new Option('--space <space>', 'title or ID of the space').hideHelp())
    .option('--all-spaces', 'list the change requests of all spaces, even if the settings name a space');
  addFields(command, listChangeRequests);
  const status = command.options.find(({ long }) => long === '--status');
  if (status !== undefined)
    status.description =
      'only change requests with this status; for several, separate them by commas or write all';
  command
    .option('--all', 'get every page of the list')
    .action(
      inSession((session, given: string | undefined, options: Options) => list(session, given, options)),
    );
};

async function list(session: Session, given: string | undefined, options: Options): Promise<void> {
  const space = given ?? options.space ?? session.settings.space?.value;
  const { query } = await readFields(session, listChangeRequests, { ...options }, {});
  const isWhole = options.all === true;
  if (space !== undefined && options.allSpaces !== true) {
    const params = { spaceId: await resolveName(session, 'spaceId', space) };
    return printList(session, listChangeRequests, nounOf(listChangeRequests.id), {
      params,
      query: await resolveFields(session, listChangeRequests, query, params),
      isWhole,
    });
  }
  const operation = listOrganizationChangeRequests;
  const params = { organizationId: await resolveOrganization(session) };
  const { status, ...filters } = query;
  const statuses = typeof status === 'string' ? { status: readStatuses(status) } : {};
  await printList(
    status === undefined ? withOwnDrafts(session) : session,
    operation,
    nounOf(listChangeRequests.id),
    {
      params,
      query: await resolveFields(session, operation, { ...filters, ...statuses }, params),
      isWhole,
    },
  );
}

function readStatuses(text: string): string[] {
  const { enum: known = [] } = listChangeRequests.query.properties.status as { readonly enum?: string[] };
  const statuses = text === 'all' ? known : text.split(',').map((word) => word.trim());
  const unknown = statuses.find((status) => !known.includes(status));
  if (unknown !== undefined)
    throw new Problem('usage', `There is no status "${unknown}".`, {
      hint: `Choose from: ${known.join(', ')}, all.`,
    });
  return statuses;
}

/** A session in which the first page of the change requests of an organization begins with the drafts of the caller. */
function withOwnDrafts(session: Session): Session {
  const call = async (operation: Operation, input: ListInput): Promise<unknown> => {
    const listOf = async (query: object) =>
      (await session.call(operation, { ...input, query } as never)) as unknown as Listing;
    const { query } = input;
    const listing = await listOf(query);
    const isFirst =
      operation.id === listOrganizationChangeRequests.id && query.page === undefined && query.limit !== 0;
    if (!isFirst) return listing;
    const { id: creator } = await session.call(me, {});
    const { items } = await listOf({ ...query, creator, status: ['draft'], limit: 1000 });
    return {
      ...listing,
      ...(listing.count === undefined ? {} : { count: listing.count + items.length }),
      items: [...items, ...listing.items],
    };
  };
  return { ...session, call: call as unknown as Session['call'] };
}

interface ListInput {
  readonly params?: object;
  readonly query: { readonly page?: string; readonly limit?: number };
}

interface Listing {
  readonly next?: { readonly page: string };
  readonly count?: number;
  readonly items: readonly unknown[];
}
