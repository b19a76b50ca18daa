import { readDocumentationRoot } from '../../../content-sync/space-content.ts';
import { eachPage } from '../../../contract/each-page.ts';
import { fieldPaths } from '../../../contract/paths.ts';
import type { Static } from '../../../contract/schema.ts';
import { defined, plural } from '../../../contract/values.ts';
import { Problem } from '../../../errors/problem.ts';
import { listPageLinks } from '../../../resources/content/space-pages/contract.ts';
import { Link, listSpaceLinks, type LinkStats } from '../../../resources/spaces/contract.ts';
import { type DefineCommand } from '../../composite-command.ts';
import { requireParam } from '../../choose-missing.ts';
import { resolveName } from '../../names.ts';
import { escapeControlsByLine } from '../../output/escape-controls.ts';
import type { Session } from '../../session.ts';
import { describePlace, githubAnnotation } from './link-place.ts';
import type { CommandHelp } from '../../command-help.ts';
import { requiredArgument } from '../../required.ts';

interface Options {
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
  readonly stats: Static<typeof LinkStats>;
  readonly items: readonly Static<typeof Link>[];
}

/** Formats that print links as the API gives them. */
const dataFormats: readonly string[] = ['json', 'yaml', 'ndjson'];
const statuses = ['ok', 'broken', 'in-app'];

export const help: CommandHelp = {
  description: `
Finds links in Markdown, HTML and tags such as content-ref; links in code are not listed. A link is broken if its page or file
does not exist. Missing anchors and addresses of other servers are not checked.
`,
  examples: [
    'docsctl spaces links Guide --status broken',
    'docsctl spaces links Guide --format github --root docs --fail-on broken',
  ],
};

export const define: DefineCommand = (command, inSession) => {
  command
    .addArgument(requiredArgument('[space]', 'title or ID of the space'))
    .option('--page <page>', 'only links on this page, by path, title or ID')
    .option('--status <status>', 'only links with this status: ok, broken or in-app')
    .option('--fail-on <status>', 'exit with code 3 if there are broken links; the only value is broken')
    .option(
      '--format <format>',
      'table, or github for one annotation per broken link in GitHub workflows',
      'table',
    )
    .option(
      '--root <folder>',
      'folder of the documentation in its repository, written before file names (default: the root in .gitbook.yaml)',
    )
    .option('--limit <number>', 'maximum number of links to show, up to 1000')
    .option('--all', 'show every link')
    .action(inSession(showLinks));
};

async function showLinks(session: Session, given: string | undefined, options: Options): Promise<void> {
  const { limit, status } = checkOptions(options);
  const spaceId = await requireParam(session, ['spaceId', given], { hint: 'docsctl spaces links SPACE' });
  const pageId =
    options.page === undefined ? undefined : await resolveName(session, 'pageId', options.page, { spaceId });
  const isGithub = options.format === 'github';
  const all = isGithub || options.all === true;
  const filter = defined({ status, limit: all ? 1000 : limit });
  const pages = eachPage<Links>((page) => {
    const query = { ...filter, ...defined({ page }) };
    return pageId === undefined
      ? session.call(listSpaceLinks, { params: { spaceId }, query })
      : session.call(listPageLinks, { params: { spaceId, pageId }, query });
  });
  const showsPlace = isGithub || !dataFormats.includes(session.format);
  const root =
    options.root ??
    (showsPlace
      ? await readDocumentationRoot(await session.api(), spaceId, session.runtime.signal)
      : undefined);
  const stats = isGithub ? await annotate(session, pages, root) : await print(session, pages, root, all);
  // Every list has a first page.
  if (stats === undefined) return;
  const { total, broken } = stats;
  session.note(`${plural(total, 'link')}, ${broken.total} broken`);
  if (options.failOn !== undefined && broken.total > 0)
    throw new Problem(
      'partly-failed',
      broken.total === 1 ? `1 of ${total} links is broken.` : `${broken.total} of ${total} links are broken.`,
    );
}

/** Checks the options before anything is sent. @throws Problem(usage) */
function checkOptions({ status, failOn, format, limit }: Options): {
  limit: number | undefined;
  status: 'ok' | 'broken' | 'in-app' | undefined;
} {
  if (status !== undefined && !statuses.includes(status))
    throw new Problem('usage', `There is no status "${status}".`, {
      hint: `Choose one of: ${statuses.join(', ')}.`,
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
  return { limit: number, status: format === 'github' ? 'broken' : (status as 'ok' | undefined) };
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

/** Prints links, with their places unless they are printed as data. */
async function print(
  session: Session,
  pages: AsyncIterable<Links>,
  root: string | undefined,
  all: boolean,
): Promise<Links['stats'] | undefined> {
  const isData = dataFormats.includes(session.format);
  const printer = await session.printer({
    columns: ['status', 'place', 'href'],
    noun: 'links',
    all,
    fields: ['place', ...fieldPaths(Link)],
  });
  let last: Links | undefined;
  for await (const page of pages) {
    last = page;
    const items = isData
      ? page.items
      : page.items.map((link) => ({ ...link, place: describePlace(link, root) }));
    if (!(await printer.page({ ...page, items })) || !all) break;
  }
  await printer.end();
  if (last?.next !== undefined && !all)
    session.note(`Showing ${last.items.length} of ${last.count ?? 'more'} links; use --all for the rest.`);
  return last?.stats;
}
