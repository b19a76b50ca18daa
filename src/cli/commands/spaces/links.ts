import { addFormatOption, annotateViolations } from '../../manifest/annotate.ts';
import { choiceHint } from '../../../contract/nearest.ts';
import { readDocumentationRoot } from '../../../content-sync/space-content.ts';
import { eachPage } from '../../../contract/each-page.ts';
import { fieldPaths } from '../../../contract/paths.ts';
import type { Static } from '../../../contract/schema.ts';
import { defined, plural } from '../../../contract/values.ts';
import { Problem } from '../../../errors/problem.ts';
import { defaultLimit, type InputOf } from '../../../contract/operation.ts';
import { listChangeRequestLinks } from '../../../resources/change-requests/contract.ts';
import { listPageLinks as listRequestPageLinks } from '../../../resources/content/change-request-pages/contract.ts';
import { listPageLinks } from '../../../resources/content/space-pages/contract.ts';
import { Link, type LinkStats } from '../../../resources/content/links/schemas.ts';
import { listSpaceLinks } from '../../../resources/spaces/contract.ts';
import type { CommandHelp, DefineCommand } from '../../composite-command.ts';
import { resolveName } from '../../names/names.ts';
import type { Session } from '../../session/session.ts';
import {
  checkExternalLinks,
  describeAddresses,
  readExternalOptions,
  type AddressStats,
  type CheckedLink,
  type ExternalOptions,
} from './external-links.ts';
import { findLinkSpaces, type LinkSpace, type SpaceOptions } from './link-spaces.ts';
import { brokenLinkViolation, describePlace, problemOf } from './link-place.ts';
import { readWholeNumber } from '../../input/whole-number.ts';

interface Options extends ExternalOptions, SpaceOptions {
  readonly status?: string;
  readonly failOn?: string;
  readonly format: string;
  readonly root?: string;
  readonly limit?: string;
  readonly all?: boolean;
}

/** A link, with its space if several spaces are listed. */
type ListedLink = CheckedLink & { readonly space?: LinkSpace };

interface Links {
  readonly next?: { readonly page: string };
  readonly count?: number;
  readonly stats: Static<typeof LinkStats> & { readonly addresses?: AddressStats };
  readonly items: readonly ListedLink[];
}

interface SpaceLinks {
  readonly space: LinkSpace;
  readonly pages: AsyncIterable<Links>;
}

/** The links of several spaces, or links with checked addresses, as one page. */
interface CollectedLinks extends Links {
  /** The number of broken links in each space. */
  readonly brokenIn: readonly { readonly title: string; readonly broken: number }[];
}

/** Formats that print links in the form of the API. */
const dataFormats: readonly string[] = ['json', 'yaml', 'ndjson'];
const statuses = ['ok', 'broken', 'in-app'];
const externalStatuses = [...statuses, 'unreachable', 'skipped'];

const fields = ['place', 'problem', 'space.title', 'space.id', ...fieldPaths(Link)];

export const help: CommandHelp = {
  columns: fields,
  description: `
Finds links in Markdown, HTML and tags such as content-ref, and the covers of pages; links in code are not listed. A link
is broken if it leads to a page, file or OpenAPI specification that does not exist, or to an anchor that the page does
not have. Anchors of pages that include content from elsewhere are not checked. The status in-app means that a link leads to an address that only members can open, such
as the address of a collection or another space. If you cannot open a page or space at the address, \`problem\` says so.

For several spaces, each link is listed with its space. With --fail-on broken, a table shows only the broken
links, unless --status says otherwise; JSON also contains the links that work.

With --external, this machine also requests the addresses of other servers: with HEAD, or with GET if the server refuses
HEAD. A link gets one of these statuses:

  ok           the server has the page
  broken       the server responds with 404 or another client error
  unreachable  the server or the network fails, or there is no response within 10 seconds
  skipped      the server requires a login or refuses automated requests, the address is private and not in DOCSCTL_ALLOW_PRIVATE,
               or --allow-host does not name its host

docsctl sends at most two requests at a time to one server, with a pause after each. In the settings folder, it
remembers which addresses work, and checks these again only after --max-age hours.
`,
  examples: [
    'docsctl spaces links Guide API --status broken',
    'docsctl spaces links Guide --change-request 7',
    'docsctl spaces links --all-spaces --fail-on broken',
    'docsctl spaces links Guide --external --allow-host "*.example.com" --fail-on broken',
    'docsctl spaces links Guide --format github --root docs --fail-on broken',
  ],
  exitCodes: { 3: 'A link is broken (only with --fail-on broken).' },
};

