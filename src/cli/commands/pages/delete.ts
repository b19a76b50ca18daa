import { openContent } from '../../../content-sync/space-content.ts';
import { flattenPages, plural } from '../../../contract/values.ts';
import type { ContentChange } from '../../../content/changes.ts';
import { isPage } from '../../../content/tree.ts';
import type { PageBody } from '../../../resources/content/schemas.ts';
import type { CommandHelp, DefineCommand } from '../../composite-command.ts';
import { confirm } from '../../confirm/confirm.ts';
import type { Session } from '../../session/session.ts';
import { addChangeRequestOptions, checkChangeRequestOptions } from '../change-requests/open.ts';
import { addPageArguments, resolvePage } from './read-page.ts';
import { namePages, readPlace, sendChanges, type PageChangeOptions } from './send-changes.ts';

export const help: CommandHelp = {
  description: `
Deletes pages, and the pages below them, in a change request. The space keeps the pages until the change request is
merged. --merge merges it after a confirmation, or without one if you give --yes. \`docsctl revisions restore\` brings
deleted pages back.

--redirects creates no redirects for the deleted pages. To redirect their paths, run \`docsctl sites redirects create\`.
`,
  examples: [
    'docsctl pages delete Guide quickstart',
    'docsctl pages delete Guide guides/install guides/api-keys --change-request 4',
    'docsctl pages delete Guide quickstart --merge --yes',
  ],
};

export const define: DefineCommand = (command, inSession) => {
  addPageArguments(
    addChangeRequestOptions(command),
    '[pages...]',
    'paths, titles or IDs of the pages to delete',
  ).action(inSession(deletePages));
};

async function deletePages(
  session: Session,
  space: string | undefined,
  names: readonly string[],
  options: PageChangeOptions,
): Promise<void> {
  checkChangeRequestOptions(options);
  const example = 'docsctl pages delete Guide quickstart';
  const named = await readPlace(session, [space, ...names], options, { example });
  const { pages, content } = named;
  const ids = new Set<string>();
  for (const page of pages) ids.add(await resolvePage(session, page, content));
  const reader = await openContent(await session.api(), content, session.runtime.signal);
  const all = flattenPages(await reader.pages(false)).reverse();
  const consequence = describeBelow(all, ids);
  if (session.flags.dryRun === true) {
    if (consequence !== undefined) session.note(consequence);
  } else if (options.merge === true)
    await confirm(session, { verb: 'delete', noun: 'pages', names: pages, consequence });
  // Deleting a page deletes its descendants, so descendants come first.
  const changes = all.flatMap(({ id }): ContentChange[] =>
    ids.has(id) ? [{ operation: 'delete_page', page: id }] : [],
  );
  const titles = all.flatMap(({ id, title }) => (ids.has(id) ? [title] : []));
  await sendChanges(session, named, { changes, title: `Delete ${namePages(titles)}` }, options);
}

/** Describes how many descendants are deleted with the named pages. */
function describeBelow(all: readonly PageBody[], ids: ReadonlySet<string>): string | undefined {
  const deleted = new Set(flattenPages(all.filter(({ id }) => ids.has(id))).filter(isPage));
  const below = [...deleted].filter(({ id }) => !ids.has(id)).length;
  if (below === 0) return undefined;
  return `${plural(below, 'page')} below ${ids.size === 1 ? 'it' : 'them'} ${below === 1 ? 'is' : 'are'} deleted with ${ids.size === 1 ? 'it' : 'them'}.`;
}
