import { didYouMean } from '../contract/nearest.ts';
import { addressOf } from './address.ts';
import type { DesiredResource, Lookup, Stated } from './desired.ts';
import type { Field, Kind } from './kind.ts';
import type { Faults } from './read/faults.ts';
import type { LookupNode, ManifestNode, RefNode, ScalarNode } from './read/node.ts';
import { formatLocation, type SourceLocation } from './read/source-location.ts';
import { isSecretSchema } from './read/schema.ts';
import { toJson, type Unresolved } from './read/json.ts';
import { textsForIds, wrongWithId } from './stray-text.ts';
import { referencesIn, type LookupMark, type Reference, type SecretMark } from './value.ts';

interface Links {
  readonly lookups: readonly Lookup[];
  readonly secrets: ReadonlyMap<string, string>;
}

/** Makes values of the nodes of all fields, with marks for refs, lookups and secrets; faults on what leads nowhere or in a cycle. */
export function linkReferences(
  byAddress: ReadonlyMap<string, DesiredResource>,
  table: readonly Kind[],
  faults: Faults,
): Links {
  const linker = new Linker(byAddress, table, faults);
  for (const wanted of byAddress.values()) {
    for (const [name, { value, at }] of wanted.fields) {
      (wanted.fields as Map<string, Stated>).set(name, {
        value: linker.valueOf(value as ManifestNode, wanted.kind.fields[name]!, wanted),
        at,
        ...fromVariables(value as ManifestNode),
      });
    }
  }
  for (const wanted of byAddress.values()) reportCycles(wanted, byAddress, linker.settled, faults);
  return linker;
}

class Linker implements Links {
  readonly lookups: Lookup[] = [];
  readonly secrets = new Map<string, string>();
  readonly settled = new Set<string>();
  readonly #byAddress: ReadonlyMap<string, DesiredResource>;
  readonly #table: readonly Kind[];
  readonly #faults: Faults;

  constructor(byAddress: ReadonlyMap<string, DesiredResource>, table: readonly Kind[], faults: Faults) {
    this.#byAddress = byAddress;
    this.#table = table;
    this.#faults = faults;
  }

  valueOf(node: ManifestNode, field: Field, wanted: DesiredResource): unknown {
    if (isSecretSchema(field.schema) && node.kind === 'file')
      return this.#secret(`text of ${node.path}`, node.text);
    if (field.localName === true && node.kind === 'scalar' && typeof node.value === 'string')
      return this.#local(node.value, node.at, field, wanted);
    if (field.refersTo !== undefined)
      for (const { value, at } of textsForIds(node, field.schema))
        this.#checkId(String(value), at, field.refersTo);
    return toJson(node, (mark) => this.#mark(mark, field));
  }

  #mark(node: Unresolved, field: Field): Reference | LookupMark | SecretMark | null {
    if (node.kind === 'secret') return this.#secret(node.from, node.value);
    return node.kind === 'ref' ? this.#ref(node, field) : this.#lookup(node, field);
  }

