import { isImplied, whyNotSettable } from '../export/implied-values.ts';
import type { LiveResource } from '../export/read-live.ts';
import { isSecretField } from '../export/secrets.ts';
import { isExternal, notReadable, type Body, type Kind, type Located } from '../kind.ts';
import type { RecordedReferrer, DeletedResource } from './journal-lines.ts';
import { toPath, type LiveCache } from './live-cache.ts';
import { displayName } from '../read-field.ts';

/** Reads what a delete will take with it: a resource, and all that lies in it. Undefined: it is gone already. */
export async function readSubtree(
  lists: LiveCache,
  kind: Kind,
  at: Located,
  table: readonly Kind[],
  addressOf: (kind: string, id: string) => string | undefined,
): Promise<DeletedResource | undefined> {
  const body = await lists.find(kind, at);
  if (body === undefined) return undefined;
  return written(await readLive(lists, kind, body, at, undefined, table), lists, addressOf);
}

/** With the same knowledge of what goes without saying that an export has. */
async function readLive(
  lists: LiveCache,
  kind: Kind,
  body: Body,
  at: Located,
  parent: LiveResource | undefined,
  table: readonly Kind[],
): Promise<LiveResource> {
  const values = new Map<string, unknown>();
  for (const [name, field] of Object.entries(kind.fields)) {
    // What a folder holds is no live value.
    if (isSecretField(field) || isExternal(kind, name)) continue;
    values.set(name, await lists.valueOf(kind, name, body, at, undefined));
  }
  const spot = kind.slots.find(({ within }) => within === at.within?.kind) ?? kind.slots[0]!;
  const live: LiveResource = { kind, slot: spot, body, at, parent, values, inside: [] };
  for (const inner of table) {
    if (!inner.slots.some(({ within }) => within === kind.name)) continue;
    for (const found of await lists.list(inner, at))
      live.inside.push(
        await readLive(lists, inner, found, { kind: inner.name, id: found.id, within: at }, live, table),
      );
  }
  return live;
}

function written(
  live: LiveResource,
  lists: LiveCache,
  addressOf: (kind: string, id: string) => string | undefined,
): DeletedResource {
  const { kind, body, values, inside } = live;
  const fields: Record<string, unknown> = {};
  const unknown: Record<string, string> = {};
  for (const [name, field] of Object.entries(kind.fields)) {
    if (isSecretField(field) || values.get(name) === notReadable) unknown[name] = 'nobody can read it';
    else if (values.has(name) && !isImplied(live, name, field)) {
      const why = whyNotSettable(live, name);
      if (why === undefined) fields[name] = values.get(name);
      else unknown[name] = why;
    }
  }
  const address = addressOf(kind.name, body.id);
  return {
    kind: kind.name,
    id: body.id,
    name: displayName(kind, body, { people: lists.backend.people }),
    ...(address === undefined ? {} : { address }),
    fields,
    unknown,
    inside: inside.map((inner) => written(inner, lists, addressOf)),
  };
}

/** What refers to a resource and will not when that is deleted, as far as the API can be told again. */
export async function readReferrers(
  lists: LiveCache,
  kind: Kind,
  at: Located,
  table: readonly Kind[],
): Promise<RecordedReferrer[]> {
  const found: RecordedReferrer[] = [];
  for (const other of table) {
    const fields = Object.keys(other.fields).filter((name) => isTold(other, name, kind.name));
    const within = other.slots.some((spot) => spot.within === undefined) ? undefined : at.within;
    if (fields.length === 0 || !other.slots.some((spot) => spot.within === within?.kind)) continue;
    for (const body of await lists.list(other, within)) {
      for (const field of fields) {
        const before = await lists.valueOf(
          other,
          field,
          body,
          { kind: other.name, id: body.id, within },
          undefined,
        );
        if (containsId(before, at.id))
          found.push({
            kind: other.name,
            id: body.id,
            name: displayName(other, body, { people: lists.backend.people }),
            within: toPath(within),
            field,
            before,
          });
      }
    }
  }
  return found;
}

function isTold({ fields }: Kind, name: string, kind: string): boolean {
  const { refersTo, create, fetch } = fields[name]!;
  return refersTo === kind && create !== 'only' && fetch === undefined;
}

/** Whether an id stands anywhere in a value. */
export function containsId(value: unknown, id: string): boolean {
  if (value === id) return true;
  return (
    typeof value === 'object' && value !== null && Object.values(value).some((inner) => containsId(inner, id))
  );
}
