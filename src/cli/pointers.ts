import { isRecord } from '../contract/values.ts';
import { resolveName } from './names.ts';
import type { Session } from './session.ts';

type Params = Readonly<Record<string, string>>;

/** The fields of pointers such as `{ type, space }`, and the types of pointers `{ type, id }`, by what they hold an ID of. */
const fields: Readonly<Record<string, string>> = {
  space: 'spaceId',
  collection: 'collectionId',
  siteSection: 'siteSectionId',
  siteSpace: 'siteSpaceId',
};
const types: Readonly<Record<string, string>> = {
  'site-space': 'siteSpaceId',
  'site-section': 'siteSectionId',
  'site-section-group': 'siteSectionGroupId',
};

/** Resolves the names in the fields `item` and `position` of a body: what moves, and its neighbor. */
export async function resolvePointers(session: Session, body: unknown, params: Params): Promise<unknown> {
  if (!isRecord(body)) return body;
  const resolved = { ...body };
  for (const name of ['item', 'position'])
    if (name in body) resolved[name] = await resolveIn(session, body[name], params);
  return resolved;
}

async function resolveIn(session: Session, value: unknown, params: Params): Promise<unknown> {
  if (!isRecord(value)) return value;
  const resolved: Record<string, unknown> = {};
  for (const [name, inner] of Object.entries(value)) {
    const field = name === 'id' ? types[String(value['type'])] : fields[name];
    resolved[name] =
      field !== undefined && typeof inner === 'string'
        ? await resolveName(session, field, inner, params)
        : await resolveIn(session, inner, params);
  }
  return resolved;
}