export const define: DefineCommand = (command, inSession) => {
  addFormatOption(command, 'an annotation per broken link')
    .argument('[space...]', 'titles or IDs of spaces (default: the space of the settings)')
    .option('--space <space>', 'title or ID of a space, instead of an argument or in addition to one')
    .option('--all-spaces', 'links of all spaces of the organization, instead of named spaces')
    .option('--page <page>', 'only links on this page of one space, by path, title or ID')
    .option('--change-request <change-request>', 'links in this change request of one space, by number or ID')
    .option(
      '--status <status>',
      'only links with this status: ok, broken or in-app; with --external also unreachable or skipped',
    )
    .option(
      '--fail-on <status>',
      'exit with code 3 if there are links with this status; the only value is "broken"',
    )
    .option(
      '--root <folder>',
      'folder of the documentation, shown in front of file names (default: the root in the .gitbook.yaml that was imported)',
    )
    .option('--external', 'check the addresses of other servers')
    .option(
      '--allow-host <host...>',
      'with --external, check only these hosts, such as docs.example.com or *.example.com',
    )
    .option(
      '--max-age <hours>',
      'with --external, hours until an address that works is checked again (default: 24)',
    )
    .option(
      '--concurrency <number>',
      'with --external, number of servers to check at the same time (default: 8)',
    )
    .option(
      '--delay <milliseconds>',
      'with --external, pause between two requests to one server (default: 250)',
    )
    .option('--limit <number>', 'maximum number of links to show, up to 1000 (default: 50)')
    .option('--all', 'show every link')
    .action(inSession(showLinks));
};

async function showLinks(session: Session, given: readonly string[], options: Options): Promise<void> {
  const isGithub = options.format === 'github';
  const isData = dataFormats.includes(session.format) && !isGithub;
  const { limit, status, isImplied } = checkOptions(options, isData);
  const spaces = await findLinkSpaces(session, given, options);
  const external = options.external === true ? readExternalOptions(options) : undefined;
  const all = isGithub || options.all === true;
  const isCollected = external !== undefined || spaces.length > 1 || options.allSpaces === true;
  const api = await session.api();
  const { signal } = session.runtime;
  const filter = { anchors: true, ...defined({ limit: all || isCollected ? 1000 : limit }) };
  const listed: SpaceLinks[] = [];
  const roots = new Map<string, string | undefined>();
  for (const space of spaces) {
    const list = await linkLister(session, space.id, options);
    const pages = eachPage<Links>((page) =>
      list({
        ...filter,
        ...(external === undefined ? defined({ status: status as 'ok' | undefined }) : {}),
        ...defined({ page }),
      }),
    );
    listed.push({ space, pages });
    if (!isData) roots.set(space.id, options.root ?? (await readDocumentationRoot(api, space.id, signal)));
  }
  const maxItems = all ? Infinity : (limit ?? defaultLimit);
  const collected = isCollected
    ? await collectLinks(session, listed, { external, status, maxItems })
    : undefined;
  const pages = collected === undefined ? (listed[0]?.pages ?? only()) : only(pageOf(collected));
  const stats = isGithub
    ? await annotate(session, pages, roots)
    : await print(session, pages, {
        roots,
        all,
        status,
        hasSpaces: spaces.some(({ title }) => title !== undefined),
      });
  // Every list has a first page.
  if (stats === undefined) return;
  const { total, broken, addresses } = stats;
  const count = `${plural(total, 'link')}${spaces.length === 1 ? '' : ` in ${plural(spaces.length, 'space')}`}`;
  const shown = isImplied && broken.total > 0 ? ' (only these are shown)' : '';
  session.note(`${count}, ${broken.total} broken${shown}${describeSpaces(collected)}`);
  if (addresses !== undefined) session.note(describeAddresses(addresses));
  if (options.failOn !== undefined && broken.total > 0)
    throw new Problem(
      'partly-failed',
      broken.total === 1
        ? `1 of ${plural(total, 'link')} is broken.`
        : `${broken.total} of ${total} links are broken.`,
    );
}

