import { checkDepth } from '../contract/limits.ts';
import { Problem } from '../errors/problem.ts';
import type { Kind } from './kind.ts';
import { kinds } from './kinds/index.ts';
import type { PlanDocument, Step } from './plan-document.ts';

/** A plan as the text of a file. */
export function writePlan(document: PlanDocument): string {
  return `${JSON.stringify(document, null, 1)}\n`;
}

/** Reads a plan that was saved; `name` is for messages. */
export function readPlan(text: string, name: string, table: readonly Kind[] = kinds): PlanDocument {
  let value: unknown;
  try {
    checkDepth(text);
    value = JSON.parse(text);
  } catch {
    throw unreadable(name, 'is not valid JSON');
  }
  if (!isObject(value) || value['version'] !== 1) throw unreadable(name, 'is no plan of this version of docsctl');
  const { place, organization, lock, steps } = value;
  if (
    typeof place !== 'string' ||
    typeof organization !== 'string' ||
    !isObject(lock) ||
    typeof lock['serial'] !== 'number' ||
    !Array.isArray(steps) ||
    !steps.every((step) => isStep(step, table))
  )
    throw unreadable(name, 'is damaged');
  return value as unknown as PlanDocument;
}

function isStep(value: unknown, table: readonly Kind[]): value is Step {
  if (!isObject(value)) return false;
  const kind = table.find(({ name }) => name === value['kind']);
  const texts = ['key', 'address', 'kind', 'action', 'name'].every((field) => typeof value[field] === 'string');
  if (!texts || kind === undefined || !Array.isArray(value['after']) || !Array.isArray(value['changes']) || typeof value['calls'] !== 'number') return false;
  return value['changes'].every((change) => isObject(change) && typeof change['field'] === 'string' && Object.hasOwn(kind.fields, change['field']));
}

function unreadable(name: string, what: string): Problem {
  return new Problem('invalid-input', `The plan ${name} ${what}.`, { hint: 'Make it anew: docsctl plan -f FILE -o json > plan.json.' });
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
