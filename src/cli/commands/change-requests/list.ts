import { Option } from 'commander';
import type { Operation } from '../../../contract/operation.ts';
import { plural } from '../../../contract/values.ts';
import { Problem } from '../../../errors/problem.ts';
import { listChangeRequests } from '../../../resources/change-requests/contract.ts';
import { listOrganizationChangeRequests } from '../../../resources/organization-change-requests/contract.ts';
import { me } from '../../../resources/users/contract.ts';
import { markCommaSeparated } from '../../input/required.ts';
import type { CommandHelp, DefineCommand } from '../../composite-command.ts';
import { addFields } from '../../input/field-options.ts';
import { readFields } from '../../input/fields.ts';
import { allSpacesAndOne } from '../../input/given-twice.ts';
import type { Listing } from '../../output/format.ts';
import { resolveFields, resolveName, resolveOrganization } from '../../names/names.ts';
import { printList } from '../../results/print-list.ts';
import { wantsTable, type Session } from '../../session/session.ts';

interface Options {
  readonly space?: string;
  readonly allSpaces?: boolean;
  readonly all?: boolean;
}

export const help: CommandHelp = {
  description: `
Lists your own drafts and then the open change requests, of one space or of all spaces of the organization. --status
lists change requests with another status instead. A note says how to see the drafts of others. In options that take a member, \`me\` stands for you. Without a space, the
command sends GET /v1/orgs/{organizationId}/change-requests.

If you name a space and use an output format for programs, such as -o json, only open change requests are listed, as
in the API. A note counts the drafts that are left out. --status draft lists them.
`,
  examples: [
    'docsctl change-requests list',
    'docsctl change-requests list Guide',
    'docsctl change-requests list Guide --status all',
    'docsctl cr list --all-spaces --requested-reviewer me',
  ],
};

export const define: DefineCommand = (command, inSession) => {
  command
    .argument('[space]', 'title or ID of the space (default: all spaces of the organization)')
    .addOption(new Option('--space <space>', 'title or ID of the space').hideHelp())
    .option('--all-spaces', 'list the change requests of all spaces, even if the settings name a space');
  addFields(command, listChangeRequests);
  const status = command.options.find(({ long }) => long === '--status');
  if (status !== undefined) {
    status.description = 'only change requests with this status; all: any status';
    markCommaSeparated(status);
  }
  const limit = command.options.find(({ long }) => long === '--limit');
  if (limit !== undefined) limit.description += '. Your own drafts are listed in addition';
  command
    .option('--all', 'get every page of the list')
    .action(
      inSession((session, given: string | undefined, options: Options) => list(session, given, options)),
    );
};

async function list(session: Session, given: string | undefined, options: Options): Promise<void> {
  const named = given ?? options.space;
  if (named !== undefined && options.allSpaces === true) throw allSpacesAndOne();
  const space = named ?? session.settings.space?.value;
  const isOne = space !== undefined && options.allSpaces !== true;
  const operation: Operation = isOne ? listChangeRequests : listOrganizationChangeRequests;
  const { query } = await readFields(session, listChangeRequests, { ...options }, {});
  const { status } = query;
  const params = isOne
    ? { spaceId: await resolveName(session, 'spaceId', space) }
    : { organizationId: await resolveOrganization(session) };
  const listed = isOne || typeof status !== 'string' ? query : { ...query, status: readStatuses(status) };
  const resolved = await resolveFields(session, operation, listed, params);
  const name = isOne ? (/^[\w.-]+$/.test(space) ? space : JSON.stringify(space)) : '--all-spaces';
  const command = `docsctl change-requests list ${name}`;
  const isWhole = options.all === true;
  const own =
    status === undefined ? withOwnDrafts(session, !isOne || wantsTable(session), isWhole) : undefined;
  await printList(own?.session ?? session, operation, {
    params,
    query: resolved,
    isWhole,
    ...(isOne && { command }),
  });
  if (own === undefined) return;
  noteOwn(session, own, command);
  await noteHidden(session, own, { operation, params, query: resolved, command });
}

