import type { Command } from 'commander';
import type { Static } from '../../../contract/schema.ts';
import { Problem } from '../../../errors/problem.ts';
import { listPageLinks } from '../../../resources/content/space-pages/contract.ts';
import { Link, listSpaceLinks, type LinkStats } from '../../../resources/spaces/contract.ts';
import { createNames } from '../../names.ts';
import { fieldPaths } from '../../../contract/paths.ts';
import { eachPage } from '../../../contract/each-page.ts';
import type { Session } from '../../session.ts';
import { rootOfSpace } from '../../../content-sync/space-content.ts';
import { escapeControlsByLine } from '../../output/escape-controls.ts';
import { githubAnnotation, describePlace } from './link-place.ts';
import type { RunInSession } from '../../composite-command.ts';

interface Options {
  readonly page?: string;
  readonly status?: string;
  readonly failOn?: string;
  readonly format: string;
  readonly root?: string;
  readonly limit?: string;
  readonly all?: boolean;
}

interface Links {
  readonly next?: { readonly page: string };
  readonly count?: number;
  readonly stats: Static<typeof LinkStats>;
  readonly items: readonly Static<typeof Link>[];
}

/** Formats that give what the API gave. */
const dataFormats: readonly string[] = ['json', 'yaml', 'ndjson'];
const statuses = ['ok', 'broken', 'in-app'];

export function define(command: Command, run: RunInSession): void {
  command
    .argument('[space]', 'space, by id or title')
    .option('--page <page>', 'only the links of this page, by id, path, file or title')
    .option('--status <status>', 'only links that are ok, broken or in-app')
    .option('--fail-on <status>', 'exit 3 when there is a link of this status: broken')
    .option(
      '--format <format>',
      'table, or github: one annotation for each broken link, as workflows of GitHub read them',
      'table',
    )
    .option(
      '--root <folder>',
      'folder of the documentation in its repository, put in front of files; else the root of .gitbook.yaml, where the space has one',
    )
    .option('--limit <number>', 'links to show, at most 1000')
    .option('--all', 'every link')
    .addHelpText(
      'after',
      '\nAn anchor that does not exist does not break a link; addresses of other servers are not visited.\n\nExamples:\n  docsctl spaces links Guide --status broken\n  docsctl spaces links Guide --format github --root docs --fail-on broken\n',
    )
    .action((space: string | undefined, options: Options) =>
      run((session) => showLinks(session, space, options)),
    );
}

async function showLinks(session: Session, space: string | undefined, options: Options): Promise<void> {
  const { limit, status } = check(options);
  if (space === undefined) throw new Problem('usage', 'Which space?', { hint: 'docsctl spaces links SPACE' });
  const names = createNames(session);
  const spaceId = await names.resolve('spaceId', space, {}, 'spaces.links');
  const pageId =
    options.page === undefined
      ? undefined
      : await names.resolve('pageId', options.page, { spaceId }, 'spaces.pages.links');
  const api = await session.api();
  const isGithub = options.format === 'github';
  const all = isGithub || options.all === true;
  const filter = {
    ...(status === undefined ? {} : { status }),
    ...(all ? { limit: 1000 } : limit === undefined ? {} : { limit }),
  };
  const call = async (at: string | undefined): Promise<Links> => {
    const query = at === undefined ? filter : { ...filter, page: at };
    const { signal } = session.runtime;
    return pageId === undefined
      ? api.call(listSpaceLinks, { params: { spaceId }, query }, { signal })
      : api.call(listPageLinks, { params: { spaceId, pageId }, query }, { signal });
  };
  const showsPlace = isGithub || !dataFormats.includes(session.format);
  const root =
    options.root ?? (showsPlace ? await rootOfSpace(api, spaceId, session.runtime.signal) : undefined);
  const stats = isGithub
    ? await annotate(session, eachPage(call), root)
    : await print(session, eachPage(call), root, all);
  const { total, broken } = stats;
  session.note(`${total} ${total === 1 ? 'link' : 'links'}, ${broken.total} broken`);
  if (options.failOn !== undefined && broken.total > 0)
    throw new Problem(
      'partly-failed',
      broken.total === 1 ? `1 of ${total} links is broken.` : `${broken.total} of ${total} links are broken.`,
    );
}

/** Refuses what does not go together before anything is asked. */
function check({ status, failOn, format, limit }: Options): {
  limit: number | undefined;
  status: 'ok' | 'broken' | 'in-app' | undefined;
} {
  if (status !== undefined && !statuses.includes(status))
    throw new Problem('usage', `There is no status "${status}".`, {
      hint: `Choose one of: ${statuses.join(', ')}.`,
    });
  if (failOn !== undefined && failOn !== 'broken') throw new Problem('usage', '--fail-on takes: broken.');
  if (format !== 'table' && format !== 'github')
    throw new Problem('usage', '--format takes table or github.', { hint: 'For JSON and others use -o.' });
  if (format === 'github' && status !== undefined && status !== 'broken')
    throw new Problem('usage', `--format github shows broken links, not those that are ${status}.`);
  const number = limit === undefined ? undefined : Number(limit);
  if (number !== undefined && (!Number.isInteger(number) || number < 0 || number > 1000))
    throw new Problem('usage', '--limit takes a number from 0 to 1000.');
  return { limit: number, status: format === 'github' ? 'broken' : (status as 'ok' | undefined) };
}

async function annotate(
  session: Session,
  listings: AsyncIterable<Links>,
  root: string | undefined,
): Promise<Links['stats']> {
  const { stdout, stdoutIsTTY } = session.terminal;
  let stats: Links['stats'] | undefined;
  for await (const listing of listings) {
    ({ stats } = listing);
    const text = listing.items.map((link) => `${githubAnnotation(link, root)}\n`).join('');
    if (text !== '') await stdout.write(stdoutIsTTY ? escapeControlsByLine(text) : text);
    if (stdout.closed) break;
  }
  await stdout.flush();
  return stats!;
}

/** Prints links in the format of the session; what is printed as data is what the API gave. */
async function print(
  session: Session,
  listings: AsyncIterable<Links>,
  root: string | undefined,
  all: boolean,
): Promise<Links['stats']> {
  const isData = dataFormats.includes(session.format);
  const printer = await session.printer({
    columns: ['status', 'place', 'href'],
    noun: 'links',
    all,
    fields: ['place', ...fieldPaths(Link)],
  });
  let last: Links | undefined;
  for await (const listing of listings) {
    last = listing;
    const items = isData
      ? listing.items
      : listing.items.map((link) => ({ ...link, place: describePlace(link, root) }));
    if (!(await printer.page({ ...listing, items })) || !all) break;
  }
  await printer.end();
  if (last?.next !== undefined && !all)
    session.note(`${last.items.length} of ${last.count ?? 'more'} shown; --all for the rest.`);
  return last!.stats;
}
