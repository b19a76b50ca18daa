import type { TProperties } from '../contract/schema.ts';
import { addressOf, nameOf } from './address.ts';
import { manifestSchema, slotsIn } from './block-schema.ts';
import { checkFields } from './check-fields.ts';
import type { Desired, DesiredResource, Scope, Stated } from './desired.ts';
import type { Kind, BlockSlot } from './kind.ts';
import { kinds } from './kinds/index.ts';
import { linkReferences } from './link-references.ts';
import { checkNode } from './read/check-node.ts';
import { Faults } from './read/faults.ts';
import type { MapEntry, MapNode, ManifestNode } from './read/node.ts';
import { formatLocation, type SourceLocation } from './read/source-location.ts';
import { toJson } from './read/json.ts';

/** Reads what a manifest wants; throws one Problem with everything that is wrong and where. */
export function readDesired(
  root: MapNode,
  table: readonly Kind[] = kinds,
  beside: TProperties = {},
): Desired {
  const faults = new Faults();
  const checked = checkNode(root, manifestSchema(table, beside), faults);
  faults.throwIfAny();
  const reader = new Reader(table, faults);
  const top = checked as MapNode;
  reader.readInside(top, undefined, undefined);
  const organization = (top.entries.get('org')?.value as MapNode | undefined)?.entries.get('id')?.value;
  const links = linkReferences(reader.byAddress, table, faults);
  checkFields(reader.byAddress, reader.scopes, faults);
  faults.throwIfAny();
  return {
    organization:
      organization?.kind === 'scalar' ? { value: organization.value, at: organization.at } : undefined,
    scopes: table.flatMap((kind) => reader.scopes.filter((scope) => scope.kind === kind)),
    byAddress: reader.byAddress,
    lookups: links.lookups,
    secrets: links.secrets,
    beside: new Map(
      Object.keys(beside).flatMap((name) =>
        top.entries.has(name) ? [[name, top.entries.get(name)!.value] as const] : [],
      ),
    ),
  };
}

interface Block {
  /** Absent in a list: the block says it itself. */
  readonly name: string | undefined;
  readonly at: SourceLocation;
  readonly value: MapNode;
}

class Reader {
  readonly scopes: Scope[] = [];
  readonly byAddress = new Map<string, DesiredResource>();
  readonly #table: readonly Kind[];
  readonly #faults: Faults;

  constructor(table: readonly Kind[], faults: Faults) {
    this.#table = table;
    this.#faults = faults;
  }

  readInside(block: MapNode, within: Kind | undefined, parent: string | undefined): DesiredResource[] {
    return slotsIn(within?.name, this.#table).flatMap(({ kind, slot: spot }) => {
      const node = find(block, spot.field);
      if (node === undefined) return [];
      const wanted = this.#blocksOf(node, spot).flatMap((found) =>
        this.#readBlock(kind, spot, found, parent),
      );
      this.scopes.push({ kind, parent, isList: spot.as === 'list', resources: wanted });
      return wanted;
    });
  }

  #blocksOf({ value, key }: MapEntry, { as, field }: BlockSlot): Block[] {
    if (as === 'one') return [{ name: field.split('.').at(-1)!, at: key, value: value as MapNode }];
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

  #readBlock(
    kind: Kind,
    { as }: BlockSlot,
    { name: given, at, value: block }: Block,
    parent: string | undefined,
  ): DesiredResource[] {
    const name = given ?? String(scalarOf(block, 'ref') ?? scalarOf(block, kind.nameField ?? ''));
    // One block inside another needs no name of its own.
    const address =
      as === 'one' && parent !== undefined
        ? `${kind.name}.${nameOf(parent)}`
        : addressOf(kind.name, parent, name);
    const first = this.byAddress.get(address);
    if (first !== undefined) {
      this.#faults.add(
        at,
        `${address} is stated already at ${formatLocation(first.at)}; keep one of the two, or give one of them another name with "ref"`,
      );
      return [];
    }
    const fields = new Map<string, Stated>();
    for (const field of Object.keys(kind.fields)) {
      const entry = block.entries.get(field);
      // Marks are put in when all addresses are known; until then a value is its node.
      if (entry !== undefined) fields.set(field, { value: entry.value, at: entry.value.at });
    }
    // In a map the name of a block is what names it to the API, unless it says otherwise: `billing:` is the slug.
    if (as === 'map' && kind.nameField !== undefined && given !== undefined && !fields.has(kind.nameField)) {
      const value = checkNode(
        { kind: 'scalar', at, value: given },
        kind.fields[kind.nameField]!.schema,
        this.#faults,
      );
      fields.set(kind.nameField, { value, at });
    }
    kind.check?.(statedIn(block), (field, message) =>
      this.#faults.add(block.entries.get(field)?.key ?? at, message),
    );
    const id = block.entries.get('id')?.value;
    const inside: DesiredResource[] = [];
    const explicit = id?.kind === 'scalar' ? { value: id.value, at: id.at } : undefined;
    const wanted: DesiredResource = {
      address,
      kind,
      at,
      parent,
      id: explicit,
      protect: scalarOf(block, 'protect') as boolean | undefined,
      fields,
      inside,
    };
    this.byAddress.set(address, wanted);
    inside.push(...this.readInside(withoutShorts(block, kind), kind, address));
    return [wanted];
  }
}

/** Writes out what is short for a block inside. */
function withoutShorts(block: MapNode, { shorthands = {} }: Kind): MapNode {
  const entries = new Map(block.entries);
  for (const [field, { inside }] of Object.entries(shorthands)) {
    const entry = block.entries.get(field);
    if (entry === undefined) continue;
    const { at } = entry.value;
    const name: MapEntry = { key: entry.key, value: { kind: 'scalar', at, value: field } };
    entries.set(inside, {
      key: entry.key,
      value: {
        kind: 'list',
        at,
        items: [
          {
            kind: 'map',
            at: entry.key,
            entries: new Map([
              ['ref', name],
              [field, entry],
            ]),
          },
        ],
      },
    });
  }
  return { ...block, entries };
}

function find(block: MapNode, path: string): MapEntry | undefined {
  const [outer = '', inner] = path.split('.');
  const entry = block.entries.get(outer);
  if (inner === undefined || entry === undefined) return entry;
  return entry.value.kind === 'map' ? entry.value.entries.get(inner) : undefined;
}

function scalarOf(block: MapNode, field: string): unknown {
  const value = block.entries.get(field)?.value;
  return value?.kind === 'scalar' ? value.value : undefined;
}

/** What a block states, as plain values; marks are as good as any text. */
function statedIn(block: MapNode) {
  const plain = (node: ManifestNode | undefined) =>
    node === undefined ? undefined : toJson(node, ({ kind }) => `!${kind}`);
  return {
    has: (field: string) => block.entries.has(field),
    get: (field: string) => plain(block.entries.get(field)?.value),
  };
}
