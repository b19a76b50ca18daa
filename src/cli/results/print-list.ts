import { eachPage } from '../../contract/each-page.ts';
import { maxLimitOf, type Operation } from '../../contract/operation.ts';
import { fieldPaths } from '../../contract/paths.ts';
import type { Progress } from '../../contract/progress.ts';
import { defined, joinAnd, plural } from '../../contract/values.ts';
import { Problem } from '../../errors/problem.ts';
import { nounOf } from '../../resources/index.ts';
import { pluralNoun } from '../confirm/confirm.ts';
import { flagsOfField } from '../input/flags.ts';
import type { Listing } from '../output/format.ts';
import { createProgress } from '../output/progress.ts';
import { wantsTable, type Session } from '../session/session.ts';
import { columnsOf, tableViewOf, type TableView } from './table-views.ts';

interface ListRequest {
  readonly params: { readonly organizationId?: string; readonly spaceId?: string };
  readonly query: Readonly<Record<string, unknown>>;
  /** The body of a listing operation; most have none. */
  readonly body?: unknown;
  /** The command line, for hints that add an option to it. */
  readonly command?: string | undefined;
  /** Whether --all is given. */
  readonly isWhole: boolean;
}

/** Prints one page of a list or the whole list, and notes if there is more. A sorted or queried list is fetched completely. */
export async function printList(
  session: Session,
  operation: Operation,
  { params, query: given, body, command, isWhole }: ListRequest,
): Promise<void> {
  const { flags, format, isInteractive } = session;
  const { clock } = session.runtime;
  const statuses = readStatuses(operation, given);
  const limit = typeof given['limit'] === 'number' ? given['limit'] : undefined;
  const sortsAll = flags.sortBy !== undefined && given['page'] === undefined && limit !== 0;
  const queriesAll = flags.query !== undefined && given['page'] === undefined && limit === undefined;
  const all = isWhole || statuses !== undefined || sortsAll || queriesAll;
  const maxLimit = maxLimitOf(operation);
  /** For a sorted list, --limit is the number of first items. */
  const top = sortsAll && !isWhole ? limit : undefined;
  const view = tableViewOf(operation.id, session, given);
  const onTerminal = (flags.wide === true ? view?.wideColumns : undefined) ?? view?.interactiveColumns;
  const columns = (isInteractive ? onTerminal : undefined) ?? view?.columns ?? operation.cli.columns ?? [];
  const printer = await session.printer({
    columns,
    knownColumns: columnsOf(operation.id),
    noun: listedNoun(operation),
    all,
    ...defined({ top, emptyNote: view?.emptyNote && (() => view.emptyNote!(session, params, given)) }),
    fields: [...fieldPaths(operation.returns.item ?? {}), ...(view?.fields ?? [])],
  });
  const showsAdded = isInteractive || flags.columns !== undefined || flags.sortBy !== undefined;
  const addFields = showsAdded ? await view?.open?.(session, params.organizationId ?? '', params) : undefined;
  const { page: start, ...filters } = given;
  const query = all
    ? { ...filters, limit: Math.min((top === undefined ? limit : undefined) ?? maxLimit, maxLimit) }
    : filters;
  const showsTitles = isInteractive && wantsTable(session) && flags.wide !== true;
  const nameReferences = showsTitles
    ? (await import('../names/reference-titles.ts')).createReferenceTitles(session, operation.id, params)
    : undefined;
  const showsProgress = all && (sortsAll || !session.terminal.stdoutIsTTY);
  let progress: Progress | undefined;
  let fetched = 0;
  const list = async (more: object) =>
    (await session.call(operation, {
      params,
      query: { ...query, ...more },
      ...defined({ body }),
    } as never)) as unknown as Listing;
  const pages =
    statuses === undefined
      ? eachPage((page) => list(defined({ page })), start as string | undefined)
      : eachStatus(statuses, list);
  for await (const listing of pages) {
    const { items, next, count } = listing;
    if (limit === 0 && !all && format === 'table' && flags.query === undefined)
      return session.note(`--limit 0 only counts: ${describeCount(count, view)}.`);
    fetched += items.length;
    if (showsProgress && (next !== undefined || progress !== undefined)) {
      progress ??= createProgress(session.terminal, { label: 'fetched', total: count, clock });
      progress.tick(items.length);
    }
    const plain =
      (await addFields?.(items)) ??
      (view === undefined ? items : items.flatMap((item) => view.rows(item, { query, session })));
    const shown = [...columns, ...(flags.columns?.split(',') ?? [])];
    const rows = (await nameReferences?.(shown, plain as readonly object[])) ?? plain;
    if (!(await printer.page({ ...listing, items: rows }))) return progress?.done();
    if (next === undefined && items.length === 0) {
      const countOf = async (status: string) => (await list({ status, limit: 0 })).count ?? 0;
      await noteFilter(session, operation, { query, command }, countOf);
    }
    if (next === undefined || all) continue;
    await printer.end();
    const [pageFlag] = flagsOfField('page', operation);
    if (flags.sortBy !== undefined)
      session.note(`Only this page was sorted. Leave out --${pageFlag} to sort the whole list.`);
    return session.note(
      `Showing ${shownOf(items.length, count, view)}. Add --all to show the rest, or for the next page:
  --${pageFlag} ${next.page}`,
    );
  }
  progress?.done();
  await printer.end();
  if (top !== undefined && top < fetched)
    session.note(`Showing ${top} of ${fetched}. Add --all to show the rest.`);
  const note = view?.listNote?.(query);
  if (note !== undefined) session.note(note);
}

