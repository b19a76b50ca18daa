import { checkShape } from './read/check-shape.ts';
import { Faults } from './read/faults.ts';
import { secretNode, type MNode } from './read/node.ts';
import { wholeFile } from './read/source-location.ts';
import type { Shape } from './read/shape.ts';
import { isReference, isSecret } from './value.ts';

const at = wholeFile('the plan');

/** Whether a value of a plan is what a manifest could have stated of a field: of its shape, and with secrets only where these stay hidden. */
export function fitsShape(value: unknown, shape: Shape): boolean {
  const node = nodeOf(value);
  const faults = new Faults();
  if (node === undefined || !keepsSecrets(value, shape)) return false;
  checkShape(node, shape, faults);
  return faults.count === 0;
}

/** Whether each secret in a value stands where nobody is shown it; without a shape, none may be there. */
export function keepsSecrets(value: unknown, shape: Shape | undefined): boolean {
  if (isSecret(value))
    return (
      shape !== undefined &&
      (shape.kind === 'oneOf' ? shape.shapes.some((one) => keepsSecrets(value, one)) : shape.secret === true)
    );
  if (typeof value !== 'object' || value === null) return true;
  if (shape?.kind === 'oneOf') return shape.shapes.some((one) => keepsSecrets(value, one));
  return Object.entries(value).every(([name, inner]) => keepsSecrets(inner, shapeIn(shape, name)));
}

function shapeIn(shape: Shape | undefined, name: string): Shape | undefined {
  if (shape?.kind === 'list') return shape.item;
  if (shape?.kind === 'mapOf') return shape.value;
  return shape?.kind === 'map' && Object.hasOwn(shape.fields, name) ? shape.fields[name] : undefined;
}

/** Undefined: a mark in it is none that a plan has. */
function nodeOf(value: unknown): MNode | undefined {
  if (typeof value !== 'object' || value === null)
    return { kind: 'scalar', at, value: value as string | number | boolean | null };
  if (Array.isArray(value)) {
    const items = value.map(nodeOf);
    return items.every((item) => item !== undefined) ? { kind: 'list', at, items } : undefined;
  }
  if (Object.keys(value).some((name) => name.startsWith('docsctl:'))) return markOf(value);
  const entries = new Map<string, { key: typeof at; value: MNode }>();
  for (const [name, inner] of Object.entries(value)) {
    const node = nodeOf(inner);
    if (node === undefined) return undefined;
    entries.set(name, { key: at, value: node });
  }
  return { kind: 'map', at, entries };
}

function markOf(mark: object): MNode | undefined {
  const size = Object.keys(mark).length;
  if (isReference(mark) && size === 1) {
    const [kind = '', ...name] = mark['docsctl:ref'].split('.');
    return { kind: 'ref', at, to: { kind, name: name.join('.') } };
  }
  // Without its hash anything that can be read could be sent for it.
  if (isSecret(mark) && size === 2 && typeof mark.hash === 'string' && /^[0-9a-f]{64}$/.test(mark.hash))
    return secretNode(at, '', mark['docsctl:secret']);
  return undefined;
}
