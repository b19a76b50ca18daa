import type { Static } from '../../contract/schema.ts';
import { changeRequests } from '../../core/rows/change-requests.ts';
import { getExisting } from '../../core/store.ts';
import type { ChangeRequest } from '../change-requests/contract.ts';
import { publicationOf } from '../sites/publication.ts';
import { shapeChangeRequest } from '../change-requests/shape.ts';
import { readBlob } from '../../content/blobs.ts';
import { readSpaceTags, readSpaceVariables } from '../../content/folder-text.ts';
import type { Deferred } from '../../core/handler.ts';
import { withWebAddress } from '../git-sync/shape.ts';
import { withIntegrationPages } from './integration-pages/with-pages.ts';
import { readContent, readRevision } from '../../content/revisions.ts';
import type { FolderText, Revision } from './schemas.ts';
import { appUrl, shapeAllPages, shapeFile, shapeReusableContent, type PagesQuery } from './shape.ts';
import { defined } from '../../contract/values.ts';
import type { TextEntry } from '../../content/rows.ts';
import { revisionOf, type ContentSource } from '../../content/content-source.ts';

/** Returns the whole content of a space, change request or revision. */
export async function showContent(
  content: ContentSource,
  query: PagesQuery,
): Promise<Deferred<Static<typeof Revision>>> {
  const { id, parents, createdAt, type, mergedFrom, git } = await readRevision(
    content.tx,
    revisionOf(content),
  );
  const entries = await readContent(content.tx, id);
  const texts = entries.filter((entry) => entry.kind === 'text');
  const files = entries
    .filter((entry) => entry.kind === 'file')
    .sort((one, other) => (one.id < other.id ? -1 : 1));
  const { pages, flags } = await shapeAllPages(content, entries, query);
  const answer: Static<typeof Revision> = {
    object: 'revision',
    id,
    parents: [...parents],
    pages,
    files: files.map((file) => shapeFile(content, file, query)),
    reusableContents: texts
      .filter(({ role }) => role === 'include')
      .map((text) => shapeReusableContent(content, text, query)),
    variables: await readTextVariables(content, texts),
    tags: [...(await readSpaceTags(content.tx, texts)).values()],
    createdAt,
    urls: { app: appUrl(content), ...(await publishedUrls(content, id)) },
    ...(query.computed !== false && entries.some((entry) => 'computed' in entry || 'source' in entry)
      ? { type: 'computed' as const, sourceRevision: id }
      : { type }),
    ...(git === undefined || query.metadata === false ? {} : { git: withWebAddress(git) }),
    ...(mergedFrom === undefined ? {} : { mergedFrom: await showMergedRequest(content, mergedFrom) }),
  };
  return withIntegrationPages(content, entries, answer, flags);
}

/** Returns the addresses at which sites show a revision: those of its space if the revision is the current one. */
async function publishedUrls(
  content: ContentSource,
  revision: string,
): Promise<{ published?: string; public?: string }> {
  const { space } = content;
  if (revision !== space.revision || space.state !== 'live') return {};
  const { address, publicAddress } = await publicationOf(content, space);
  return defined({ published: address, public: publicAddress });
}

/** Lists the texts of an imported folder that are not pages, by path. */
export async function listTexts(
  content: ContentSource,
  { query }: { query: { texts?: boolean } },
): Promise<{ texts: Static<typeof FolderText>[] }> {
  const entries = (await readContent(content.tx, revisionOf(content)))
    .filter((entry) => entry.kind === 'text')
    .sort((one, other) => (one.git.path < other.git.path ? -1 : 1));
  const texts: Static<typeof FolderText>[] = [];
  for (const { id, role, title, size, git, blob } of entries) {
    const text = query.texts === false ? undefined : await readBlob(content.tx, blob);
    texts.push(defined({ id, role, title, size, git, text }));
  }
  return { texts };
}

/** Returns the merged change request, which the published specification embeds in the revision. */
export async function showMergedRequest(
  content: ContentSource,
  id: string,
): Promise<Static<typeof ChangeRequest>> {
  return shapeChangeRequest(content, await getExisting(content.tx, changeRequests, id), content.space);
}

async function readTextVariables(
  { tx }: ContentSource,
  texts: readonly TextEntry[],
): Promise<Record<string, string>> {
  const variables = Object.entries(await readSpaceVariables(tx, texts));
  return Object.fromEntries(variables.map(([name, value]) => [name, String(value)]));
}
