import { changeRemainingLinks } from '../../../content-sync/copied-links.ts';
import {
  batchesOf,
  readPagesToCopy,
  sendCopies,
  type CopyResult,
  type PagesToCopy,
} from '../../../content-sync/copy-pages.ts';
import { openContent, type ContentRef } from '../../../content-sync/space-content.ts';
import type { ContentChange } from '../../../content/changes.ts';
import { slugKey } from '../../../content/slugs.ts';
import { isPage } from '../../../content/tree.ts';
import { shellWord } from '../../../contract/shell-word.ts';
import { defined, flattenPages, listSome, plural } from '../../../contract/values.ts';
import type { PageBody } from '../../../resources/content/schemas.ts';
import { updateContent } from '../../../resources/content/change-request/contract.ts';
import { resolvePage } from './read-page.ts';
import type { Moved } from '../../results/moved-redirects.ts';
import { wantsDocument, type Session } from '../../session/session.ts';
import {
  editContent,
  type ChangeRequestOptions,
  type EditResult,
  type OpenChangeRequest,
} from '../change-requests/open.ts';
import { PageTree, resolveTarget, type Place, type PlaceOptions } from './page-tree.ts';
import { printPages, sendAtOnce, type PageChangeOptions } from './send-changes.ts';

/** The options of commands that copy and move pages. */
export interface TransferOptions extends PageChangeOptions, PlaceOptions {
  readonly top?: boolean;
  readonly toSpace?: string;
}

/** A space by its ID, and by the name that the user gave. */
interface NamedSpace {
  readonly spaceId: string;
  readonly space: string;
}

interface Transfer {
  readonly source: ContentRef;
  readonly to: NamedSpace;
  /** The names of the pages that the user gave. */
  readonly names: readonly string[];
  readonly place: PlaceOptions & { readonly top?: boolean };
  readonly title: string;
}

interface CopiedPages extends CopyResult {
  readonly copy: PagesToCopy;
}

export interface Transferred extends CopiedPages {
  readonly edit: EditResult;
}

/**
 * Copies pages with their descendants to a change request of a space. `onSent` is called before the change request is merged.
 * Returns undefined with --dry-run, which sends nothing.
 */
export async function copyPages(
  session: Session,
  { source, to, names, place, title }: Transfer,
  options: ChangeRequestOptions,
  onSent?: (sent: CopiedPages) => Promise<void>,
): Promise<Transferred | undefined> {
  const api = await session.api();
  const { signal } = session.runtime;
  const roots: string[] = [];
  for (const name of names) roots.push(await resolvePage(session, name, source));
  const copy = await readPagesToCopy(api, source, new Set(roots), signal);
  const content = { spaceId: to.spaceId, ...defined({ changeRequestId: options.changeRequest }) };
  const reader = await openContent(api, content, signal);
  const tree = await reader.pages(false);
  const places = await choosePlaces(session, { copy, roots, place, tree, content });
  if (session.flags.dryRun === true) {
    const [pages, files] = [
      plural(copy.pages.filter(({ page }) => isPage(page)).length, 'page'),
      plural(copy.files.length, 'file'),
    ];
    const what = source.spaceId === to.spaceId ? pages : `${pages} and ${files}`;
    session.note(`Dry run: ${what} would be copied to ${to.space}. Nothing was sent.`);
    return undefined;
  }
  const files = source.spaceId === to.spaceId ? [] : await reader.files();
  let result: CopyResult | undefined;
  const edit = await editContent(session, options, {
    ...to,
    title,
    unchanged: 'Nothing changed: there are no pages to copy.',
    send: async ({ params, revision: before }) => {
      let revision = before;
      result = await sendCopies(copy, {
        spaceId: to.spaceId,
        places,
        slugs: slugsIn(tree),
        files,
        send: async (changes) => {
          const body = { changes: [...changes] };
          const answer = await session.call(updateContent, { params, query: { compat: false }, body });
          ({ revision } = answer);
          return answer;
        },
      });
      await onSent?.({ ...result, copy });
      return { revision };
    },
  });
  return result === undefined || edit === undefined ? undefined : { ...result, copy, edit };
}

interface Placing {
  readonly copy: PagesToCopy;
  readonly roots: readonly string[];
  readonly place: Transfer['place'];
  readonly tree: readonly PageBody[];
  readonly content: ContentRef;
}

/**
 * Returns the places of the copies: those in the options, beside the originals in the same space, or the end of the top level.
 */
