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
import { Link, listSpaceLinks, type LinkStats } from '../../../resources/spaces/contract.ts';
import { type DefineCommand } from '../../composite-command.ts';
import { requireParam } from '../../choose-missing.ts';
import { resolveName } from '../../names.ts';
import { escapeControlsByLine } from '../../output/escape-controls.ts';
import type { Session } from '../../session.ts';
import {
  checkExternalLinks,
  describeAddresses,
  readExternalOptions,
  type AddressStats,
  type CheckedLink,
  type ExternalOptions,
} from './external-links.ts';
import { describePlace, githubAnnotation, problemOf } from './link-place.ts';
import type { CommandHelp } from '../../command-help.ts';
import { requiredArgument } from '../../required.ts';

interface Options extends ExternalOptions {
  readonly changeRequest?: string;
  readonly page?: string;
  readonly status?: string;
  readonly failOn?: string;
  readonly format: string;
  readonly root?: string;
  readonly limit?: string;
  readonly all?: boolean;
}

/** A page of links. */
interface Links {
  readonly next?: { readonly page: string };
  readonly count?: number;
  readonly stats: Static<typeof LinkStats> & { readonly addresses?: AddressStats };
  readonly items: readonly CheckedLink[];
}

/** Formats that print links as the API gives them. */
const dataFormats: readonly string[] = ['json', 'yaml', 'ndjson'];
const statuses = ['ok', 'broken', 'in-app'];
const externalStatuses = [...statuses, 'unreachable', 'skipped'];

export const help: CommandHelp = {
  description: `
Finds links in Markdown, HTML and tags such as content-ref; links in code are not listed. A link is broken if its page or file
does not exist, or if its page has no such anchor. Anchors of pages that include content from elsewhere are not checked.

With --external, the addresses of other servers are checked too, from this machine: HEAD, then GET if the server refuses HEAD.
A status of 404 or another client error makes a link broken; an error of the server, of the network or a timeout of 10 seconds
makes it unreachable; a server that asks for a login or refuses programs is skipped, as are private addresses, unless
DOCSCTL_ALLOW_PRIVATE names them. At most two requests at a time are sent to one server, with a pause after each. Good addresses are remembered
in the settings folder, so that the next run does not check them again before --max-age.
`,
  examples: [
    'docsctl spaces links Guide --status broken',
    'docsctl spaces links Guide --change-request 7',
    'docsctl spaces links Guide --external --allow-host "*.example.com" --fail-on broken',
    'docsctl spaces links Guide --format github --root docs --fail-on broken',
  ],
};

export const define: DefineCommand = (command, inSession) => {
  command
    .addArgument(requiredArgument('[space]', 'title or ID of the space'))
    .option('--page <page>', 'only links on this page, by path, title or ID')
    .option('--change-request <number>', 'links of the content of this change request, by number or ID')
    .option(
      '--status <status>',
      'only links with this status: ok, broken or in-app; with --external also unreachable or skipped',
    )
    .option(
      '--fail-on <status>',
      'exit with code 3 if there are links with this status; the only value is "broken"',
    )
    .option(
      '--format <format>',
      'table, or github for one annotation per broken link in GitHub workflows',
      'table',
    )
    .option(
      '--root <folder>',
      'folder of the documentation in its repository, written before file names (default: the root in .gitbook.yaml)',
    )
    .option('--external', 'check the addresses of other servers')
    .option(
      '--allow-host <host...>',
      'with --external, check only this host, such as docs.example.com or *.example.com',
    )
    .option(
      '--max-age <hours>',
      'with --external, hours for which a good address is not checked again (default: 24)',
    )
    .option(
      '--concurrency <number>',
      'with --external, number of servers that are asked at once (default: 8)',
    )
    .option(
      '--delay <milliseconds>',
      'with --external, pause between two requests to one server (default: 250)',
    )
    .option('--limit <number>', 'maximum number of links to show, up to 1000')
    .option('--all', 'show every link')
    .action(inSession(showLinks));
};

async function showLinks(session: Session, given: string | undefined, options: Options): Promise<void> {
  const { limit, status } = checkOptions(options);
  const spaceId = await requireParam(session, ['spaceId', given], { hint: 'docsctl spaces links SPACE' });
  const external = options.external === true ? readExternalOptions(options) : undefined;
  const isGithub = options.format === 'github';
  const all = isGithub || options.all === true;
  const whole = all || external !== undefined;
  const filter = { anchors: true, ...defined({ limit: whole ? 1000 : limit }) };
  const list = await linkLister(session, spaceId, options);
  const listed = eachPage<Links>((page) =>
    list({
      ...filter,
      ...(external === undefined ? defined({ status: status as 'ok' | undefined }) : {}),
      ...defined({ page }),
    }),
  );
  const pages =
    external === undefined
      ? listed
      : checkAll(session, listed, external, { status, limit: all ? undefined : (limit ?? defaultLimit) });
  const showsPlace = isGithub || !dataFormats.includes(session.format);
  const root =
    options.root ??
    (showsPlace
      ? await readDocumentationRoot(await session.api(), spaceId, session.runtime.signal)
      : undefined);
  const stats = isGithub ? await annotate(session, pages, root) : await print(session, pages, { root, all });
  // Every list has a first page.
  if (stats === undefined) return;
  const { total, broken, addresses } = stats;
  session.note(`${plural(total, 'link')}, ${broken.total} broken`);
  if (addresses !== undefined) session.note(describeAddresses(addresses));
  if (options.failOn !== undefined && broken.total > 0)
    throw new Problem(
      'partly-failed',
      broken.total === 1 ? `1 of ${total} links is broken.` : `${broken.total} of ${total} links are broken.`,
    );
}

