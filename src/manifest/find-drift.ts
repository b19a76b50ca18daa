import { defined } from '../contract/values.ts';
import { findField, notReadable, type Field, type Kind } from './kind.ts';
import { kinds } from './kinds/index.ts';
import { displayName, nameFields, readField } from './read-field.ts';
import {
  readOwned,
  whyNotReadable,
  type NotReadableReason,
  type ReadOwnedRequest,
  type Unreadable,
} from './read-owned.ts';
import { isSame } from './value.ts';
import { withAddresses } from './with-addresses.ts';

/** What differs now from what the last apply left. */
export interface Drift {
  readonly version: 1;
  readonly place: string;
  readonly organization: string;
  /** The version of the state file that it was compared with, and its path if it is a file. */
  readonly lock: { readonly serial: number; readonly path?: string };
  /** In the order of the table of kinds, without unchanged resources. */
  readonly resources: readonly Drifted[];
  readonly counts: Readonly<Record<'changed' | 'gone' | 'same' | 'unread', number>>;
  /** Fields that could not be compared. */
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
  /** Address of its parent, if that no longer exists either. */
  readonly because?: string;
  readonly changes: readonly DriftedField[];
}

export interface DriftedField {
  readonly field: string;
  /** What the last apply left. References are `{ "docsctl:ref": "space.guide" }`, here and in `after`. */
  readonly before: unknown;
  readonly after: unknown;
}

/** Marks a value that could not be read, which `unreadable` explains. */
const unread = Symbol('unread');

/** Compares what a state owns with what is live; needs no manifest. */
export async function findDrift(
  request: Omit<ReadOwnedRequest, 'table'> & { readonly table?: readonly Kind[] | undefined },
): Promise<Drift> {
  const { state, api, table = kinds } = request;
  const live = await readOwned({ ...request, table });
  const addresses = new Map(state.entries().map(([address, { kind, id }]) => [`${kind} ${id}`, address]));
  const unseen: Drift['unseen'][number][] = [];
  const resources: Drifted[] = [];
  const counts = { changed: 0, gone: 0, same: 0, unread: 0 };
  const ranks = new Map(table.map(({ name }, index) => [name, index]));
  const rank = (kind: string): number => ranks.get(kind) ?? table.length;
  for (const [address, owned] of state.entries().sort(([, a], [, b]) => rank(a.kind) - rank(b.kind))) {
    const { id, parent, fields } = owned;
    const kind = table.find(({ name }) => name === owned.kind);
    const body = live.bodies.get(address);
    if (kind === undefined || body === undefined) {
      counts.unread++;
      continue;
    }
    const found = { address, kind: kind.name, id };
    if (body === null) {
      counts.gone++;
      const name = nameFields.map((field) => fields[field]).find((value) => typeof value === 'string');
      const because = parent !== undefined && live.bodies.get(parent) === null ? parent : undefined;
      resources.push({
        ...found,
        name: name ?? address,
        status: 'gone',
        ...defined({ because }),
        changes: [],
      });
      continue;
    }
    const readLive = (name: string, field: Field): unknown => {
      if (field.people === true && live.unreadable.has('member')) return unread;
      if (field.fetch === undefined) return readField(kind, name, body, live.people);
      const key = `${address} ${name}`;
      return live.fetched.has(key) ? live.fetched.get(key) : unread;
    };
    const changes = Object.entries(fields).flatMap(([name, last]): DriftedField[] => {
      const why = whyNotReadable(kind, name, last);
      const field = findField(kind, name);
      const now = why !== undefined || field === undefined ? unread : readLive(name, field);
      if (why !== undefined) unseen.push({ address, field: name, why });
      if (now === notReadable) unseen.push({ address, field: name, why: 'hidden' });
      if (field === undefined || now === unread || now === notReadable || isSame(last, now, field.equals))
        return [];
      const named = (value: unknown) => withAddresses(value ?? null, field, (known) => addresses.get(known));
      return [{ field: name, before: named(last), after: named(now) }];
    });
    counts[changes.length === 0 ? 'same' : 'changed']++;
    if (changes.length > 0)
      resources.push({ ...found, name: displayName(kind, body, live, address), status: 'changed', changes });
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

/** Returns whether nothing that can be read differs. */
export function hasNoDrift({ resources }: Drift): boolean {
  return resources.length === 0;
}
