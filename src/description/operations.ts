import { isOperation, type Operation } from '../contract/operation.ts';
import type { Noun } from '../resources/index.ts';

export interface NounOperations {
  readonly noun: Noun;
  /** Everything that the contract exports: operations and schemas by name. */
  readonly exports: Readonly<Record<string, unknown>>;
  readonly operations: readonly Operation[];
}

/** Loads the contracts of nouns and lists their operations; each operation once. */
export async function operationsOf(nouns: readonly Noun[]): Promise<NounOperations[]> {
  const seen = new Set<string>();
  const isNew = ({ id }: Operation): boolean => !seen.has(id) && seen.add(id) !== undefined;
  const contracts = await Promise.all(nouns.map((noun) => noun.contract()));
  return nouns.map((noun, at) => {
    const exports = contracts[at] as Readonly<Record<string, unknown>>;
    return { noun, exports, operations: Object.values(exports).filter(isOperation).filter(isNew) };
  });
}
