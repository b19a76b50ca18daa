import { readField } from './read-field.ts';
import type { Desired, Scope, DesiredResource } from './desired.ts';
import { scopeKey, type Survey } from './survey.ts';
import { isReference } from './value.ts';

/** What it takes to bring one parent's list into the order of the file. */
export interface OrderPlan {
  /** Who comes new into a part of the parent, in the order in which they have to come: a new one goes to the end, and the very first may be what opens. */
  readonly arrivals: readonly string[];
  /** Who is moved beside whom, one after the other; `settled` are all that have to be in place before. */
  readonly moves: readonly {
    readonly address: string;
    readonly beside: { readonly before: string } | { readonly after: string };
    readonly settled: readonly string[];
  }[];
}

/** Compares the order of a list in the file with the live one, part by part: the root of a site, and each of its groups. */
export function planOrder(scope: Scope, desired: Desired, survey: Survey): OrderPlan {
  const parts = new Parts(scope, desired, survey);
  const arrivals = new Set<string>();
  const moves: OrderPlan['moves'][number][] = [];
  for (const [part, wanted] of parts.sequences()) {
    const staying = parts.stayingIn(part);
    const there = new Set(staying);
    const coming = wanted.filter((address) => !there.has(address));
    for (const address of coming) arrivals.add(address);
    const places = new Map([...staying, ...coming].map((address, index) => [address, index]));
    const fixed = longestIncreasingSubsequence(wanted.map((address) => places.get(address)!));
    for (const [index, address] of wanted.entries()) {
      if (fixed.has(index)) continue;
      const beside =
        index === 0
          ? { before: wanted.find((_, other) => fixed.has(other))! }
          : { after: wanted[index - 1]! };
      moves.push({ address, beside, settled: coming });
    }
  }
  return { arrivals: parts.order.filter((address) => arrivals.has(address)), moves };
}

class Parts {
  /** All in the order of the file, groups before what is in them; known after `sequences`. */
  readonly order: string[] = [];
  readonly #scope: Scope;
  readonly #desired: Desired;
  readonly #survey: Survey;
  /** Addresses by kind and live id. */
  readonly #byId = new Map<string, DesiredResource>();

  constructor(scope: Scope, desired: Desired, survey: Survey) {
    this.#scope = scope;
    this.#desired = desired;
    this.#survey = survey;
    for (const { resource, body } of survey.bindings.values())
      if (body !== undefined && resource.parent === scope.parent)
        this.#byId.set(`${resource.kind.name} ${body.id}`, resource);
  }

  /** By part, what the file puts there, in its order. A group stands where its first item stands. */
  sequences(): Map<string, string[]> {
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

  /** What is in a part and stays there, in the live order; what the file does not manage too. */
  stayingIn(part: string): string[] {
    const live = this.#survey.parts.get(scopeKey(this.#scope.kind.name, this.#scope.parent))?.get(part) ?? [];
    return live.flatMap(({ kind, id }) => {
      const wanted = this.#byId.get(`${kind} ${id}`);
      if (wanted === undefined) return [`${kind} ${id}`];
      return this.#partOf(wanted) === part ? [wanted.address] : [];
    });
  }

  /** The id of the part, the address of one that is not there yet, or nothing for the parent itself. */
  #partOf(wanted: DesiredResource): string {
    const field = wanted.kind.ordered?.part;
    if (field === undefined) return '';
    const body = this.#survey.bindings.get(wanted.address)?.body;
    const live = body === undefined ? null : readField(wanted.kind, field, body, this.#survey.people);
    const value = wanted.fields.has(field) ? this.#survey.valueOf(wanted, field) : live;
    return isReference(value) ? value['docsctl:ref'] : ((value as string | null) ?? '');
  }

  #groupOf(wanted: DesiredResource, part: string): DesiredResource | undefined {
    const kind = wanted.kind.fields[wanted.kind.ordered?.part ?? '']?.refersTo;
    return part === '' ? undefined : (this.#byId.get(`${kind} ${part}`) ?? this.#desired.byAddress.get(part));
  }
}

/** The places in a list of numbers that make its longest rising part: these may stay where they are. */
function longestIncreasingSubsequence(numbers: readonly number[]): Set<number> {
  const ends: number[] = [];
  const before: (number | undefined)[] = [];
  for (const [index, number] of numbers.entries()) {
    let low = 0;
    for (let high = ends.length; low < high;) {
      const middle = (low + high) >> 1;
      if (numbers[ends[middle]!]! < number) low = middle + 1;
      else high = middle;
    }
    before[index] = low === 0 ? undefined : ends[low - 1];
    ends[low] = index;
  }
  const rising = new Set<number>();
  for (let at = ends.at(-1); at !== undefined; at = before[at]) rising.add(at);
  return rising;
}
