import type { TSchema } from '../../contract/schema.ts';
import type { Operation } from '../../contract/operation.ts';
import type { MapShape, Shape } from '../read/shape.ts';
import { fromSchema } from '../read/from-schema.ts';

/** The shapes of the fields that an operation takes in its body, by name. */
export function bodyOf<O extends Operation>(operation: O): Record<BodyField<O>, Shape> {
  const shape = fromSchema(operation.body as TSchema) as MapShape;
  return shape.fields as Record<BodyField<O>, Shape>;
}

type BodyField<O extends Operation> = O['body'] extends { properties: infer P } ? keyof P & string : never;

/** `!ref`, `!lookup` or an id. */
export const reference: Shape = {
  kind: 'scalar',
  types: ['string'],
  id: true,
  description: '!ref KIND.NAME, !lookup { field: value }, or an id',
};

/** The same, and null for none. */
export const referenceOrNone: Shape = { ...reference, nullable: true };

export function nullableShape(shape: Shape): Shape {
  return { ...shape, nullable: true };
}

/** `true` is the only value: what is not the one is not said. */
export const onlyTrue: Shape = { kind: 'scalar', types: ['boolean'], enum: [true] };