/** Lists the spaces with broken links: ": Guide 2, API 1". */
function describeSpaces(collected: CollectedLinks | undefined): string {
  const named = collected?.brokenIn.filter(({ title, broken }) => title !== '' && broken > 0) ?? [];
  return named.length === 0 ? '' : `: ${named.map(({ title, broken }) => `${title} ${broken}`).join(', ')}`;
}

function pageOf({ count, stats, items }: CollectedLinks): Links {
  return { ...defined({ count }), stats, items };
}

async function* only(...pages: readonly Links[]): AsyncGenerator<Links> {
  yield* pages;
}

async function linkLister(session: Session, spaceId: string, { page, changeRequest }: Options) {
  const params =
    changeRequest === undefined
      ? { spaceId }
      : {
          spaceId,
          changeRequestId: await resolveName(session, 'changeRequestId', changeRequest, { spaceId }),
        };
  const pageId = page === undefined ? undefined : await resolveName(session, 'pageId', page, params);
  return (query: NonNullable<InputOf<typeof listSpaceLinks>['query']>): Promise<Links> => {
    if (params.changeRequestId !== undefined)
      return pageId === undefined
        ? session.call(listChangeRequestLinks, { params, query })
        : session.call(listRequestPageLinks, { params: { ...params, pageId }, query });
    return pageId === undefined
      ? session.call(listSpaceLinks, { params, query })
      : session.call(listPageLinks, { params: { ...params, pageId }, query });
  };
}

/** Reads the links of spaces, and checks those to other servers if requested. Returns up to `maxItems` with the status. */
async function collectLinks(
  session: Session,
  listed: readonly SpaceLinks[],
  {
    external,
    status,
    maxItems,
  }: {
    external: ReturnType<typeof readExternalOptions> | undefined;
    status: string | undefined;
    maxItems: number;
  },
): Promise<CollectedLinks> {
  const links: ListedLink[] = [];
  const brokenIn: { title: string; broken: number }[] = [];
  let [total, count] = [0, 0];
  let added: Pick<Links['stats']['broken'], 'changeRequest'> = {};
  for (const { space, pages } of listed) {
    let stats: Links['stats'] | undefined;
    for await (const page of pages) {
      if (stats === undefined) count += page.count ?? 0;
      ({ stats } = page);
      if (page.count === undefined) count += page.items.length;
      const named = space.title === undefined ? {} : { space };
      links.push(...page.items.map((link) => ({ ...link, ...named })));
      // The counts on the first page include all links.
      if (external === undefined && page.count !== undefined && links.length >= maxItems) break;
    }
    total += stats?.total ?? 0;
    added = defined({ changeRequest: stats?.broken.changeRequest });
    brokenIn.push({ title: space.title ?? '', broken: stats?.broken.total ?? 0 });
  }
  const broken = { ...added, total: brokenIn.reduce((sum, each) => sum + each.broken, 0) };
  if (external === undefined)
    return { count, stats: { total, broken }, items: links.slice(0, maxItems), brokenIn };
  const checked = await checkExternalLinks(session, links as (Static<typeof Link> & ListedLink)[], external);
  const all: readonly ListedLink[] = checked.links;
  const items = all.filter((link) => status === undefined || link.status === status);
  const isBroken = (link: ListedLink) => link.status === 'broken';
  return {
    count: items.length,
    stats: {
      total,
      broken: { ...added, total: all.filter(isBroken).length },
      addresses: checked.stats,
    },
    items: items.slice(0, maxItems),
    brokenIn: listed.map(({ space: { id, title = '' } }) => ({
      title,
      broken: all.filter((link) => link.space?.id === id && isBroken(link)).length,
    })),
  };
}