/** Returns the call that lists the links of a space, a page or a change request. */
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

/** Reads all links, checks those to other servers, and yields those with the status. */
async function* checkAll(
  session: Session,
  pages: AsyncIterable<Links>,
  external: ReturnType<typeof readExternalOptions>,
  { status, limit }: { readonly status: string | undefined; readonly limit: number | undefined },
): AsyncGenerator<Links> {
  const all: Static<typeof Link>[] = [];
  let stats: Links['stats'] | undefined;
  for await (const page of pages) {
    ({ stats } = page);
    all.push(...(page.items as readonly Static<typeof Link>[]));
  }
  if (stats === undefined) return;
  const { links, stats: addresses } = await checkExternalLinks(session, all, external);
  const broken = links.filter((link) => link.status === 'broken').length;
  const items = links.filter((link) => status === undefined || link.status === status);
  yield {
    count: items.length,
    stats: { ...stats, broken: { ...stats.broken, total: broken }, addresses },
    items: items.slice(0, limit),
  };
}

/** Checks the options before anything is sent. @throws Problem(usage) */
function checkOptions({ status, failOn, format, limit, ...external }: Options): {
  limit: number | undefined;
  status: string | undefined;
} {
  readExternalOptions(external);
  const known = external.external === true ? externalStatuses : statuses;
  if (status !== undefined && !known.includes(status))
    throw new Problem('usage', `There is no status "${status}".`, {
      hint: `Choose one of: ${known.join(', ')}.`,
    });
  if (failOn !== undefined && failOn !== 'broken')
    throw new Problem('usage', `--fail-on takes "broken", not "${failOn}".`);
  if (format !== 'table' && format !== 'github')
    throw new Problem('usage', `There is no format "${format}".`, {
      hint: 'Use --format table or --format github. For JSON and other formats use -o.',
    });
  if (format === 'github' && status !== undefined && status !== 'broken')
    throw new Problem(
      'usage',
      `--format github shows only broken links, so --status ${status} cannot be used with it.`,
    );
  const number = limit === undefined ? undefined : Number(limit);
  if (number !== undefined && (!Number.isInteger(number) || number < 0 || number > 1000))
    throw new Problem('usage', `--limit takes a number from 0 to 1000, not "${limit}".`);
  return { limit: number, status: format === 'github' ? 'broken' : status };
}

/** Writes annotations of broken links for GitHub. */
async function annotate(
  { terminal }: Session,
  pages: AsyncIterable<Links>,
  root: string | undefined,
): Promise<Links['stats'] | undefined> {
  const { stdout, stdoutIsTTY } = terminal;
  let stats: Links['stats'] | undefined;
  for await (const page of pages) {
    ({ stats } = page);
    const text = page.items.map((link) => `${githubAnnotation(link, root)}\n`).join('');
    if (text !== '') await stdout.write(stdoutIsTTY ? escapeControlsByLine(text) : text);
    if (stdout.closed) break;
  }
  await stdout.flush();
  return stats;
}

/** How links are printed. */
interface PrintOptions {
  readonly root: string | undefined;
  readonly all: boolean;
}

/** Prints links, with their places unless they are printed as data. */
async function print(
  session: Session,
  pages: AsyncIterable<Links>,
  { root, all }: PrintOptions,
): Promise<Links['stats'] | undefined> {
  const isData = dataFormats.includes(session.format);
  const printer = await session.printer({
    columns: ['status', 'place', 'href', 'problem'],
    noun: 'links',
    all,
    fields: ['place', 'problem', ...fieldPaths(Link)],
  });
  let last: Links | undefined;
  for await (const page of pages) {
    last = page;
    const items = isData
      ? page.items
      : page.items.map((link) => ({
          ...link,
          ...defined({ problem: problemOf(link) }),
          place: describePlace(link, root),
        }));
    if (!(await printer.page({ ...page, items })) || !all) break;
  }
  await printer.end();
  const isCut =
    last?.next !== undefined ||
    (last?.stats.addresses !== undefined && (last.count ?? 0) > last.items.length);
  if (last !== undefined && isCut && !all)
    session.note(`Showing ${last.items.length} of ${last.count ?? 'more'} links; use --all for the rest.`);
  return last?.stats;
}
