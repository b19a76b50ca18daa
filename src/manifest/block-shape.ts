import type { Kind, BlockSlot } from './kind.ts';
import type { MapShape, Shape } from './read/shape.ts';

/** Names that a writer chooses for the resources of a map. */
const refPattern = '^[A-Za-z0-9][A-Za-z0-9_-]{0,99}$';

/** The shape of a whole manifest: the fields of all kinds, and those of the top that are no kinds. */
export function manifestShape(
  table: readonly Kind[],
  beside: Readonly<Record<string, Shape>> = {},
): MapShape {
  const org: MapShape = {
    kind: 'map',
    fields: { id: { ...text, description: 'The organization that the manifest is for' } },
  };
  const fields: Record<string, Shape> = { org, ...beside };
  for (const { kind, spot } of slotsWithin(undefined, table)) {
    const [outer = '', inner] = spot.field.split('.');
    if (inner === undefined) fields[outer] = slotShape(kind, spot, table);
    else
      fields[outer] = {
        kind: 'map',
        fields: { ...(fields[outer] as MapShape | undefined)?.fields, [inner]: slotShape(kind, spot, table) },
      };
  }
  return { kind: 'map', fields };
}

/** The shape of the block of one resource, with all that may stand inside. */
export function blockShape(kind: Kind, table: readonly Kind[], inList: boolean): MapShape {
  const fields: Record<string, Shape> = {
    id: {
      ...text,
      pattern: '^[a-zA-Z0-9_-]{1,255}$',
      description: 'Which live resource this is, where its names do not tell',
    },
    protect: { kind: 'scalar', types: ['boolean'], description: 'Nothing deletes it, --prune neither' },
  };
  if (inList)
    fields['ref'] = {
      ...text,
      pattern: refPattern,
      description: 'The name of this block for !ref, where its path is not to be it',
    };
  for (const [name, { shape }] of Object.entries(kind.fields)) fields[name] = shape;
  for (const [name, { shape }] of Object.entries(kind.shorthands ?? {})) fields[name] = shape;
  for (const { kind: inner, spot } of slotsWithin(kind.name, table))
    fields[spot.field] = slotShape(inner, spot, table);
  return {
    kind: 'map',
    fields,
    ...(inList && kind.nameField !== undefined ? { required: [kind.nameField] } : {}),
  };
}

/** The spots inside the block of a kind, or at the top, in the order of the table. */
export function slotsWithin(
  within: string | undefined,
  table: readonly Kind[],
): { readonly kind: Kind; readonly spot: BlockSlot }[] {
  return table.flatMap((kind) =>
    kind.slots.filter((spot) => spot.within === within).map((spot) => ({ kind, spot })),
  );
}

function slotShape(kind: Kind, { as }: BlockSlot, table: readonly Kind[]): Shape {
  const block = blockShape(kind, table, as === 'list');
  if (as === 'one') return block;
  return as === 'list'
    ? { kind: 'list', item: block }
    : { kind: 'mapOf', value: block, keyPattern: refPattern };
}

const text = { kind: 'scalar', types: ['string'] } as const satisfies Shape;
