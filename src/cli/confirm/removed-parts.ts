import { flattenPages } from '../../contract/values.ts';
import { isPage } from '../../content/tree.ts';
import type { Operation, PathParams } from '../../contract/operation.ts';
import { eachPage } from '../../contract/each-page.ts';
import { defined, isRecord, joinAnd, joinOr, plural } from '../../contract/values.ts';
import { isProblem } from '../../errors/problem.ts';
import { listSpacesInCollection } from '../../resources/collections/contract.ts';
import { listFiles } from '../../resources/content/space-files/contract.ts';
import { listPages } from '../../resources/content/space-pages/contract.ts';
import { listInstallations } from '../../resources/integration-installations/contract.ts';
import { listMemberTeams } from '../../resources/members/contract.ts';
import { listSpecVersions } from '../../resources/openapi/contract.ts';
import { listShareLinks } from '../../resources/site-share-links/contract.ts';
import { listSiteRedirects } from '../../resources/site-redirects/contract.ts';
import { listSiteSections } from '../../resources/site-sections/contract.ts';
import { listSiteSpaces } from '../../resources/site-spaces/contract.ts';
import { getSpace } from '../../resources/spaces/contract.ts';
import { listTeamMembers } from '../../resources/team-members/contract.ts';
import { listTokens } from '../../resources/tokens/contract.ts';
import { singular } from './confirm.ts';
import type { Session } from '../session/session.ts';

/** A kind of parts of a resource that a deletion affects: how to count them, and their name in the singular. */
interface Part {
  readonly count: (session: Session, params: PathParams) => Promise<number>;
  readonly noun: string;
}

interface Parts {
  readonly parts: readonly Part[];
  /** A sentence about the parts if they are not deleted, or about resources that depend on them. */
  readonly kept?: string;
}

const listed = (operation: Operation, noun: string): Part => ({
  noun,
  count: async (session, params) => {
    const answer = await session.call(operation, { params, query: { limit: 0 } });
    return isRecord(answer) && typeof answer['count'] === 'number' ? answer['count'] : 0;
  },
});

const partsOf: Readonly<Record<string, Parts>> = {
  'collections.delete': {
    parts: [listed(listSpacesInCollection, 'space')],
    kept: 'Spaces are kept.',
  },
  'integrations.unpublish': { parts: [listed(listInstallations, 'installation')] },
  'members.delete': {
    parts: [{ noun: 'token', count: countTokens }, listed(listMemberTeams, 'team')],
    kept: 'Content that they wrote is kept.',
  },
  'openapi.delete': {
    parts: [listed(listSpecVersions, 'version')],
    kept: 'Pages that spaces generate from it (builtin:openapi) disappear.',
  },
  'sites.delete': {
    parts: [
      listed(listSiteSections, 'section'),
      listed(listSiteSpaces, 'site space'),
      listed(listShareLinks, 'share link'),
      listed(listSiteRedirects, 'redirect'),
    ],
  },
  'spaces.delete': {
    parts: [
      { noun: 'page', count: countPages },
      listed(listFiles, 'file'),
      {
        noun: 'open or draft change request',
        count: async (session, params) => {
          const space = await session.call(getSpace, { params } as never);
          return space.changeRequestsOpen + space.changeRequestsDraft;
        },
      },
    ],
  },
  'teams.delete': {
    parts: [listed(listTeamMembers, 'member')],
    kept: 'Members stay in the organization. They may gain access to content that only the role "none" of the team hid from them.',
  },
};

/**
 * Describes the contents of the resources that an operation deletes: "The space has 12 pages and 1 file." Returns '' for other
 * operations, if the caller may not count anything, and for empty resources unless `namesEmpty` is set.
 */
export async function describeParts(
  session: Session,
  { id }: Operation,
  calls: readonly { params: PathParams }[],
  namesEmpty: boolean,
): Promise<string | undefined> {
  const found = partsOf[id];
  if (found === undefined) return undefined;
  const counts = await Promise.all(
    found.parts.map(async ({ noun, count }) => ({ noun, count: await sumOf(session, calls, count) })),
  );
  const known = counts.flatMap(({ noun, count }) => (count === undefined ? [] : [{ noun, count }]));
  if (known.length === 0) return undefined;
  const nouns = id.replace(/\.\w+$/, '');
  const kind = singular(nouns);
  const subject = calls.length === 1 ? `The ${kind} has` : `The ${plural(calls.length, kind)} have`;
  const some = known.filter(({ count }) => count > 0).map(({ noun, count }) => plural(count, noun));
  if (some.length === 0 && !namesEmpty) return undefined;
  if (some.length === 0) return `${subject} no ${joinOr(known.map(({ noun }) => `${noun}s`))}.`;
  const kept = found.kept === undefined ? '' : ` ${found.kept}`;
  return `${subject} ${joinAnd(some)}.${kept}`;
}

/** Adds up the parts of resources. Undefined if the caller may not read them, or they are already deleted. */
async function sumOf(
  session: Session,
  calls: readonly { params: PathParams }[],
  count: Part['count'],
): Promise<number | undefined> {
  let sum = 0;
  try {
    for (const { params } of calls) sum += await count(session, params);
  } catch (error) {
    if (isProblem(error, 'not-found', 'forbidden', 'not-implemented', 'method-not-allowed')) return undefined;
    throw error;
  }
  return sum;
}

async function countTokens(session: Session, { organizationId = '', userId }: PathParams): Promise<number> {
  const list = (page?: string) =>
    session.call(listTokens, { params: { organizationId }, query: { limit: 1000, ...defined({ page }) } });
  let count = 0;
  for await (const { items } of eachPage(list))
    count += items.filter(({ user }) => user.id === userId).length;
  return count;
}

async function countPages(session: Session, params: PathParams): Promise<number> {
  const query = { metadata: false, computed: false, texts: false };
  const { pages } = await session.call(listPages, { params, query } as never);
  return flattenPages(pages).filter(isPage).length;
}
