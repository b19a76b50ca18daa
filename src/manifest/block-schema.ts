import { closed, Type, type TProperties, type TSchema } from '../contract/schema.ts';
import { namePattern } from './address.ts';
import type { BlockSlot, Kind } from './kind.ts';

/** The pattern of the format `email`, for names in a map. */
const email = Type.String({ pattern: '^[^\\s@<>"]{1,64}@[^\\s@<>"]+\\.[^\\s@<>".]+$' });

const blockName = Type.String({ pattern: namePattern });

/** Returns the schema of a whole manifest: the fields of all kinds, and the top-level fields in `others`. */
export function manifestSchema(table: readonly Kind[], others: TProperties): TSchema {
  const org: TProperties = {
    id: Type.String({ description: 'organization that the manifest is for: its ID, hostname or title' }),
  };
  const fields: TProperties = {};
  for (const { kind, slot } of slotsIn(undefined, table)) {
    const [, inner] = slot.field.split('.');
    if (inner === undefined) fields[slot.field] = slotSchema(kind, slot, table);
    else org[inner] = slotSchema(kind, slot, table);
  }
  return block({
    org: { ...block(org), description: 'The organization: which one it is, and its settings' },
    ...others,
    ...fields,
  });
}

/** Returns the schema of the block of one resource, including the blocks inside it. */
function blockSchema(kind: Kind, table: readonly Kind[], { as, names }: BlockSlot): TSchema {
  const inList = as === 'list';
  const fields: TProperties = {
    id: Type.String({
      pattern: '^[a-zA-Z0-9_-]{1,255}$',
      description: 'ID of the existing resource that the block stands for',
    }),
    protect: Type.Boolean({ description: 'true: never delete this resource, even with --prune' }),
  };
  if (inList)
    fields['ref'] = {
      ...blockName,
      description: 'name by which !ref finds the block (default: the value of its path field)',
    };
  for (const [name, { schema }] of Object.entries({ ...kind.fields, ...kind.shorthands }))
    if (names === undefined || name !== kind.nameField) fields[name] = schema;
  for (const { kind: inner, slot } of slotsIn(kind.name, table))
    fields[slot.field] = slotSchema(inner, slot, table);
  return block(fields, inList ? kind.nameField : undefined);
}

/** Returns the slots in the block of a kind, or at the top level of a manifest, in the order of the table. */
export function slotsIn(
  within: string | undefined,
  table: readonly Kind[],
): { kind: Kind; slot: BlockSlot }[] {
  return table.flatMap((kind) =>
    kind.slots.filter((slot) => slot.within === within).map((slot) => ({ kind, slot })),
  );
}

function slotSchema(kind: Kind, slot: BlockSlot, table: readonly Kind[]): TSchema {
  const { as, names } = slot;
  const schema = blockSchema(kind, table, slot);
  const { description } = kind;
  if (as === 'one') return { ...schema, description };
  return as === 'list'
    ? Type.Array(schema, { description })
    : Type.Record(names === undefined ? blockName : email, schema, { description });
}

/** A map in which only one field is required, if any. */
function block(fields: TProperties, required?: string): TSchema {
  const optional = Object.entries(fields).map(([name, schema]) => [name, Type.Optional(schema)] as const);
  return closed(Object.fromEntries(optional), required === undefined ? {} : { required: [required] });
}
