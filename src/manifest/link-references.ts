import { didYouMean } from '../contract/nearest.ts';
import { addressOf, nearestAddress } from './address.ts';
import type { DesiredResource, Lookup, Stated, ValuePart } from './desired.ts';
import { canLieIn, getField, type Field, type Kind } from './kind.ts';
import type { Faults, SourceLocation } from './read/faults.ts';
import { toJson } from './read/json.ts';
import type { LookupNode, ManifestNode, RefNode, ScalarNode } from './read/node.ts';
import { isIdSchema, schemaIn, type Schema } from './read/schema.ts';
import { referencesIn, type LookupMark, type Reference } from './value.ts';

/**
 * Converts the nodes of all fields to values, with marks for references and lookups. Reports references that lead nowhere or in a
 * cycle.
 */
export function linkReferences(
  byAddress: ReadonlyMap<string, DesiredResource>,
  table: readonly Kind[],
  faults: Faults,
): Lookup[] {
  const linker = new Linker(byAddress, table, faults);
  for (const { kind, parent, fields } of byAddress.values())
    for (const [name, { value, at }] of fields) {
      const node = value as ManifestNode;
      const linked = linker.valueOf(node, getField(kind, name), parent);
      (fields as Map<string, Stated>).set(name, {
        value: linked,
        at,
        ...variablesIn(node),
        locate: (part) => locationIn(node, part),
      });
    }
  reportCycles(byAddress, faults);
  return linker.lookups;
}

class Linker {
  readonly lookups: Lookup[] = [];
  readonly #byAddress: ReadonlyMap<string, DesiredResource>;
  readonly #kinds: ReadonlyMap<string, Kind>;
  readonly #faults: Faults;

  constructor(byAddress: ReadonlyMap<string, DesiredResource>, table: readonly Kind[], faults: Faults) {
    this.#byAddress = byAddress;
    this.#kinds = new Map(table.map((kind) => [kind.name, kind]));
    this.#faults = faults;
  }

  valueOf(node: ManifestNode, field: Field, parent: string | undefined): unknown {
    const { schema, localName, refersTo } = field;
    if (refersTo !== undefined) {
      if (localName === true && node.kind === 'scalar' && typeof node.value === 'string')
        return this.#localName(node.value, node.at, refersTo, parent);
      for (const { value, at } of textsForIds(node, schema)) this.#checkId(String(value), at, refersTo);
    }
    return toJson(node, (mark) =>
      mark.kind === 'ref' ? this.#reference(mark, field) : this.#lookup(mark, refersTo),
    );
  }

  #reference({ to, at }: RefNode, field: Field | undefined): Reference | null {
    if (!this.#kinds.has(to.kind))
      return this.#fault(at, `unknown kind "${to.kind}"${suggest(to.kind, [...this.#kinds.keys()])}`);
    const address = `${to.kind}.${to.name}`;
    if (field === undefined || field.refersTo === to.kind) return this.#knownAddress(address, at);
    const expected =
      field.refersTo === undefined ? 'no reference is allowed' : `a ${field.refersTo} is required`;
    return this.#fault(at, `!ref ${address} is used where ${expected}`);
  }

  #localName(
    name: string,
    at: SourceLocation,
    refersTo: string,
    parent: string | undefined,
  ): Reference | null {
    if (!this.#byAddress.has(name)) return this.#knownAddress(addressOf(refersTo, parent, name), at);
    this.#checkId(name, at, refersTo);
    return null;
  }

  #checkId(text: string, at: SourceLocation, kindName: string): void {
    const kind = this.#kinds.get(kindName);
    const wrong = kind === undefined ? undefined : wrongWithId(text, kind, this.#byAddress);
    if (wrong !== undefined) this.#faults.add(at, wrong);
  }

  #knownAddress(address: string, at: SourceLocation): Reference | null {
    if (this.#byAddress.has(address)) return { 'docsctl:ref': address };
    const kind = address.slice(0, address.indexOf('.') + 1);
    const alike = [...this.#byAddress.keys()].filter((other) => other.startsWith(kind));
    const close = nearestAddress(address, alike);
    const advice =
      close === undefined
        ? '; add it, or use !lookup for a resource that the manifest does not manage'
        : `; did you mean "${close}"?`;
    return this.#fault(at, `the manifest has no ${address}${advice}`);
  }

  #lookup({ by, at }: LookupNode, kindName = ''): LookupMark | null {
    const kind = this.#kinds.get(kindName);
    if (kind === undefined) return this.#fault(at, '!lookup is not allowed here');
    if (!canLieIn(kind, undefined))
      return this.#fault(at, `!lookup cannot find a ${kind.name}; use the name of its block in the manifest`);
    const readable = Object.entries(kind.fields).filter(([, { fetch }]) => fetch === undefined);
    const known = ['id', ...readable.map(([name]) => name)];
    const values = new Map<string, unknown>();
    for (const [name, { key, value }] of by) {
      if (!known.includes(name))
        this.#fault(
          key,
          `!lookup cannot find a ${kind.name} by "${name.slice(0, 60)}"${suggest(name, known)}`,
        );
      const field = kind.fields[name];
      if (field?.refersTo !== undefined && value.kind === 'scalar' && typeof value.value === 'string')
        this.#checkId(value.value, value.at, field.refersTo);
      values.set(name, value.kind === 'ref' ? this.#reference(value, field) : value.value);
    }
    return { 'docsctl:lookup': this.lookups.push({ kind, at, by: values }) - 1 };
  }

  #fault(at: SourceLocation, message: string): null {
    // The schema may not allow this reference at all.
    if (!this.#faults.has(at)) this.#faults.add(at, message);
    return null;
  }
}

