import type { TProperties } from '../contract/schema.ts';
import { addressOf, nameOf } from './address.ts';
import { manifestSchema, slotsIn } from './block-schema.ts';
import { checkFields } from './check-fields.ts';
import { checkMemberships } from './check-memberships.ts';
import type { Desired, DesiredResource, Scope, Stated } from './desired.ts';
import { getField, type BlockSlot, type Kind } from './kind.ts';
import { kinds } from './kinds/index.ts';
import { linkReferences } from './link-references.ts';
import { checkNode } from './read/check-node.ts';
import { Faults, formatLocation, type SourceLocation } from './read/faults.ts';
import { toJson } from './read/json.ts';
import type { MapEntry, MapNode } from './read/node.ts';

/**
 * Reads the resources that a manifest states. `before` contains the faults found so far.
 * @throws Problem(invalid-input) with all faults and their locations
 */
export function readDesired(
  root: MapNode,
  table: readonly Kind[] = kinds,
  beside: TProperties = {},
  before = new Faults(),
): Desired {
  const faults = new Faults();
  const checked = checkNode(root, manifestSchema(table, beside), faults);
  const top = checked as MapNode;
  const areFieldsRight = faults.count === 0;
  const throwIfAny = () => {
    if (faults.count === 0) return;
    before.addAll(faults);
    before.throwIfAny();
  };
  if (faults.hidesBlocks) throwIfAny();
  const reader = new Reader(table, faults, areFieldsRight);
  reader.readInside(top, undefined, undefined);
  const { byAddress, scopes } = reader;
  const lookups = linkReferences(byAddress, table, faults);
  // The following checks rely on valid values.
  if (!areFieldsRight) throwIfAny();
  checkFields(byAddress, scopes, faults);
  checkMemberships(byAddress, faults);
  throwIfAny();
  const organization = findEntry(top, 'org.id')?.value;
  return {
    organization:
      organization?.kind === 'scalar' ? { value: organization.value, at: organization.at } : undefined,
    scopes: table.flatMap((kind) => scopes.filter((scope) => scope.kind === kind)),
    byAddress,
    lookups,
    beside: new Map(
      [...top.entries].flatMap(([name, { value }]) =>
        Object.hasOwn(beside, name) ? [[name, value] as const] : [],
      ),
    ),
  };
}

interface Block {
  /** The name in a map. Undefined in a list, where the block states its name. */
  readonly name: string | undefined;
  readonly at: SourceLocation;
  readonly value: MapNode;
}

class Reader {
  readonly scopes: Scope[] = [];
  readonly byAddress = new Map<string, DesiredResource>();
  readonly #table: readonly Kind[];
  readonly #faults: Faults;
  readonly #areFieldsRight: boolean;

  constructor(table: readonly Kind[], faults: Faults, areFieldsRight: boolean) {
    this.#table = table;
    this.#faults = faults;
    this.#areFieldsRight = areFieldsRight;
  }

