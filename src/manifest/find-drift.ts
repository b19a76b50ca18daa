import { findField, notReadable as notSeen, type Body, type Field, type Kind } from './kind.ts';
import { displayName, readField } from './read-field.ts';
import { kinds } from './kinds/index.ts';
import type { Owned } from './manifest-state.ts';
import { readOwned, type OwnedLive, type ReadOwnedRequest, type Unreadable } from './read-owned.ts';
import { whyNotReadable, type NotReadableReason } from './not-readable.ts';
import { isSame } from './value.ts';
import { withAddresses } from './with-addresses.ts';

/** What differs now from what the last apply left. */
export interface Drift {
  readonly version: 1;
  readonly place: string;
  readonly organization: string;
  /** The state of the lock it was compared with, and where that lies, if it is a file. */
  readonly lock: { readonly serial: number; readonly path?: string };
  /** In the order of the table of kinds; what is as it was left is not among them. */
  readonly resources: readonly Drifted[];
  readonly counts: Readonly<Record<'changed' | 'gone' | 'same' | 'unread', number>>;
  /** Fields of which nobody can say whether they changed. */
  readonly unseen: readonly {
    readonly address: string;
    readonly field: string;
    readonly why: NotReadableReason;
  }[];
  readonly unreadable: readonly Unreadable[];
}

/** A resource that is no longer as the last apply left it. */
export interface Drifted {
  readonly address: string;
  readonly kind: string;
  readonly id: string;
  readonly name: string;
  readonly status: 'changed' | 'gone';
  /** Address of what it lay in, where that is gone as well. */
  readonly because?: string;
  readonly changes: readonly DriftedField[];
}

export interface DriftedField {
  readonly field: string;
  /** What the last apply left. Refs stand as `{ "docsctl:ref": "space.guide" }`, here and after. */
  readonly before: unknown;
  readonly after: unknown;
}

/** Compares what a lock owns with what is live; a manifest is not needed. */
export async function findDrift(
  request: Omit<ReadOwnedRequest, 'table'> & { readonly table?: readonly Kind[] | undefined },
): Promise<Drift> {
  const { state, api, table = kinds } = request;
  const live = await readOwned({ ...request, table });
  const addresses = new Map(state.entries().map(([address, { kind, id }]) => [`${kind} ${id}`, address]));
  const unseen: Drift['unseen'][number][] = [];
  const resources: Drifted[] = [];
  const counts = { changed: 0, gone: 0, same: 0, unread: 0 };
  for (const [address, owned] of inOrderOfTable(state.entries(), table)) {
    const kind = table.find(({ name }) => name === owned.kind);
    const body = live.bodies.get(address);
    if (kind === undefined || body === undefined) {
      counts.unread++;
      continue;
    }
    if (body === null) {
      counts.gone++;
      resources.push(lost(address, owned, live));
      continue;
    }
    const fields = Object.entries(owned.fields).map(([name, last]) => ({
      name,
      last,
      definition: findField(kind, name),
    }));
    const changes = fields.flatMap(({ name, last, definition }): DriftedField[] => {
      const why = whyNotReadable(kind, name, last);
      if (why !== undefined) unseen.push({ address, field: name, why });
      const now = why === undefined ? liveValue(kind, address, name, definition!, body, live) : undefined;
      if (now?.value === notSeen) unseen.push({ address, field: name, why: 'hidden' });
      if (now === undefined || now.value === notSeen || isSame(last, now.value, definition!.equals))
        return [];
      const named = (value: unknown) =>
        withAddresses(value ?? null, definition!, (known) => addresses.get(known));
      return [{ field: name, before: named(last), after: named(now.value) }];
    });
    counts[changes.length === 0 ? 'same' : 'changed']++;
    if (changes.length > 0)
      resources.push({
        address,
        kind: kind.name,
        id: body.id,
        name: displayName(kind, body, live, address),
        status: 'changed',
        changes,
      });
  }
  return {
    version: 1,
    place: api.place,
    organization: state.organization,
    lock: { serial: state.serial },
    resources,
    counts,
    unseen,
    unreadable: [...live.unreadable.values()],
  };
}

/** Whether nothing that can be seen differs. */
export function hasNoDrift({ resources }: Drift): boolean {
  return resources.length === 0;
}

function lost(address: string, { kind, id, parent, fields }: Owned, { bodies }: OwnedLive): Drifted {
  const name =
    ['title', 'path', 'name', 'label']
      .map((field) => fields[field])
      .find((value) => typeof value === 'string') ?? address;
  return {
    address,
    kind,
    id,
    name: name as string,
    status: 'gone',
    ...(parent !== undefined && bodies.get(parent) === null ? { because: parent } : {}),
    changes: [],
  };
}

/** Undefined where it could not be read. */
function liveValue(
  kind: Kind,
  address: string,
  name: string,
  { fetch, people }: Field,
  body: Body,
  live: OwnedLive,
): { readonly value: unknown } | undefined {
  if (people === true && live.unreadable.has('member')) return undefined;
  if (fetch === undefined) return { value: readField(kind, name, body, live.people) };
  const key = `${address} ${name}`;
  return live.fetched.has(key) ? { value: live.fetched.get(key) } : undefined;
}

function inOrderOfTable(entries: readonly [string, Owned][], table: readonly Kind[]): [string, Owned][] {
  const places = new Map(table.map(({ name }, index) => [name, index]));
  const place = ([, { kind }]: readonly [string, Owned]): number => places.get(kind) ?? places.size;
  return [...entries].sort((one, other) => place(one) - place(other));
}
