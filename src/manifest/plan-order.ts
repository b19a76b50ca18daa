import { getOrInsert } from '../contract/values.ts';
import type { Desired, DesiredResource, Scope } from './desired.ts';
import { readField } from './kind.ts';
import { scopeKey, type Survey } from './survey.ts';
import { isReference } from './value.ts';

/** The parts of a manifest and of a survey that planning needs. An undo creates them without a manifest. */
export type DesiredScopes = Pick<Desired, 'scopes' | 'byAddress'>;
export type SurveyedScopes = Pick<
  Survey,
  'people' | 'bindings' | 'live' | 'parts' | 'shown' | 'unsupported' | 'valueOf'
>;

/** The moves that bring the list of one parent into the order of the file. */
interface OrderPlan {
  /**
   * Addresses of resources that are new in a part of the parent, in the order in which they must be added: the API puts a new
   * item at the end, and the first one may become the default.
   */
  readonly arrivals: readonly string[];
  /** Moves, in their order. `settled` are the addresses that must be in the part before the move. */
  readonly moves: readonly {
    readonly address: string;
    readonly beside: { readonly before: string } | { readonly after: string };
    readonly settled: readonly string[];
  }[];
}

/**
 * Compares the order of a list in the file with the live order, part by part: the root of a site, and each of its groups. `byId`
 * has the resources by kind and live ID.
 */
export function planOrder(
  scope: Scope,
  desired: DesiredScopes,
  survey: SurveyedScopes,
  byId: ReadonlyMap<string, DesiredResource>,
): OrderPlan {
  const live = survey.parts.get(scopeKey(scope.kind.name, scope.parent));
  const { order, sequences } = readSequences(scope, desired, survey, byId);
  const arrivals = new Set<string>();
  const moves: OrderPlan['moves'][number][] = [];
  for (const [part, addresses] of sequences) {
    // Resources that the file does not manage are not moved.
    const staying = (live?.get(part) ?? []).flatMap(({ kind, id }) => {
      const resource = byId.get(`${kind} ${id}`);
      if (resource === undefined) return [`${kind} ${id}`];
      return partOf(resource, survey) === part ? [resource.address] : [];
    });
    const present = new Set(staying);
    const coming = addresses.filter((address) => !present.has(address));
    for (const address of coming) arrivals.add(address);
    const positions = new Map([...staying, ...coming].map((address, index) => [address, index]));
    const fixed = longestIncreasingSubsequence(addresses, (address) => positions.get(address) ?? 0);
    const firstFixed = addresses.find((address) => fixed.has(address));
    let last: string | undefined;
    for (const address of addresses) {
      const beside =
        last !== undefined ? { after: last } : firstFixed !== undefined ? { before: firstFixed } : undefined;
      if (beside !== undefined && !fixed.has(address)) moves.push({ address, beside, settled: coming });
      last = address;
    }
  }
  return { arrivals: order.filter((address) => arrivals.has(address)), moves };
}

/**
 * Returns the addresses that the file puts into each part, and all addresses in `order`. A group comes directly before its first
 * item.
 */
function readSequences(
  { resources }: Scope,
  { byAddress }: DesiredScopes,
  survey: SurveyedScopes,
  byId: ReadonlyMap<string, DesiredResource>,
): { order: string[]; sequences: ReadonlyMap<string, readonly string[]> } {
  const order: string[] = [];
  const sequences = new Map<string, string[]>();
  const placed = new Set<DesiredResource>();
  for (const item of resources) {
    const first = order.length;
    for (let node: DesiredResource | undefined = item; node !== undefined && !placed.has(node);) {
      placed.add(node);
      order.splice(first, 0, node.address);
      const part = partOf(node, survey);
      getOrInsert(sequences, part, () => []).push(node.address);
      const groupKind: string | undefined = node.kind.fields[node.kind.ordered?.part ?? '']?.refersTo;
      node = part === '' ? undefined : (byId.get(`${groupKind} ${part}`) ?? byAddress.get(part));
    }
  }
  return { order, sequences };
}

/** Returns the ID of the part, its address if it does not exist yet, or an empty text for the parent itself. */
function partOf(resource: DesiredResource, survey: SurveyedScopes): string {
  const { kind, address, fields } = resource;
  const field = kind.ordered?.part;
  if (field === undefined) return '';
  const body = survey.bindings.get(address)?.body;
  const live = body === undefined ? null : readField(kind, field, body, survey.people);
  const value = fields.has(field) ? survey.valueOf(resource, field) : live;
  return isReference(value) ? value['docsctl:ref'] : ((value as string | null) ?? '');
}

/** Finds items that need no move: a longest sequence of items whose positions increase. */
function longestIncreasingSubsequence<T>(items: readonly T[], positionOf: (item: T) => number): Set<T> {
  interface Link {
    readonly item: T;
    readonly position: number;
    readonly previous: Link | undefined;
  }
  /** The last link of the best sequence of each length: the one with the lowest position. */
  const ends: Link[] = [];
  for (const item of items) {
    const position = positionOf(item);
    let low = 0;
    for (let high = ends.length; low < high;) {
      const middle = (low + high) >> 1;
      if ((ends[middle]?.position ?? Infinity) < position) low = middle + 1;
      else high = middle;
    }
    ends[low] = { item, position, previous: ends[low - 1] };
  }
  const found = new Set<T>();
  for (let link = ends.at(-1); link !== undefined; link = link.previous) found.add(link.item);
  return found;
}