  readInside(block: MapNode, within: Kind | undefined, parent: string | undefined): DesiredResource[] {
    return slotsIn(within?.name, this.#table).flatMap(({ kind, slot }) => {
      const entry = findEntry(block, slot.field);
      if (entry === undefined) return [];
      const resources = blocksIn(entry, slot).flatMap(
        (found) => this.#readBlock(kind, slot, found, parent) ?? [],
      );
      this.scopes.push({ kind, parent, isList: slot.as === 'list', resources });
      return resources;
    });
  }

  #readBlock(
    kind: Kind,
    { as, names }: BlockSlot,
    { name: stated, at, value: block }: Block,
    parent: string | undefined,
  ): DesiredResource | undefined {
    const { nameField } = kind;
    const given = names === 'email' ? stated?.toLowerCase() : stated;
    const name = given ?? String(scalarOf(block, 'ref') ?? scalarOf(block, nameField ?? ''));
    // The only block of its kind inside another one needs no name.
    const address =
      as === 'one' && parent !== undefined
        ? `${kind.name}.${nameOf(parent)}`
        : addressOf(kind.name, parent, name);
    const first = this.byAddress.get(address);
    if (first !== undefined) {
      this.#faults.add(
        at,
        `${address} already exists at ${formatLocation(first.at)}; remove one of the two${as === 'list' ? ', or rename one with "ref"' : ''}`,
      );
      return undefined;
    }
    const fields = new Map<string, Stated>();
    // In a map, the name of a block is also the value of its name field, unless the block states it. Example: the slug of
    // `billing:`.
    if (as === 'map' && nameField !== undefined && given !== undefined && !block.entries.has(nameField)) {
      const node = { kind: 'scalar', at, value: given } as const;
      // Emails were already checked as names of the map.
      const value =
        names === 'email' ? node : checkNode(node, getField(kind, nameField).schema, this.#faults);
      fields.set(nameField, { value, at });
    }
    for (const field of Object.keys(kind.fields)) {
      const value = block.entries.get(field)?.value;
      // Until all addresses are known, the value is the node.
      if (value !== undefined) fields.set(field, { value, at: value.at });
    }
    if (this.#areFieldsRight)
      kind.check?.(statedIn(block), (field, message) =>
        this.#faults.add(block.entries.get(field)?.key ?? at, message),
      );
    const id = block.entries.get('id')?.value;
    const inside: DesiredResource[] = [];
    const resource: DesiredResource = {
      address,
      kind,
      at,
      parent,
      id: id?.kind === 'scalar' ? { value: id.value, at: id.at } : undefined,
      protect: scalarOf(block, 'protect') as boolean | undefined,
      fields,
      inside,
    };
    this.byAddress.set(address, resource);
    inside.push(...this.readInside(expandShorthands(block, kind), kind, address));
    return resource;
  }
}

function blocksIn({ value, key }: MapEntry, { as, field }: BlockSlot): Block[] {
  if (as === 'one') return [{ name: field.split('.').at(-1), at: key, value: value as MapNode }];
  if (value.kind === 'map')
    return [...value.entries].map(([name, entry]) => ({
      name,
      at: entry.key,
      value: entry.value as MapNode,
    }));
  return value.kind === 'list'
    ? value.items.map((item) => ({ name: undefined, at: item.at, value: item as MapNode }))
    : [];
}

/** Expands shorthands to the blocks that they stand for. */
function expandShorthands(block: MapNode, { shorthands = {} }: Kind): MapNode {
  const entries = new Map(block.entries);
  for (const [field, { inside }] of Object.entries(shorthands)) {
    const entry = block.entries.get(field);
    if (entry === undefined) continue;
    const { key, value } = entry;
    const name: MapEntry = { key, value: { kind: 'scalar', at: value.at, value: field } };
    const inner: MapNode = {
      kind: 'map',
      at: key,
      entries: new Map([
        ['ref', name],
        [field, entry],
      ]),
    };
    entries.set(inside, { key, value: { kind: 'list', at: value.at, items: [inner] } });
  }
  return { ...block, entries };
}

function findEntry({ entries }: MapNode, path: string): MapEntry | undefined {
  const [outer = '', inner] = path.split('.');
  const entry = entries.get(outer);
  if (inner === undefined || entry === undefined) return entry;
  return entry.value.kind === 'map' ? entry.value.entries.get(inner) : undefined;
}

function scalarOf({ entries }: MapNode, field: string): unknown {
  const value = entries.get(field)?.value;
  return value?.kind === 'scalar' ? value.value : undefined;
}

/** Returns the stated values of a block as plain values. Marks are replaced by texts. */
function statedIn({ entries }: MapNode) {
  return {
    has: (field: string): boolean => entries.has(field),
    get: (field: string): unknown => {
      const entry = entries.get(field);
      return entry === undefined ? undefined : toJson(entry.value, ({ kind }) => `!${kind}`);
    },
  };
}
