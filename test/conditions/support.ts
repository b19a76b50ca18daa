import type { ClaimSchema } from '../../src/conditions/claims.ts';
import type { ConditionNode } from '../../src/conditions/condition-node.ts';
import { evaluateCondition, type Outcome } from '../../src/conditions/evaluate-condition.ts';
import { ConditionError, parseCondition } from '../../src/conditions/parse-condition.ts';
import type { EvaluationContext } from '../../src/conditions/values.ts';

export const visitorSchema: ClaimSchema = {
  type: 'object',
  properties: {
    beta: { type: 'boolean' },
    seats: { type: 'number' },
    plan: { type: 'string', enum: ['free', 'pro'] },
    name: { type: 'string' },
    products: { type: 'array', items: { type: 'string', enum: ['api', 'docs'] } },
    unsigned: { type: 'object', properties: { language: { type: 'string', enum: ['en', 'fr'] } } },
  },
};

/** Returns the result of a condition, or the reason why it is refused. */
export function outcomeOf(condition: string, context: EvaluationContext): Outcome | string {
  const node = parseCondition(condition);
  return node instanceof ConditionError ? String(node) : evaluateCondition(node, context);
}

/** Returns the syntax tree of a valid condition. */
export function parseValid(condition: string): ConditionNode {
  const node = parseCondition(condition);
  if (node instanceof ConditionError) throw node;
  return node;
}

/** Data whose objects throw when inherited properties are read. */
export function guarded<T>(value: T): T {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return Object.freeze(value.map(guarded)) as T;
  const trap = (name: string) => (_: object, key: string | symbol) => {
    throw new Error(`${name} of ${String(key)} reached a prototype`);
  };
  const prototype = new Proxy(Object.create(null) as object, {
    get: trap('get'),
    has: trap('has'),
    set: trap('set'),
    defineProperty: trap('define'),
  });
  const inner = Object.entries(value).map(([name, item]) => [
    name,
    { value: guarded(item), enumerable: true },
  ]);
  return Object.freeze(Object.create(prototype, Object.fromEntries(inner))) as T;
}
