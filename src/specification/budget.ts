import type { Finding } from './references.ts';
import { isRecord } from '../contract/values.ts';

/** What checking takes time for out of proportion: the library compares the items of lists with each other. */
const most = { operations: 5000, parameters: 500, path: 2000, pairs: 20_000_000 };
const data: ReadonlySet<string> = new Set(['example', 'examples', 'default']);

/** Why a specification would take too long to check; nothing that anybody publishes comes near. */
export function checkBudget(value: Record<string, unknown>): Finding | undefined {
  const refuse = (message: string, ...pointer: string[]): Finding => ({
    code: 'SCHEMA_INVALID',
    message,
    pointer,
  });
  const paths = isRecord(value['paths']) ? Object.entries(value['paths']) : [];
  let operations = 0;
  for (const [path, item] of paths) {
    if (path.length > most.path)
      return refuse(`this path has more than ${most.path} characters`, 'paths', path);
    operations += isRecord(item) ? Math.max(1, Object.keys(item).length) : 1;
    if (operations > most.operations)
      return refuse(
        `more than ${most.operations} operations up to here; a specification takes no more`,
        'paths',
        path,
      );
  }
  let pairs = 0;
  const walk = (node: unknown, pointer: readonly string[]): Finding | undefined => {
    if (typeof node !== 'object' || node === null) return undefined;
    if (Array.isArray(node)) {
      const isLong = node.length > most.parameters && pointer.at(-1) === 'parameters';
      pairs += node.some((item) => typeof item === 'object') ? node.length ** 2 : node.length;
      if (isLong || pairs > most.pairs)
        return refuse(
          isLong
            ? `more than ${most.parameters} parameters in one list`
            : 'the lists up to here hold too many items to compare',
          ...pointer,
        );
    }
    for (const [key, inner] of Object.entries(node)) {
      const found = data.has(key) || key.startsWith('x-') ? undefined : walk(inner, [...pointer, key]);
      if (found !== undefined) return found;
    }
    return undefined;
  };
  return walk(value, []);
}