function suggest(name: string, known: readonly string[]): string {
  return didYouMean(name, known) || `; expected one of ${known.join(', ')}`;
}

/** Returns the variables that texts of a value come from; empty if there are none. */
function variablesIn(node: ManifestNode): Pick<Stated, 'from'> {
  const from = new Map<string, readonly string[]>();
  const walk = (one: ManifestNode): void => {
    if (one.kind === 'scalar' && one.vars !== undefined) from.set(String(one.value), one.vars);
    else if (one.kind === 'list') one.items.forEach(walk);
    else if (one.kind === 'map') for (const { value } of one.entries.values()) walk(value);
  };
  walk(node);
  return from.size === 0 ? {} : { from };
}

/** Returns the location of a part of a node, or of the node if it has no such part. */
function locationIn(node: ManifestNode, part: ValuePart): SourceLocation {
  if (typeof part === 'string') return findText(node, part)?.at ?? node.at;
  const [first, ...rest] = part;
  if (first === undefined) return node.at;
  const inner =
    node.kind === 'list'
      ? node.items[Number(first)]
      : node.kind === 'map'
        ? node.entries.get(String(first))?.value
        : undefined;
  return inner === undefined ? node.at : locationIn(inner, rest);
}

function findText(node: ManifestNode, text: string): ManifestNode | undefined {
  if (node.kind === 'scalar') return text !== '' && node.value === text ? node : undefined;
  const inside =
    node.kind === 'list'
      ? node.items
      : node.kind === 'map'
        ? [...node.entries.values()].map(({ value }) => value)
        : [];
  for (const inner of inside) {
    const found = findText(inner, text);
    if (found !== undefined) return found;
  }
  return undefined;
}

interface Need {
  readonly to: string;
  readonly at: SourceLocation;
}

/** Reports each cycle once. It is depth-first without recursion, because a chain may be as long as the manifest. */
function reportCycles(byAddress: ReadonlyMap<string, DesiredResource>, faults: Faults): void {
  const done = new Set<string>();
  const path: { address: string; needs: Need[] }[] = [];
  const positions = new Map<string, number>();
  const enter = (address: string): void => {
    const resource = byAddress.get(address);
    if (resource === undefined || done.has(address)) return;
    positions.set(address, path.length);
    path.push({ address, needs: needsOf(resource) });
  };
  for (const start of byAddress.keys()) {
    enter(start);
    for (let last = path.at(-1); last !== undefined; last = path.at(-1)) {
      const need = last.needs.pop();
      if (need === undefined) {
        done.add(last.address);
        positions.delete(last.address);
        path.pop();
        continue;
      }
      const position = positions.get(need.to);
      if (position === undefined) {
        enter(need.to);
        continue;
      }
      const cycle = path.slice(position).map(({ address }) => address);
      faults.add(need.at, `this is a circular reference: ${[...cycle, need.to].join(' → ')}`);
    }
  }
}

function needsOf({ parent, at, fields }: DesiredResource): Need[] {
  const needs = [...fields.values()].flatMap((stated) =>
    referencesIn(stated.value).map((to) => ({ to, at: stated.at })),
  );
  return parent === undefined ? needs : [{ to: parent, at }, ...needs];
}

/** Returns the plain texts of a value at places where the schema expects IDs. */
function textsForIds(node: ManifestNode, schema: Schema | undefined): ScalarNode[] {
  if (schema === undefined) return [];
  if (node.kind === 'scalar') return isIdSchema(schema) && typeof node.value === 'string' ? [node] : [];
  if (node.kind === 'list') return node.items.flatMap((item) => textsForIds(item, schemaIn(schema, '0')));
  if (node.kind !== 'map') return [];
  return [...node.entries].flatMap(([name, { value }]) => textsForIds(value, schemaIn(schema, name)));
}

/** Returns why a text cannot be the ID of a resource. It shows the text only if it is an address of the manifest. */
function wrongWithId(text: string, kind: Kind, byAddress: ReadonlyMap<string, unknown>): string | undefined {
  const own = byAddress.has(text);
  if (own && text.startsWith(`${kind.name}.`))
    return `"${text}" is plain text here; did you mean !ref ${text}?`;
  if (byAddress.has(`${kind.name}.${text}`))
    return `"${text}" is not an ID; did you mean !ref ${kind.name}.${text}?`;
  if (own) return `"${text}" is used where a ${kind.name} is required`;
  if (/^[a-zA-Z0-9_-]{1,255}$/.test(text)) return undefined;
  const close = text.startsWith(`${kind.name}.`) ? nearestAddress(text, [...byAddress.keys()]) : undefined;
  if (close?.startsWith(`${kind.name}.`) === true)
    return `this text is not an ID; did you mean !ref ${close}?`;
  return `this text is not an ID; use !ref ${kind.name}.NAME for a block of the manifest, or !lookup { ${kind.keys[0]?.[0] ?? 'id'}: … } for any other ${kind.name}`;
}
