import type { Api } from '../contract/api.ts';
import { defined, joinOr } from '../contract/values.ts';
import { Problem } from '../errors/problem.ts';
import { nearestAddress } from './address.ts';
import { openBackend } from './backend.ts';
import type { Desired, DesiredResource } from './desired.ts';
import { displayName, nameFields, readField, type Body, type Kind } from './kind.ts';
import { kinds } from './kinds/index.ts';
import { locateOwned } from './locate-owned.ts';
import type { ManifestState, Owned } from './manifest-state.ts';
import { nobody } from './people.ts';
import { formatLocation } from './read/faults.ts';

interface AdoptRequest {
  readonly api: Api;
  readonly desired: Desired;
  readonly state: ManifestState;
  readonly address: string;
  /** The ID of the live resource, or a unique title, path or name. */
  readonly given: string;
  readonly signal?: AbortSignal | undefined;
  readonly table?: readonly Kind[];
}

/** The new entry of the state file for a block. */
export interface Adoption {
  readonly owned: Owned;
  /** The title, path or name of the live resource. */
  readonly name: string;
  /** Whether the state file has this entry already. */
  readonly isKnown: boolean;
  /** The ID in the state file, if that resource no longer exists. */
  readonly gone: string | undefined;
}

/**
 * Finds the live resource for a block to adopt. It changes nothing.
 * @throws Problem(not-found), Problem(ambiguous) if the manifest or the name does not identify one resource
 * @throws Problem(conflict) if the resource belongs to another block
 */
export async function findAdoption(request: AdoptRequest): Promise<Adoption> {
  const { api, desired, state, address, signal, table = kinds } = request;
  const resource = desired.byAddress.get(address);
  if (resource === undefined) throw notInManifest(address, [...desired.byAddress.keys()]);
  const { kind, parent } = resource;
  const within = parent === undefined ? undefined : locateOwned(state, parent, table);
  if (parent !== undefined && within === undefined)
    throw new Problem('conflict', `${address} is inside ${parent}, which is not in the state file yet.`, {
      hint: `Run \`docsctl adopt ${parent} ID\` first.`,
    });
  const backend = await openBackend(api, state.organization, { withPeople: false, signal });
  const live = await kind.list(backend, within);
  const body = chooseBody(request, resource, live);
  refuseOwned(request, resource, body);
  const before = state.get(address);
  const isSame = before?.id === body.id;
  if (before !== undefined && !isSame && live.some(({ id }) => id === before.id))
    throw new Problem('conflict', `${address} is already bound to ${before.id}.`, {
      hint: `Run \`docsctl forget ${address}\` first, then adopt ${body.id}. ${before.id} is kept.`,
    });
  const isProtected = resource.protect ?? (isSame && before.protect === true);
  return {
    owned: {
      kind: kind.name,
      id: body.id,
      ...defined({ parent, protect: isProtected ? (true as const) : undefined }),
      fields: {},
    },
    name: displayName(kind, body, { people: nobody }),
    isKnown: isSame && before.parent === parent,
    gone: isSame ? undefined : before?.id,
  };
}

/** Chooses by ID, else by an exact name, else by a name that differs only in case. */
function chooseBody(
  { given, state }: AdoptRequest,
  { kind, parent }: DesiredResource,
  live: readonly Body[],
): Body {
  const lower = given.toLowerCase();
  const named = live.map((body) => ({ body, names: namesOf(kind, body) }));
  const matches = [
    named.filter(({ body }) => body.id === given),
    named.filter(({ names }) => names.includes(given)),
    named.filter(({ names }) => names.some((name) => name.toLowerCase() === lower)),
  ];
  const [found, ...others] = matches.find((some) => some.length > 0) ?? [];
  if (found !== undefined && others.length === 0) return found.body;
  if (found !== undefined) {
    const all = [found, ...others];
    const shown = all
      .slice(0, 10)
      .map(({ body }) => `${body.id} (${displayName(kind, body, { people: nobody })})`);
    throw new Problem('ambiguous', `"${given}" matches ${all.length} resources: ${shown.join(', ')}.`, {
      hint: 'Use the ID of one of them.',
    });
  }
  const here = parent === undefined ? '' : ` in ${parent}`;
  for (const [address, owned] of state.entries()) {
    if (owned.id !== given || (owned.kind === kind.name && owned.parent === parent)) continue;
    const where =
      owned.kind === kind.name && owned.parent !== undefined ? ` in ${owned.parent}` : `, a ${owned.kind}`;
    throw new Problem('conflict', `${given} is the ID of ${address}${where}.`, {
      hint: `Give the ID or title of a ${kind.name}${here}.`,
    });
  }
  const near = named
    .filter(({ names }) => names.some((name) => name.toLowerCase().includes(lower)))
    .slice(0, 3)
    .map(({ body, names }) => `${body.id} (${names[0] ?? ''})`);
  throw new Problem('not-found', `No ${kind.name} is called "${given}"${here}.`, {
    hint:
      near.length > 0
        ? `Did you mean ${joinOr(near)}?`
        : live.length === 0
          ? `The organization has no ${kind.name}${here} yet.`
          : `Use the title or ID of an existing ${kind.name}${here}.`,
  });
}

function refuseOwned(
  { desired, state, address }: AdoptRequest,
  { kind, id: stated }: DesiredResource,
  { id }: Body,
): void {
  for (const [owner, owned] of state.entries())
    if (owner !== address && owned.kind === kind.name && owned.id === id)
      throw new Problem('conflict', `${id} already belongs to ${owner}.`, {
        hint: `Run \`docsctl forget ${owner}\` first, then adopt it as ${address}.`,
      });
  if (stated !== undefined && String(stated.value) !== id)
    throw new Problem(
      'conflict',
      `${formatLocation(stated.at)}: the manifest gives ${address} the ID ${String(stated.value)}.`,
      { hint: 'An ID in the manifest overrides the state file. Change it in the manifest.' },
    );
  for (const other of desired.byAddress.values())
    if (other.address !== address && other.kind.name === kind.name && other.id?.value === id)
      throw new Problem(
        'conflict',
        `${formatLocation(other.id.at)}: the manifest gives the ID ${id} to ${other.address}.`,
        { hint: 'Remove the ID there, or adopt a different resource.' },
      );
}

/** Returns the title of a resource, and the other texts by which a manifest can find it. */
function namesOf(kind: Kind, body: Body): string[] {
  const fields = new Set([...nameFields, ...kind.keys.flatMap(([first]) => first ?? [])]);
  return [...fields].flatMap((name) => {
    const field = kind.fields[name];
    const value =
      field === undefined || field.refersTo !== undefined ? undefined : readField(kind, name, body, nobody);
    return typeof value === 'string' ? [value] : [];
  });
}

function notInManifest(address: string, known: readonly string[]): Problem {
  const close = nearestAddress(address, known);
  return new Problem('not-found', `The manifest has no block ${address}.`, {
    hint:
      close === undefined
        ? 'Add the block first. Name it by its kind and name, for example space.guide.'
        : `Did you mean ${close}?`,
  });
}
