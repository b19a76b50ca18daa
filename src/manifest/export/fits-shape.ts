import { checkShape } from '../read/check-shape.ts';
import { Faults } from '../read/faults.ts';
import type { MNode } from '../read/node.ts';
import { wholeFile } from '../read/source-location.ts';
import type { Shape } from '../read/shape.ts';
import { Problem } from '../../errors/problem.ts';

const nowhere = wholeFile('');

/** What a manifest would find wrong with a value of the backend; nothing, as a rule. */
export function fitsShape(value: unknown, shape: Shape): string[] {
  const faults = new Faults();
  checkShape(nodeOf(value), shape, faults);
  try {
    faults.throwIfAny();
    return [];
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    return error.violations.map(({ message }) => `a manifest does not take what is live: ${message}`);
  }
}

function nodeOf(value: unknown): MNode {
  if (Array.isArray(value)) return { kind: 'list', at: nowhere, items: value.map(nodeOf) };
  if (typeof value !== 'object' || value === null)
    return { kind: 'scalar', at: nowhere, value: (value ?? null) as string | number | boolean | null };
  const entries = Object.entries(value).flatMap(([name, inner]) =>
    inner === undefined ? [] : [[name, { key: nowhere, value: nodeOf(inner) }] as const],
  );
  return { kind: 'map', at: nowhere, entries: new Map(entries) };
}