/** Checks the options before anything is sent. @throws Problem(invalid-input), Problem(usage) */
function checkOptions(
  { status, failOn, format, limit, ...external }: Options,
  isData: boolean,
): {
  limit: number | undefined;
  status: string | undefined;
  /** Whether only broken links are shown because the command fails on them. */
  isImplied: boolean;
} {
  readExternalOptions(external);
  const known = external.external === true ? externalStatuses : statuses;
  if (status !== undefined && !known.includes(status))
    throw new Problem('invalid-input', `There is no status "${status}".`, {
      hint: externalStatuses.includes(status)
        ? 'Add --external, which checks links to other websites.'
        : choiceHint(status, known),
    });
  if (failOn !== undefined && failOn !== 'broken')
    throw new Problem('invalid-input', `--fail-on takes "broken", not "${failOn}".`);
  if (format === 'github' && status !== undefined && status !== 'broken')
    throw new Problem(
      'usage',
      `--format github shows only broken links, so --status ${status} cannot be used with it.`,
    );
  const number = limit === undefined ? undefined : readWholeNumber('--limit', limit, { max: 1000 });
  const isImplied = failOn !== undefined && status === undefined && format === 'table' && !isData;
  return { limit: number, status: format === 'github' || isImplied ? 'broken' : status, isImplied };
}

/** Writes annotations of broken links for GitHub. */
async function annotate(
  session: Session,
  pages: AsyncIterable<Links>,
  roots: Roots,
): Promise<Links['stats'] | undefined> {
  const { stdout } = session.terminal;
  let stats: Links['stats'] | undefined;
  for await (const page of pages) {
    ({ stats } = page);
    const violations = page.items.map((link) => brokenLinkViolation(link, rootOf(link, roots)));
    await annotateViolations(session, 'error', violations);
    if (stdout.closed) break;
  }
  await stdout.flush();
  return stats;
}

/** The root folders of the documentation in repositories, by the ID of the space. */
type Roots = ReadonlyMap<string, string | undefined>;

function rootOf({ locationReferences: [place] }: ListedLink, roots: Roots): string | undefined {
  return roots.get(place?.space ?? '');
}

interface PrintOptions {
  readonly roots: Roots;
  readonly all: boolean;
  /** The status of the links (default: any). */
  readonly status: string | undefined;
  /** Whether there is a column for the space. */
  readonly hasSpaces: boolean;
}

async function print(
  session: Session,
  pages: AsyncIterable<Links>,
  { roots, all, status, hasSpaces }: PrintOptions,
): Promise<Links['stats'] | undefined> {
  const isData = dataFormats.includes(session.format);
  const printer = await session.printer({
    columns: [...(hasSpaces ? ['space.title=space'] : []), 'status', 'place', 'href', 'problem'],
    noun: status === undefined || status === 'ok' ? 'links' : `${status} links`,
    all,
    fields,
  });
  let last: Links | undefined;
  for await (const page of pages) {
    last = page;
    const items = isData
      ? page.items
      : page.items.map((link) => ({
          ...link,
          ...defined({ problem: problemOf(link) }),
          place: describePlace(link, rootOf(link, roots)),
        }));
    if (!(await printer.page({ ...page, items })) || !all) break;
  }
  await printer.end();
  const isCut = last?.next !== undefined || (last?.count ?? 0) > (last?.items.length ?? 0);
  if (last !== undefined && isCut && !all)
    session.note(
      last.count === undefined
        ? `Showing ${last.items.length} links; there are more. Use --all for the rest.`
        : `Showing ${last.items.length} of ${last.count} links; use --all for the rest.`,
    );
  return last?.stats;
}