  #secret(from: string, value: string): SecretMark {
    this.secrets.set(from, value);
    return { 'docsctl:secret': from };
  }

  #ref({ to, at }: RefNode, field: Field | undefined): Reference | null {
    const known = this.#table.map(({ name }) => name);
    if (!known.includes(to.kind))
      return this.#fault(
        at,
        `there is no kind "${to.kind}"${didYouMean(to.kind, known) || `; there are ${known.join(', ')}`}`,
      );
    if (field !== undefined && field.refersTo !== to.kind)
      return this.#fault(
        at,
        `!ref ${to.kind}.${to.name} stands where ${field.refersTo === undefined ? 'no ref is taken' : `a ${field.refersTo} is wanted`}`,
      );
    return this.#known(`${to.kind}.${to.name}`, at);
  }

  #checkId(text: string, at: SourceLocation, kindName: string): void {
    const kind = this.#table.find(({ name }) => name === kindName);
    const wrong = kind === undefined ? undefined : wrongWithId(text, kind, this.#byAddress);
    if (wrong !== undefined) this.#faults.add(at, wrong);
  }

  #local(name: string, at: SourceLocation, field: Field, wanted: DesiredResource): Reference | null {
    if (this.#byAddress.has(name)) {
      this.#checkId(name, at, field.refersTo!);
      return null;
    }
    return this.#known(addressOf(field.refersTo!, wanted.parent, name), at);
  }

  #known(address: string, at: SourceLocation): Reference | null {
    if (this.#byAddress.has(address)) return { 'docsctl:ref': address };
    const kind = address.slice(0, address.indexOf('.') + 1);
    const close = didYouMean(
      address,
      [...this.#byAddress.keys()].filter((other) => other.startsWith(kind)).slice(0, 5000),
    );
    return this.#fault(
      at,
      `there is no ${address} in the manifest${close || '; state it, or use !lookup for one that the manifest does not manage'}`,
    );
  }

  #lookup({ by, at }: LookupNode, field: Field): LookupMark | null {
    const kind = this.#table.find(({ name }) => name === field.refersTo);
    if (kind === undefined) return this.#fault(at, 'no lookup is taken here');
    if (kind.slots.every(({ within }) => within !== undefined))
      return this.#fault(at, `a ${kind.name} is not looked up; write the name that it has in the manifest`);
    const known = [
      'id',
      ...Object.keys(kind.fields).filter(
        (name) => kind.fields[name]!.fetch === undefined && kind.fields[name]!.writeOnly !== true,
      ),
    ];
    const values = new Map<string, unknown>();
    for (const [name, { key, value }] of by) {
      if (!known.includes(name))
        this.#fault(
          key,
          `a ${kind.name} is not looked up by "${name.slice(0, 60)}"${didYouMean(name, known) || `; there are ${known.join(', ')}`}`,
        );
      const { refersTo } = kind.fields[name] ?? {};
      if (refersTo !== undefined && typeof (value as ScalarNode).value === 'string')
        this.#checkId(String((value as ScalarNode).value), value.at, refersTo);
      values.set(name, value.kind === 'ref' ? this.#ref(value, kind.fields[name]) : value.value);
    }
    return { 'docsctl:lookup': this.lookups.push({ kind, at, by: values }) - 1 };
  }

  #fault(at: SourceLocation, message: string): null {
    this.#faults.add(at, message);
    return null;
  }
}

/** Which variables texts of a value come from, where any does. */
function fromVariables(node: ManifestNode): Pick<Stated, 'from'> {
  const from = new Map<string, readonly string[]>();
  const walk = (one: ManifestNode): void => {
    if (one.kind === 'scalar' && one.vars !== undefined) from.set(String(one.value), one.vars);
    else if (one.kind === 'list') one.items.forEach(walk);
    else if (one.kind === 'map') for (const { value } of one.entries.values()) walk(value);
  };
  walk(node);
  return from.size === 0 ? {} : { from };
}

/** Depth first without recursion, since a chain may be as long as the manifest; tells each cycle once. */
function reportCycles(
  start: DesiredResource,
  byAddress: ReadonlyMap<string, DesiredResource>,
  settled: Set<string>,
  faults: Faults,
): void {
  const path: {
    readonly wanted: DesiredResource;
    readonly next: { readonly to: string; readonly at: SourceLocation }[];
  }[] = [];
  const onPath = new Map<string, number>();
  const enter = (wanted: DesiredResource): void => {
    onPath.set(wanted.address, path.length);
    path.push({ wanted, next: neededBy(wanted) });
  };
  if (!settled.has(start.address)) enter(start);
  for (let last = path.at(-1); last !== undefined; last = path.at(-1)) {
    const need = last.next.pop();
    if (need === undefined) {
      settled.add(last.wanted.address);
      onPath.delete(last.wanted.address);
      path.pop();
      continue;
    }
    const back = onPath.get(need.to);
    if (back !== undefined) {
      const cycle = [...path.slice(back).map(({ wanted }) => wanted.address), need.to];
      faults.add(need.at, `this closes a circle: ${cycle.join(' → ')}`);
    } else if (!settled.has(need.to)) enter(byAddress.get(need.to)!);
  }
}

function neededBy(wanted: DesiredResource): { to: string; at: SourceLocation }[] {
  const inFields = [...wanted.fields.values()].flatMap(({ value, at }) =>
    referencesIn(value).map((to) => ({ to, at })),
  );
  return wanted.parent === undefined ? inFields : [{ to: wanted.parent, at: wanted.at }, ...inFields];
}

/** The place of a block, for messages about it. */
export function placeOf({ at }: DesiredResource): string {
  return formatLocation(at);
}
