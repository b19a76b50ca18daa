import type { Command } from 'commander';
import { requiredArgument } from '../../composite-command.ts';
import { seedOf } from '../../../content/generated/generated-id.ts';
import type { ContentRef } from '../../../content-sync/space-content.ts';
import { defined } from '../../../contract/values.ts';
import { Problem } from '../../../errors/problem.ts';
import type { PageBody } from '../../../resources/content/schemas.ts';
import { requireParam } from '../../names/choose-missing.ts';
import { resolveName } from '../../names/names.ts';
import { canAsk, type Session } from '../../session/session.ts';
import { refuseTogether } from '../../input/given-twice.ts';

export interface PageOptions {
  readonly space?: string;
  readonly changeRequest?: string;
  readonly revision?: string;
}

/** Adds the arguments for a space and for another value, and --space, which replaces the first argument. */
export function addPageArguments(command: Command, name: string, description: string): Command {
  return command
    .addArgument(requiredArgument('[space]', 'title or ID of the space'))
    .addArgument(requiredArgument(name, description))
    .option('--space <space>', 'title or ID of the space, if it is not the first argument');
}

interface PageReadQuery {
  /** Whether to draw the blocks of integrations (default false). */
  readonly blocks?: boolean;
  /** Whether to insert the texts that the page includes (default: no). */
  readonly dereferenced?: 'reusable-contents';
}

/** The names of a page and its space. */
export interface PagePlace extends PageOptions {
  readonly page?: string | undefined;
}

/** Reads the arguments `[space] [page]`. With --space, the first argument is the page. */
export function placeOf(
  first: string | undefined,
  second: string | undefined,
  options: PageOptions,
): PagePlace {
  const [space, page] = options.space === undefined ? [first, second] : [options.space, first];
  return { ...options, ...defined({ space }), page };
}

/** The hint if the space or the page is missing. */
export const pageHint = 'Give the space and the page, for example `docsctl pages show Guide quickstart`.';

/** Finds a page in a space, change request or revision, and reads it with its text. */
export async function findPage(
  session: Session,
  place: PagePlace,
  query: PageReadQuery = {},
): Promise<{ spaceId: string; page: PageBody }> {
  const { changeRequest, revision } = place;
  const known = session.settings.space?.value;
  // With a default space, a single argument is the page.
  const [space, page] =
    place.page === undefined && known !== undefined ? [known, place.space] : [place.space, place.page];
  refuseTogether({ changeRequest, revision });
  const hint = pageHint;
  // Otherwise a single page would be searched among the spaces.
  if (space !== undefined && page === undefined && !canAsk(session))
    throw new Problem('usage', 'No page is given.', { hint });
  const spaceId = await requireParam(session, ['spaceId', space], { hint });
  const content = { spaceId, ...defined({ changeRequestId: changeRequest, revisionId: revision }) };
  const pageId = await requireParam(session, ['pageId', page], { params: content, hint });
  return { spaceId, page: await readPageById(session, { ...content, pageId }, query) };
}

/**
 * Returns the ID of a page that can be changed, by its path, title or ID.
 * @throws Problem(invalid-input) if the page is generated
 */
export async function resolvePage(session: Session, page: string, content: ContentRef): Promise<string> {
  const id = await resolveName(session, 'pageId', page, { ...content });
  refuseGenerated(id, page);
  return id;
}

/** @throws Problem(invalid-input) if a page with this ID is generated */
export function refuseGenerated(id: string, page: string): void {
  if (seedOf(id) !== undefined)
    throw new Problem('invalid-input', `"${page}" is a generated page and cannot be changed.`, {
      hint: 'To write the pages of a specification as Markdown that you can edit, run `docsctl openapi pages SLUG -d FOLDER`.',
    });
}

/** Reads a page with its Markdown. */
export async function readPageById(
  session: Session,
  params: ContentRef & { pageId: string },
  query: PageReadQuery = {},
): Promise<PageBody> {
  // The three operations differ only in their path parameters, which `params` has.
  const { getPage } = (await contractOf(
    params,
  )) as typeof import('../../../resources/content/space-pages/contract.ts');
  return session.call(getPage, { params, query: { format: 'markdown', texts: false, ...query } });
}

function contractOf({ changeRequestId, revisionId }: ContentRef): Promise<unknown> {
  if (changeRequestId !== undefined)
    return import('../../../resources/content/change-request-pages/contract.ts');
  if (revisionId !== undefined) return import('../../../resources/content/revision-pages/contract.ts');
  return import('../../../resources/content/space-pages/contract.ts');
}
