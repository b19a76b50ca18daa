import type { Static } from '../../contract/schema.ts';
import { changeRequests } from '../../core/rows/change-requests.ts';
import { getExisting } from '../../core/store.ts';
import type { ChangeRequest } from '../change-requests/contract.ts';
import { shapeChangeRequest } from '../change-requests/shape.ts';
import { readBlob } from '../../content/blobs.ts';
import { readVariables } from '../../content/folder-text.ts';
import { readContent, readRevision } from '../../content/revisions.ts';
import type { FolderText, Revision } from './schemas.ts';
import { appUrl, checkTextSize, shapeFile, shapePages } from './shape.ts';
import { buildTree } from '../../content/tree.ts';
import { revisionOf, type ContentSource } from '../../content/content-source.ts';

/** A whole revision. */
export async function showContent(
  content: ContentSource,
  query: { readonly metadata?: boolean; readonly texts?: boolean },
): Promise<Static<typeof Revision>> {
  const { id, parents, createdAt, type, mergedFrom } = await readRevision(content.tx, revisionOf(content));
  const entries = await readContent(content.tx, id);
  const { roots, byId } = buildTree(entries.filter((entry) => entry.kind === 'page'));
  const texts = entries.filter((entry) => entry.kind === 'text');
  const files = entries
    .filter((entry) => entry.kind === 'file')
    .sort((one, other) => (one.id < other.id ? -1 : 1));
  const flags = { metadata: query.metadata, text: query.texts === false ? 'none' : 'markdown' } as const;
  checkTextSize(byId.values(), flags);
  return {
    object: 'revision',
    id,
    parents: [...parents],
    pages: await shapePages(content, roots, flags),
    files: files.map((file) => shapeFile(content, file, query)),
    reusableContents: texts
      .filter(({ role }) => role === 'include')
      .map((text) => ({
        id: text.id,
        title: text.title,
        ...(query.metadata === false ? {} : { git: text.git }),
      })),
    variables: await readVariables(content.tx, texts),
    createdAt,
    urls: { app: appUrl(content) },
    type,
    ...(mergedFrom === undefined ? {} : { mergedFrom: await showMergedRequest(content, mergedFrom) }),
  };
}

/** The texts of a content that are no pages, by their place in the folder. */
export async function listTexts(
  content: ContentSource,
  { query }: { readonly query: { readonly texts?: boolean } },
): Promise<{ texts: Static<typeof FolderText>[] }> {
  const entries = (await readContent(content.tx, revisionOf(content))).filter(
    (entry) => entry.kind === 'text',
  );
  const texts: Static<typeof FolderText>[] = [];
  for (const { id, role, title, size, git, blob } of entries.sort((one, other) =>
    one.git.path < other.git.path ? -1 : 1,
  ))
    texts.push({
      id,
      role,
      title,
      size,
      git,
      ...(query.texts === false ? {} : { text: await readBlob(content.tx, blob) }),
    });
  return { texts };
}

/** The change request that a merge took in, as the published specification gives it with the revision. */
export async function showMergedRequest(
  content: ContentSource,
  id: string,
): Promise<Static<typeof ChangeRequest>> {
  return shapeChangeRequest(content, await getExisting(content.tx, changeRequests, id), content.space);
}
