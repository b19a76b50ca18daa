import type { PathParams } from '../../contract/operation.ts';
import { isRecord } from '../../contract/values.ts';
import { resolveName } from './names.ts';
import type { Session } from '../session/session.ts';

/**
 * Replaces titles of spaces, paths of pages and names of files in the links of a body by IDs, at any depth.
 * @throws Problem(not-found) or Problem(ambiguous) for a name without exactly one space, page or file
 */
export async function resolveLinks(session: Session, value: unknown, params: PathParams): Promise<unknown> {
  if (Array.isArray(value)) {
    const items: unknown[] = [];
    for (const item of value) items.push(await resolveLinks(session, item, params));
    return items;
  }
  if (!isRecord(value)) return value;
  const { kind, space, page, file } = value;
  if ((kind === 'space' || kind === 'page' || kind === 'file') && typeof space === 'string') {
    const spaceId = await resolveName(session, 'spaceId', space, params);
    const link = { ...value, space: spaceId };
    const inSpace = { ...params, spaceId };
    if (kind === 'file' && typeof file === 'string')
      return { ...link, file: await resolveName(session, 'fileId', file, inSpace) };
    if (kind !== 'space' && typeof page === 'string')
      return { ...link, page: await resolveName(session, 'pageId', page, inSpace) };
    return link;
  }
  const resolved: Record<string, unknown> = {};
  for (const [name, inner] of Object.entries(value))
    resolved[name] = await resolveLinks(session, inner, params);
  return resolved;
}
