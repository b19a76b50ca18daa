import type { Static } from '../../contract/schema.ts';
import { changeRequests } from '../../core/rows/change-requests.ts';
import type { ChangeRequest } from '../change-requests/contract.ts';
import { shapeChangeRequest } from '../change-requests/shape.ts';
import { readContent, revisionRow } from './revisions.ts';
import type { Revision } from './schemas.ts';
import { appUrl, checkTextSize, revisionOf, shapeFile, shapePages, type Content } from './shape.ts';
import { buildTree } from './tree.ts';

/** The whole revision of a space or of a change request. */
export async function wholeContent(content: Content, query: { readonly metadata?: boolean; readonly texts?: boolean }): Promise<Static<typeof Revision>> {
  const { id, parents, createdAt, type, mergedFrom } = await revisionRow(content.tx, revisionOf(content));
  const entries = await readContent(content.tx, id);
  const { roots, byId } = buildTree(entries.filter((entry) => entry.kind === 'page'));
  const files = entries.filter((entry) => entry.kind === 'file').sort((one, other) => (one.id < other.id ? -1 : 1));
  const flags = { metadata: query.metadata, text: query.texts === false ? 'none' : 'markdown' } as const;
  checkTextSize(byId.values(), flags);
  return {
    object: 'revision',
    id,
    parents: [...parents],
    pages: await shapePages(content, roots, flags),
    files: files.map((file) => shapeFile(content, file, query)),
    reusableContents: [],
    variables: {},
    createdAt,
    urls: { app: appUrl(content) },
    type,
    ...(mergedFrom === undefined ? {} : { mergedFrom: await mergedRequest(content, mergedFrom) }),
  };
}

/** The change request that a merge took in, as the published specification gives it with the revision. */
async function mergedRequest(content: Content, id: string): Promise<Static<typeof ChangeRequest>> {
  return shapeChangeRequest(content, (await content.tx.get(changeRequests, id))!, content.space);
}