async function choosePlaces(
  session: Session,
  { copy, roots, place, tree, content }: Placing,
): Promise<Map<string, Place>> {
  const pages = new PageTree(tree);
  const isGiven = Object.values(place).some((option) => option !== undefined);
  const target = await resolveTarget(session, content, place);
  const tops = new Set(copy.pages.filter(({ parent }) => parent === undefined).map(({ page }) => page.id));
  const places = new Map<string, Place>();
  let { sibling } = target;
  for (const root of roots) {
    if (!tops.has(root) || places.has(root)) continue;
    const isBeside = !isGiven && copy.source.spaceId === content.spaceId;
    const own = isBeside
      ? { parent: null, sibling: root, isAfter: true }
      : { ...target, ...defined({ sibling }) };
    places.set(root, pages.put(`copy of ${root}`, own));
    if (target.isAfter === true) sibling = `copy of ${root}`;
  }
  return places;
}

function slugsIn(tree: readonly PageBody[]): Map<string | null, Set<string>> {
  const slugsOf = (pages: readonly PageBody[]): Set<string> =>
    new Set(pages.flatMap(({ slug }) => (slug === undefined ? [] : [slugKey(slug)])));
  const below = flattenPages(tree).map(({ id, pages = [] }) => [id, slugsOf(pages)] as const);
  return new Map<string | null, Set<string>>([[null, slugsOf(tree)], ...below]);
}

/**
 * Moves pages to another space: one change request creates them in that space, another deletes them in their own. Both have all
 * changes before one of them is merged. Returns undefined with --dry-run, which sends nothing.
 */
export async function movePagesTo(
  session: Session,
  transfer: Transfer,
  { from, title }: { from: NamedSpace; title: string },
  options: ChangeRequestOptions,
): Promise<{ copied: Transferred; source: EditResult | undefined } | undefined> {
  const { to } = transfer;
  if (session.flags.dryRun === true) {
    await copyPages(session, transfer, options);
    return undefined;
  }
  let copied: Transferred | undefined;
  let removing: number | undefined;
  const unchanged = 'Nothing changed: the pages are no longer in the space.';
  const send = async (request: OpenChangeRequest): Promise<{ revision: string }> => {
    let { revision } = request;
    // The copied pages are read from the change request that deletes them, so a later edit of a page becomes a conflict.
    const source = { ...request.params };
    copied = await copyPages(session, { ...transfer, source }, options, async (sent) => {
      revision = await removeMoved(session, sent, request, to);
      removing = request.number;
    });
    return { revision };
  };
  try {
    const isKept = () => removing !== undefined;
    const source = await editContent(session, options, { ...from, title, unchanged, send, isKept });
    return copied && { copied, source };
  } catch (error) {
    if (copied?.edit.merged === true)
      session.note(
        `The copies are in ${to.space} now. The pages stay in ${from.space} until its change request is merged.`,
      );
    else if (removing !== undefined)
      session.note(
        `Change request ${removing} of ${from.space} deletes the pages. Merge it after the change request of ${to.space}: \`docsctl change-requests merge ${removing} --space ${shellWord(from.space)}\`.`,
      );
    throw error;
  }
}

/** Deletes pages that were copied to another space, and changes links to them in the remaining pages. Returns the revision. */
async function removeMoved(
  session: Session,
  { copy, ids }: CopiedPages,
  request: OpenChangeRequest,
  to: NamedSpace,
): Promise<string> {
  const api = await session.api();
  const { signal } = session.runtime;
  const moved = { ids, spaceId: to.spaceId };
  const { changes, reusableContents } = await changeRemainingLinks(api, copy.source, moved, signal);
  const all: ContentChange[] = [
    ...changes,
    // Deleting a page deletes its descendants.
    ...copy.pages.flatMap(({ page, parent }): ContentChange[] =>
      parent === undefined ? [{ operation: 'delete_page', page: page.id }] : [],
    ),
  ];
  let { revision } = request;
  for (const batch of batchesOf(all)) ({ revision } = await sendAtOnce(session, request, batch));
  if (changes.length > 0)
    session.note(`Links of ${plural(changes.length, 'remaining page')} lead to ${to.space} now.`);
  if (reusableContents.length > 0)
    session.note(
      `warning: Reusable content links to moved pages, and is not changed: ${listSome(reusableContents)}.`,
    );
  return revision;
}

/** Prints copied or moved pages, with their change requests. */
export async function printTransferred(
  session: Session,
  { pages, files, edit }: Transferred,
  to: NamedSpace,
  source?: EditResult,
  redirects?: readonly Moved[],
): Promise<void> {
  const { number, id, merged } = edit;
  const document = {
    number,
    id,
    space: to.spaceId,
    merged,
    ...(source && { source: { number: source.number, id: source.id, merged: source.merged } }),
    files,
    pages,
    ...defined({ redirects }),
  };
  if (wantsDocument(session)) return session.print(document);
  await printPages(session, pages);
  if (files > 0) session.note(`Copied ${plural(files, 'file')} that the pages use.`);
}
