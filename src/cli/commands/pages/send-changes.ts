import type { ContentRef } from '../../../content-sync/space-content.ts';
import type { ContentChange } from '../../../content/changes.ts';
import { defined, plural } from '../../../contract/values.ts';
import { batchContent, updateContent } from '../../../resources/content/change-request/contract.ts';
import { requireParam, requireTitle } from '../../names/choose-missing.ts';
import { wantsDocument, wantsTable, type Session } from '../../session/session.ts';
import { editContent, type ChangeRequestOptions, type OpenChangeRequest } from '../change-requests/open.ts';

export interface PageChangeOptions extends ChangeRequestOptions {
  readonly space?: string;
}

/** A space and pages in it, by the names that the user gave. */
interface NamedPages {
  readonly space: string;
  readonly content: ContentRef;
  readonly pages: readonly string[];
}

/**
 * Reads the arguments `[space] [pages...]`. With --space, all of them are pages. On a terminal, the user is asked for missing
 * ones: for a page of the space, or with `areNew` for the title of a new one.
 * @throws Problem(usage) if an argument is missing and there is no terminal
 */
export async function readPlace(
  session: Session,
  given: readonly (string | undefined)[],
  { space: named, changeRequest }: PageChangeOptions,
  { example, areNew = false }: { example: string; areNew?: boolean },
): Promise<NamedPages> {
  const [space, ...pages] = [named, ...given].filter((word) => word !== undefined);
  const hint = `Give the space and the ${areNew ? 'title' : 'page'}, for example \`${example}\`.`;
  const spaceId = await requireParam(session, ['spaceId', space], { hint });
  const content = { spaceId, ...defined({ changeRequestId: changeRequest }) };
  if (pages.length === 0)
    pages.push(
      areNew
        ? await requireTitle(session, hint)
        : await requireParam(session, ['pageId', undefined], { params: content, hint }),
    );
  return { space: space ?? spaceId, content, pages };
}

/** Returns the name of a page, or the number of several pages. */
export function namePages(pages: readonly string[]): string {
  return pages.length === 1 ? `${pages[0]}` : plural(pages.length, 'page');
}

/** Maximum number of changes of one call in the official API. */
const maxChanges = 50;

/** Sends changes to an open change request, all or none. Returns its last revision, and the created or changed pages. */
export async function sendAtOnce(
  session: Session,
  { params }: OpenChangeRequest,
  changes: readonly ContentChange[],
): Promise<{ revision: string; pages: readonly object[] }> {
  const input = { params, body: { changes: [...changes] } };
  const { revision, pages = [] } =
    changes.length <= maxChanges
      ? await session.call(updateContent, { ...input, query: { compat: false } })
      : await session.call(batchContent, input);
  return { revision, pages };
}

/** Prints pages. Only data formats contain the type of the answer, such as updated_page. */
export function printPages(session: Session, pages: readonly object[]): Promise<void> {
  const columns = wantsTable(session) ? ['title', 'path', 'id'] : ['title', 'path', 'type', 'id'];
  return session.printAll(pages, { columns, noun: 'pages' });
}

/**
 * Sends changes of pages to a change request, merges it if requested, and prints the pages. `title` is the subject of a new
 * change request.
 */
export async function sendChanges(
  session: Session,
  { space, content }: NamedPages,
  { changes, title }: { changes: readonly ContentChange[]; title: string },
  options: ChangeRequestOptions,
): Promise<void> {
  const { spaceId } = content;
  if (session.flags.dryRun === true) {
    const { printRequests } = await import('../../results/print-results.ts');
    const params = { spaceId, changeRequestId: content.changeRequestId ?? 'NEW' };
    const isOne = changes.length <= maxChanges;
    const query = isOne ? { compat: false } : {};
    return printRequests(session, isOne ? updateContent : batchContent, [params], {
      query,
      body: { changes },
    });
  }
  await editContent(session, options, {
    spaceId,
    space,
    title,
    unchanged: 'Nothing changed: the pages already have these values.',
    send: (request) => sendAtOnce(session, request, changes),
    print: (result, { pages }) =>
      wantsDocument(session) ? session.print({ ...result, pages }) : printPages(session, pages),
  });
}
