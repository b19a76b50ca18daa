import type { PathParams } from '../../contract/operation.ts';
import { readDocumentationRoot } from '../../content-sync/space-content.ts';
import type { Session } from '../session/session.ts';
import type { Kind } from './name-kinds.ts';

/**
 * Returns the path of a file below the folder of the documentation, as in a space: `guide/a.md` for `docs/guide/a.md`. Returns
 * undefined if the name is not such a path.
 */
export async function withoutRoot(
  session: Session,
  { names }: Kind,
  name: string,
  { spaceId }: PathParams,
): Promise<string | undefined> {
  if (spaceId === undefined || !names.includes('git.path') || !/\/.*\.\w+$/.test(name)) return undefined;
  const root = await readDocumentationRoot(await session.api(), spaceId, session.runtime.signal);
  return root !== undefined && name.startsWith(`${root}/`) ? name.slice(root.length + 1) : undefined;
}
