import type { Option } from 'commander';

/** Collects the values of an option that can be repeated; help shows such an option as repeatable. */
export function collect(value: string, before: readonly string[] = []): readonly string[] {
  return [...before, value];
}

/** Whether an option can be repeated, so that its values are collected. */
export function isRepeatable({ variadic, parseArg }: Option): boolean {
  return variadic || parseArg === collect;
}
