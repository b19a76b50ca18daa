import { defined, isObject } from '../../contract/values.ts';
import { isImplied, whyNotSettable } from '../export/implied-values.ts';
import type { ResourceValues } from '../export/read-live.ts';
import {
  canLieIn,
  displayName,
  isExternal,
  notReadable,
  type Body,
  type Field,
  type Kind,
  type Located,
} from '../kind.ts';
import type { DeletedResource, RecordedReferrer } from './journal-lines.ts';
import { toPath, type LiveCache } from './live-cache.ts';

interface SubtreeReader {
  readonly live: LiveCache;
  readonly table: readonly Kind[];
  readonly addressOf: (kind: string, id: string) => string | undefined;
}

/** Reads a resource with everything inside it; undefined if it no longer exists. */
export async function readSubtree(
  reader: SubtreeReader,
  kind: Kind,
  { id, within }: Located,
): Promise<DeletedResource | undefined> {
  const body = await reader.live.find(kind, id, within);
  return body === undefined ? undefined : read(reader, kind, body, within);
}

async function read(
  reader: SubtreeReader,
  kind: Kind,
  body: Body,
  within: Located | undefined,
  parent?: ResourceValues,
): Promise<DeletedResource> {
  const { live, table, addressOf } = reader;
  const resource: ResourceValues = { kind, body, parent, values: new Map(), inside: [] };
  parent?.inside.push(resource);
  const fields: Record<string, unknown> = {};
  const unknown: Record<string, string> = {};
  for (const [name, field] of Object.entries(kind.fields)) {
    if (isExternal(kind, name)) continue;
    const value = await live.valueOf(kind, name, body, within);
    resource.values.set(name, value);
    if (value === notReadable) unknown[name] = 'its value cannot be read';
    else if (!isImplied(resource, name, field)) {
      const why = whyNotSettable(resource, name);
      if (why === undefined) fields[name] = value;
      else unknown[name] = why;
    }
  }
  const inside: DeletedResource[] = [];
  const at = { kind: kind.name, id: body.id, within };
  for (const inner of table) {
    if (!canLieIn(inner, kind.name)) continue;
    for (const found of await live.list(inner, at))
      inside.push(await read(reader, inner, found, at, resource));
  }
  return {
    kind: kind.name,
    id: body.id,
    name: displayName(kind, body, live.backend),
    ...defined({ address: addressOf(kind.name, body.id) }),
    fields,
    unknown,
    inside,
  };
}

/** Finds the fields of other resources that refer to one resource. Fields that no call can set again are left out. */
export async function readReferrers(
  { live, table }: SubtreeReader,
  kind: Kind,
  at: Located,
): Promise<RecordedReferrer[]> {
  const refers = ({ refersTo, create, fetch }: Field) =>
    refersTo === kind.name && create !== 'only' && fetch === undefined;
  const referrers: RecordedReferrer[] = [];
  for (const other of table) {
    const fields = Object.entries(other.fields).flatMap(([name, field]) => (refers(field) ? [name] : []));
    const within = canLieIn(other, undefined) ? undefined : at.within;
    if (fields.length === 0 || !canLieIn(other, within?.kind)) continue;
    for (const body of await live.list(other, within)) {
      for (const field of fields) {
        const before = await live.valueOf(other, field, body, within);
        if (!containsId(before, at.id)) continue;
        const name = displayName(other, body, live.backend);
        referrers.push({ kind: other.name, id: body.id, name, within: toPath(within), field, before });
      }
    }
  }
  return referrers;
}

/** Whether a value contains an ID, at any depth. */
export function containsId(value: unknown, id: string): boolean {
  if (value === id) return true;
  return isObject(value) && Object.values(value).some((inner) => containsId(inner, id));
}
