import type { PathParams } from '../../contract/operation.ts';
import { isRecord } from '../../contract/values.ts';
import { resolveName } from '../names/names.ts';
import type { Session } from '../session/session.ts';

/** The field names in pointers such as `{ type, space }`, and the types of pointers `{ type, id }`, with the kind of the ID. */
const fields: Readonly<Record<string, string>> = {
  space: 'spaceId',
  collection: 'collectionId',
  site: 'siteId',
  siteSection: 'siteSectionId',
  siteSpace: 'siteSpaceId',
  spaceId: 'spaceId',
  siteSectionId: 'siteSectionId',
  siteSpaceId: 'siteSpaceId',
  users: 'userId',
};
const types: Readonly<Record<string, string>> = {
  'site-space': 'siteSpaceId',
  'site-section': 'siteSectionId',
  'site-section-group': 'siteSectionGroupId',
  'site-external-link': 'siteExternalLinkId',
};

/**
 * Resolves names in pointers of a body: in the fields `item` and `position` (of a move), in the source of a translation, in merge
 * rules, in the destinations of redirects, in the default content of an organization, and in the template of a change request.
 */
export async function resolvePointers(session: Session, body: unknown, params: PathParams): Promise<unknown> {
  if (!isRecord(body)) return body;
  const resolved = { ...body };
  for (const name of [
    'item',
    'position',
    'source',
    'mergeRules',
    'destination',
    'redirects',
    'defaultContent',
  ])
    if (name in body) resolved[name] = await resolveIn(session, body[name], params);
  const { template } = body;
  if (isRecord(template) && typeof template['id'] === 'string')
    resolved['template'] = { ...template, id: await resolveName(session, 'spaceId', template['id'], params) };
  return resolved;
}

async function resolveIn(session: Session, value: unknown, params: PathParams): Promise<unknown> {
  if (Array.isArray(value)) return Promise.all(value.map((item) => resolveIn(session, item, params)));
  if (!isRecord(value)) return value;
  const resolved: Record<string, unknown> = {};
  for (const [name, inner] of Object.entries(value)) {
    const field = name === 'id' ? types[String(value['type'])] : fields[name];
    const resolve = (item: unknown) =>
      field !== undefined && typeof item === 'string'
        ? resolveName(session, field, item, params)
        : resolveIn(session, item, params);
    resolved[name] = Array.isArray(inner) ? await Promise.all(inner.map(resolve)) : await resolve(inner);
  }
  return resolved;
}
