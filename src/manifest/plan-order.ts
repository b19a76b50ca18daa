import type { Desired, DesiredResource, Scope } from './desired.ts';
import { readField } from './read-field.ts';
import { scopeKey, type Survey } from './survey.ts';
import { isReference } from './value.ts';

/** The moves that bring the list of one parent into the order of the file. */
export interface OrderPlan {
  /**
   * Addresses that come new into a part of the parent, in the order in which they have to come: the API puts a new item at
   * the end, and the first one may become the default.
   */
  readonly arrivals: readonly string[];
  /** Moves, one after the other; `settled` are the addresses that have to be in the part before. */
  readonly moves: readonly {
    readonly address: string;
    readonly beside: { readonly before: string } | { readonly after: string };
    readonly settled: readonly string[];
  }[];
}

/** What planning needs of a manifest and of what is live. An undo has both without a manifest. */
export type DesiredScopes = Pick<Desired, 'scopes' | 'byAddress'>;
export type SurveyedScopes = Pick<
  Survey,
  'people' | 'bindings' | 'live' | 'parts' | 'unsupported' | 'valueOf'
>;

/** Compares the order of a list in the file with the live one, part by part: the root of a site, and each of its groups. */
export function planOrder(scope: Scope, desired: DesiredScopes, survey: SurveyedScopes): OrderPlan {
  const parts = new Parts(scope, desired, survey);
  const arrivals = new Set<string>();
  const moves: OrderPlan['moves'][number][] = [];
  for (const [part, addresses] of parts.readSequences()) {
    const staying = parts.stayingIn(part);
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
  return { arrivals: parts.order.filter((address) => arrivals.has(address)), moves };
}

class Parts {
  /** All addresses in the order of the file, groups before what is in them. Filled by `readSequences`. */
  readonly order: string[] = [];
  readonly #scope: Scope;
  readonly #desired: DesiredScopes;
  readonly #survey: SurveyedScopes;
  /** Resources by kind and live id. */
  readonly #byId = new Map<string, DesiredResource>();

  constructor(scope: Scope, desired: DesiredScopes, survey: SurveyedScopes) {
    this.#scope = scope;
    this.#desired = desired;
    this.#survey = survey;
    for (const { resource, body } of survey.bindings.values())
      if (body !== undefined && resource.parent === scope.parent)
        this.#byId.set(`${resource.kind.name} ${body.id}`, resource);
  }

  /** Returns the addresses that the file puts into each part, in its order. A group stands where its first item stands. */
  readSequences(): Map<string, string[]> {
    const sequences = new Map<string, string[]>();
    const placed = new Set<DesiredResource>();
    for (const item of this.#scope.resources) {
      const first = this.order.length;
      for (let node: DesiredResource | undefined = item; node !== undefined && !placed.has(node);) {
        placed.add(node);
        this.order.splice(first, 0, node.address);
        const part = this.#partOf(node);
        sequences.set(part, [...(sequences.get(part) ?? []), node.address]);
        node = this.#groupOf(node, part);
      }
    }
    return sequences;
  }

  /** Returns what stays in a part, in the live order: addresses, and kind and id of what the file does not manage. */
  stayingIn(part: string): string[] {
    const live = this.#survey.parts.get(scopeKey(this.#scope.kind.name, this.#scope.parent))?.get(part) ?? [];
    return live.flatMap(({ kind, id }) => {
      const resource = this.#byId.get(`${kind} ${id}`);
      if (resource === undefined) return [`${kind} ${id}`];
      return this.#partOf(resource) === part ? [resource.address] : [];
    });
  }

  /** Returns the id of the part, the address of one that does not exist yet, or an empty text for the parent itself. */
  #partOf(resource: DesiredResource): string {
    const { kind, address, fields } = resource;
    const field = kind.ordered?.part;
    if (field === undefined) return '';
    const body = this.#survey.bindings.get(address)?.body;
    const live = body === undefined ? null : readField(kind, field, body, this.#survey.people);
    const value = fields.has(field) ? this.#survey.valueOf(resource, field) : live;
    return isReference(value) ? value['docsctl:ref'] : ((value as string | null) ?? '');
  }

  #groupOf({ kind }: DesiredResource, part: string): DesiredResource | undefined {
    const groupKind = kind.fields[kind.ordered?.part ?? '']?.refersTo;
    return part === ''
      ? undefined
      : (this.#byId.get(`${groupKind} ${part}`) ?? this.#desired.byAddress.get(part));
  }
}

/** Finds items that may stay where they are: a longest list of items whose positions increase. */
function longestIncreasingSubsequence<T>(items: readonly T[], positionOf: (item: T) => number): Set<T> {
  interface Link {
    readonly item: T;
    readonly position: number;
    readonly previous: Link | undefined;
  }
  /** The last link of the best list of each length: the one with the lowest position. */
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