function readStatuses(text: string): string[] {
  const { enum: known = [] } = listChangeRequests.query.properties.status as { enum?: string[] };
  const statuses = text === 'all' ? known : text.split(',').map((word) => word.trim());
  const unknown = statuses.find((status) => !known.includes(status));
  if (unknown !== undefined)
    throw new Problem('invalid-input', `There is no status "${unknown}".`, {
      hint: `Choose from: ${known.join(', ')}, all.`,
    });
  return statuses;
}

interface OwnDrafts {
  readonly session: Session;
  /** The number of listed items, of the caller's drafts, and of the caller's drafts that were not listed. */
  readonly shown: { items: number; drafts: number; more: number };
  /** Whether the drafts of the caller are listed. */
  readonly areListed: boolean;
}

/**
 * Returns a session that counts the listed change requests. If `areListed` is set, the first page of a list starts with the
 * drafts of the caller.
 */
function withOwnDrafts(session: Session, areListed: boolean, isWhole: boolean): OwnDrafts {
  const shown = { items: 0, drafts: 0, more: 0 };
  const call = async (operation: Operation, input: ListInput): Promise<unknown> => {
    const listOf = async (query: object) =>
      (await session.call(operation, { ...input, query } as never)) as unknown as Listing;
    const { query } = input;
    const listing = await listOf(query);
    const status = drafts.get(operation.id);
    if (!areListed) shown.items += listing.items.length;
    const isFirst =
      status !== undefined && query.status === undefined && query.page === undefined && query.limit !== 0;
    if (!isFirst || !areListed) return listing;
    const { id: creator } = await session.call(me, {});
    if ((query.creator ?? creator) !== creator) return listing;
    const { items, count = items.length } = await listOf({
      ...query,
      creator,
      status,
      ...(isWhole ? { limit: 1000 } : {}),
    });
    shown.drafts = count;
    shown.more = count - items.length;
    shown.items += items.length + listing.items.length;
    return {
      ...listing,
      ...(listing.count === undefined ? {} : { count: listing.count + count }),
      items: [...items, ...listing.items],
    };
  };
  return { session: { ...session, call: call as unknown as Session['call'] }, shown, areListed };
}

/** The values of the status "draft", by operation. */
const drafts = new Map<string, unknown>([
  [listChangeRequests.id, 'draft'],
  [listOrganizationChangeRequests.id, ['draft']],
]);

/** Notes how to see the caller's drafts that do not fit on the first page. */
function noteOwn(session: Session, { shown: { more } }: OwnDrafts, command: string): void {
  if (more > 0)
    session.note(
      `${plural(more, 'draft')} of yours not shown. See all with \`${command} --status draft --creator me --all\`.`,
    );
}

/** Notes how to see the drafts that a list leaves out: those of others, and in the formats of the API also the caller's. */
async function noteHidden(
  session: Session,
  { shown: { items, drafts: own }, areListed }: OwnDrafts,
  request: {
    operation: Operation;
    params: object;
    query: object;
    command: string;
  },
): Promise<void> {
  // An empty list has a different note.
  if (items === 0 || session.flags.quiet === true) return;
  const { operation, params, query, command } = request;
  const drafted = { ...query, status: drafts.get(operation.id), limit: 0 };
  const listing: unknown = await session.call(operation, { params, query: drafted });
  const { count = 0 } = listing as Listing;
  if (count > own)
    session.note(
      `${plural(count - own, 'draft')}${areListed ? ' of others' : ''} not shown. See all with \`${command} --status draft\`.`,
    );
}

interface ListInput {
  readonly params?: object;
  readonly query: {
    readonly page?: string;
    readonly limit?: number;
    readonly status?: unknown;
    readonly creator?: string;
  };
}
