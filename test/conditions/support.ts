import { evaluate, type Evaluated } from '../../src/conditions/evaluate.ts';
import { inWords } from '../../src/conditions/fault.ts';
import { isFault, readCondition } from '../../src/conditions/parse.ts';
import type { Context } from '../../src/conditions/values.ts';

/** What a condition comes to, or why it is refused. */
export function outcomeOf(condition: string, context: Context): Evaluated | string {
  const read = readCondition(condition);
  return isFault(read) ? inWords(read) : evaluate(read, context);
}

/** Data none of whose objects may be asked for what they inherit: that throws. */
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
