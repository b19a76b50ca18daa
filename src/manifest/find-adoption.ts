import type { Api } from '../contract/api.ts';
import { Problem } from '../errors/problem.ts';
import { openBackend } from './backend.ts';
import { displayName, readField } from './read-field.ts';
import type { Desired, DesiredResource } from './desired.ts';
import type { Body, Kind } from './kind.ts';
import { kinds } from './kinds/index.ts';
import { locateOwned } from './locate-owned.ts';
import type { ManifestState, Owned } from './manifest-state.ts';
import { nearestAddress } from './nearest-address.ts';
import { nobody } from './people.ts';
import { formatLocation } from './read/source-location.ts';

export interface AdoptRequest {
  readonly api: Api;
  readonly desired: Desired;
  readonly state: ManifestState;
  readonly address: string;
  /** Its id, or a title, path or name that only one has. */
  readonly given: string;
  readonly signal?: AbortSignal | undefined;
  readonly table?: readonly Kind[] | undefined;
}

/** What a lock will say of a block. */
export interface Adoption {
  readonly owned: Owned;
  /** What a person calls the live resource. */
  readonly name: string;
  /** The lock says it already. */
  readonly isKnown: boolean;
  /** The id that the lock had before, of something that is no longer there. */
  readonly gone: string | undefined;
}

/** Finds the live resource that a block is to be; changes nothing. Throws where it is none, or another block's. */
export async function findAdoption(request: AdoptRequest): Promise<Adoption> {
  const { api, desired, state, address, signal, table = kinds } = request;
  const wanted = desired.byAddress.get(address);
  if (wanted === undefined) throw notInManifest(address, [...desired.byAddress.keys()]);
  const { kind, parent } = wanted;
  const within = parent === undefined ? undefined : locateOwned(state, parent, table);
  if (parent !== undefined && within === undefined)
    throw new Problem(
      'conflict',
      `${address} lies in ${parent}, and the lock does not know yet which ${parent.slice(0, parent.indexOf('.'))} that is.`,
      {
        hint: `First: docsctl adopt ${parent} ID`,
      },
    );
  const live = await kind.list(
    await openBackend(api, state.organization, { withPeople: false, signal }),
    within,
  );
  const body = choose(request, wanted, live);
  checkFree(request, wanted, body);
  const before = state.get(address);
  if (before !== undefined && before.id !== body.id && live.some(({ id }) => id === before.id))
    throw new Problem('conflict', `${address} is ${before.id} already.`, {
      hint: `To make it ${body.id}: docsctl forget ${address}, then this again. ${before.id} stays as it is.`,
    });
  const isKnown = before?.id === body.id && before.parent === parent;
  const isProtected = wanted.protect ?? (before?.id === body.id && before.protect === true);
  return {
    owned: {
      kind: kind.name,
      id: body.id,
      ...(parent === undefined ? {} : { parent }),
      ...(isProtected ? { protect: true as const } : {}),
      fields: {},
    },
    name: displayName(kind, body, { people: nobody }),
    isKnown,
    gone: before === undefined || before.id === body.id ? undefined : before.id,
  };
}

/** By id, else by a name that is the same to the letter, else by one that is the same but for capitals. */
function choose(
  { given, state }: AdoptRequest,
  { kind, parent }: DesiredResource,
  live: readonly Body[],
): Body {
  const named = live.map((body) => ({ body, names: namesOf(kind, body) }));
  const byId = live.filter(({ id }) => id === given);
  const exact = named.filter(({ names }) => names.includes(given)).map(({ body }) => body);
  const lower = given.toLowerCase();
  const loose = named
    .filter(({ names }) => names.some((name) => name.toLowerCase() === lower))
    .map(({ body }) => body);
  const found = [byId, exact, loose].find((some) => some.length > 0) ?? [];
  if (found.length === 1) return found[0]!;
  if (found.length > 1) {
    const shown = found
      .slice(0, 10)
      .map((body) => `${body.id} (${displayName(kind, body, { people: nobody })})`);
    throw new Problem('ambiguous', `"${given}" names ${found.length} things: ${shown.join(', ')}.`, {
      hint: 'Give the id of the one you mean.',
    });
  }
  const elsewhere = state
    .entries()
    .find(([, owned]) => owned.id === given && (owned.kind !== kind.name || owned.parent !== parent));
  if (elsewhere !== undefined) {
    const [address, owned] = elsewhere;
    const where =
      owned.kind === kind.name && owned.parent !== undefined
        ? `, and lies in ${owned.parent}`
        : `, a ${owned.kind}`;
    throw new Problem('conflict', `${given} is ${address}${where}.`, {
      hint: `A ${kind.name}${parent === undefined ? '' : ` in ${parent}`} is wanted here.`,
    });
  }
  const near = named
    .filter(({ names }) => names.some((name) => name.toLowerCase().includes(lower)))
    .slice(0, 3);
  throw new Problem(
    'not-found',
    `There is no ${kind.name} "${given}"${parent === undefined ? '' : ` in ${parent}`}.`,
    {
      hint:
        near.length > 0
          ? `Did you mean ${near.map(({ body, names }) => `${body.id} (${names[0] ?? ''})`).join(' or ')}?`
          : `Give the id of a ${kind.name}, or its title where only one has it; there ${live.length === 1 ? 'is 1' : `are ${live.length}`}${parent === undefined ? '' : ` in ${parent}`}.`,
    },
  );
}

/** A resource belongs to one block. */
function checkFree(
  { desired, state, address }: AdoptRequest,
  { kind, id: stated }: DesiredResource,
  { id }: Body,
): void {
  const owner = state
    .entries()
    .find(([other, owned]) => other !== address && owned.kind === kind.name && owned.id === id);
  if (owner !== undefined)
    throw new Problem('conflict', `${id} is ${owner[0]} already.`, {
      hint: `To make it ${address}: docsctl forget ${owner[0]}, then this again.`,
    });
  if (stated !== undefined && String(stated.value) !== id)
    throw new Problem(
      'conflict',
      `The manifest says at ${formatLocation(stated.at)} that ${address} is ${String(stated.value)}.`,
      {
        hint: 'An id in the manifest beats the lock: change it there.',
      },
    );
  const claimant = [...desired.byAddress.values()].find(
    (other) => other.address !== address && other.kind.name === kind.name && other.id?.value === id,
  );
  if (claimant !== undefined)
    throw new Problem(
      'conflict',
      `The manifest says at ${formatLocation(claimant.id!.at)} that ${id} is ${claimant.address}.`,
      {
        hint: 'Take the id out there, or adopt another one.',
      },
    );
}

/** What a person may call it: its title, and the texts by which a manifest finds it. */
function namesOf(kind: Kind, body: Body): string[] {
  const fields = new Set([
    'title',
    'name',
    'label',
    'path',
    ...kind.keys.flatMap(([first]) => (first === undefined ? [] : [first])),
  ]);
  return [...fields].flatMap((field) => {
    const value =
      kind.fields[field] === undefined || kind.fields[field]!.refersTo !== undefined
        ? undefined
        : readField(kind, field, body, nobody);
    return typeof value === 'string' ? [value] : [];
  });
}

function notInManifest(address: string, known: readonly string[]): Problem {
  const close = nearestAddress(address, known);
  return new Problem('not-found', `There is no ${address} in the manifest.`, {
    hint:
      close === undefined
        ? 'State it first; a block is called by its kind and its name, as in space.guide.'
        : `Did you mean ${close}?`,
  });
}
