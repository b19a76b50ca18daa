import { nameOf } from '../address.ts';
import type { Field } from '../kind.ts';
import type { Shape } from '../read/shape.ts';

/** Whether any part of a field is a secret: then none of it is read or written. */
export function isSecretField({ writeOnly, shape }: Pick<Field, 'writeOnly' | 'shape'>): boolean {
  return writeOnly === true || hasSecret(shape, new Set());
}

function hasSecret(shape: Shape, seen: Set<Shape>): boolean {
  if (shape.secret === true) return true;
  // A shape may hold itself.
  if (seen.has(shape)) return false;
  seen.add(shape);
  const inner =
    shape.kind === 'map'
      ? Object.values(shape.fields)
      : shape.kind === 'mapOf'
        ? [shape.value]
        : shape.kind === 'list'
          ? [shape.item]
          : shape.kind === 'oneOf'
            ? shape.shapes
            : [];
  return inner.some((one) => hasSecret(one, seen));
}

/** The line that says what a person has to set; what the secret is, or whether there is one, nobody is told. */
export function secretRemark(address: string, field: string): string {
  const name = `${nameOf(address)}_${field}`
    .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
    .toUpperCase()
    .replace(/[^A-Z0-9]+/g, '_')
    .replace(/^(?=\d)|^_+/, 'SECRET_')
    .slice(0, 100);
  return `${field}: !secret { env: ${name} } # not exported`;
}