/**
 * Returns the noun for the items of a list: its verb if that is a plural, as in `collections spaces`, otherwise the noun of the
 * command.
 */
function listedNoun({ id }: Operation): string {
  const verb = id.replace(/^.*\./, '');
  return /[^s]s$/.test(verb) ? verb.replaceAll('-', ' ') : pluralNoun(nounOf(id).words);
}

function describeCount(count: number | undefined, view: TableView | undefined): string {
  if (count === undefined) return 'the number is not known';
  return view?.counted === undefined ? `${count}` : plural(count, view.counted.noun);
}

/** Returns "2 of 3", "2; there are more" if the total is unknown, or "the pages of 2 of 3 spaces" if an item has several rows. */
function shownOf(shown: number, count: number | undefined, view: TableView | undefined): string {
  const { of = '' } = view?.counted ?? {};
  if (count === undefined) return `${of}${shown}; there are more`;
  return `${of}${shown} of ${view?.counted === undefined ? count : plural(count, view.counted.noun)}`;
}

/** Parses the statuses of `--status a,b` or `all`. The API accepts one at a time. */
function readStatuses(
  operation: Operation,
  { status, page, limit }: Readonly<Record<string, unknown>>,
): readonly string[] | undefined {
  const { enum: known = [] } = statusSchema(operation);
  if (typeof status !== 'string' || known.length === 0 || known.includes(status)) return undefined;
  const statuses = status === 'all' ? known : status.split(',').map((word) => word.trim());
  if (statuses.length < 2) return undefined;
  if (page !== undefined || limit !== undefined)
    throw new Problem('usage', '--limit and --page work with one status only.', {
      hint: 'Give one status, or leave out --limit and --page.',
    });
  return statuses;
}

async function* eachStatus(
  statuses: readonly string[],
  list: (query: object) => Promise<Listing>,
): AsyncGenerator<Listing> {
  for (const status of statuses) yield* eachPage((page) => list({ status, ...defined({ page }) }));
}

interface StatusSchema {
  readonly default?: unknown;
  readonly enum?: readonly string[];
  readonly items?: { readonly enum?: readonly string[] };
}

function statusSchema({ query }: Operation): StatusSchema {
  return query.properties['status'] ?? {};
}

/** Notes that a list is empty because of its default status: new change requests are drafts, and only open ones are listed. */
async function noteFilter(
  session: Session,
  operation: Operation,
  { query, command }: Pick<ListRequest, 'query' | 'command'>,
  countOf: (status: string) => Promise<number>,
): Promise<void> {
  const { default: standard, enum: own, items } = statusSchema(operation);
  if (standard === undefined || standard === 'all' || query['status'] !== undefined) return;
  const filters = Object.keys(query).filter((name) => !['page', 'limit', 'orderBy', 'format'].includes(name));
  const flags = joinAnd(filters.map((name) => `--${flagsOfField(name, operation)[0]}`));
  const nothing =
    flags === ''
      ? `Nothing has the status ${String(standard)}`
      : `Nothing with the status ${String(standard)} matches ${flags}`;
  const drafts = own?.includes('draft') === true ? await countOf('draft') : 0;
  const [verb, before, after] = command === undefined ? ['add', '', ''] : ['run', `\`${command} `, '`'];
  if (drafts > 0)
    return session.note(
      `${nothing}, but there ${drafts === 1 ? 'is' : 'are'} ${plural(drafts, 'draft')}. To show ${drafts === 1 ? 'it' : 'them'}, ${verb} ${before}--status draft${after}; to show everything, ${verb} ${before}--status all${after}.`,
    );
  const defaults = String(standard).split(',');
  const others = (own ?? items?.enum ?? []).filter((status) => !defaults.includes(status));
  const choice = own === undefined ? others.join(',') : `all (or ${others.join(', ')})`;
  session.note(`${nothing}. To show others, add --status ${choice}.`);
}
